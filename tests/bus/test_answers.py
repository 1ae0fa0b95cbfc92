from bus.answers import ANSWERS_PER_PRINCIPAL, STRANGERS_MAX, Answers, FirstAnswer


def everybody(_: str) -> bool:
    return True


def nobody(_: str) -> bool:
    return False


def answer(offset: int) -> FirstAnswer:
    return FirstAnswer(offset, offset, None, None)


def test_the_newest_answers_of_each_principal_are_kept() -> None:
    answers = Answers()
    for number in range(ANSWERS_PER_PRINCIPAL + 1):
        answers.remember("p", f"c{number}", answer(number), resident=everybody)
    assert answers.find("p", "c0") is None
    assert answers.find("p", "c1") == answer(1)


def test_a_stranger_who_sits_down_is_no_longer_pushed_out() -> None:
    answers = Answers()
    answers.remember("p", "first", answer(0), resident=nobody)
    answers.remember("p", "second", answer(1), resident=everybody)
    for number in range(100):
        answers.remember(f"s{number}", "x", answer(number), resident=lambda principal: principal == "p")
    assert answers.find("p", "first") == answer(0)
    assert answers.find("s0", "x") is None


def test_those_who_have_gone_are_strangers_in_the_end() -> None:
    answers, here = Answers(), set[str]()
    for number in range(10_000):
        here = {f"p{number - back}" for back in range(10)}
        answers.remember(f"p{number}", "c", answer(number), resident=here.__contains__)
    assert all(answers.find(principal, "c") for principal in here)
    assert len(answers) <= 2 * len(here) + STRANGERS_MAX + 2


def test_a_policys_command_from_long_ago_is_known_by_its_source_partitions_watermark() -> None:
    answers = Answers()
    for number in range(3 * ANSWERS_PER_PRINCIPAL):
        answers.remember("lobby", f"table.events:3:{number}:0", answer(number), resident=everybody)
    newest = 3 * ANSWERS_PER_PRINCIPAL - 1
    assert answers.find("lobby", "table.events:3:0:0") == answer(newest)
    assert answers.find("lobby", f"table.events:3:{newest}:0") == answer(newest)
    assert answers.find("lobby", f"table.events:3:{newest}:1") is None
    assert answers.find("lobby", f"table.events:3:{newest + 1}:0") is None
    assert answers.find("lobby", "table.events:4:0:0") is None, "another partition has its own order"
    assert answers.find("ann", "table.events:3:0:0") is None
    restored = Answers.from_json(answers.to_json())
    assert restored.find("lobby", "table.events:3:0:0") == answer(newest)


def test_ids_that_only_look_a_little_like_a_policys_have_no_watermark() -> None:
    answers = Answers()
    answers.remember("p", "table.events:3:9", answer(1), resident=everybody)
    answers.remember("p", "table.events:3:9:x", answer(1), resident=everybody)
    assert answers.find("p", "table.events:3:8") is None
    assert answers.find("p", "table.events:3:9:0") is None
