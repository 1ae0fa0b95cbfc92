from bus.answers import ANSWERS_PER_PRINCIPAL, Answers, FirstAnswer


def answer(offset: int) -> FirstAnswer:
    return FirstAnswer(offset, offset, None, None)


def test_the_newest_answers_of_each_principal_are_kept() -> None:
    answers = Answers()
    for number in range(ANSWERS_PER_PRINCIPAL + 1):
        answers.remember("p", f"c{number}", answer(number), stranger=False)
    assert answers.find("p", "c0") is None
    assert answers.find("p", "c1") == answer(1)


def test_a_stranger_who_sits_down_is_no_longer_pushed_out() -> None:
    answers = Answers()
    answers.remember("p", "first", answer(0), stranger=True)
    answers.remember("p", "second", answer(1), stranger=False)
    for number in range(100):
        answers.remember(f"s{number}", "x", answer(number), stranger=True)
    assert answers.find("p", "first") == answer(0)
    assert answers.find("s0", "x") is None
