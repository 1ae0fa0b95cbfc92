from contracts.envelope import OutcomeBody
from gateway.answers import Answers, Asked

ASKED = Asked("table.events", "t1", "g1", "a")


def outcome(**change: str) -> OutcomeBody:
    fields = {"command_id": "a", "principal": "g1", "aggregate": "t1", **change}
    return OutcomeBody(version=1, at=0, decided_at=0, rules_version="1", **fields)


async def test_an_outcome_answers_all_who_wait_for_it() -> None:
    answers = Answers()
    futures = [answers.expect(ASKED), answers.expect(ASKED)]
    answers.settle("table.events", outcome())
    assert [future.result() for future in futures] == [outcome(), outcome()]


async def test_the_same_id_of_another_person_topic_or_table_is_another_command() -> None:
    answers = Answers()
    future = answers.expect(ASKED)
    answers.settle("lobby.events", outcome())
    answers.settle("table.events", outcome(principal="g2"))
    answers.settle("table.events", outcome(aggregate="t2"))
    answers.settle("table.events", outcome(command_id="b"))
    assert not future.done()


async def test_an_aggregate_is_awaited_only_while_somebody_waits() -> None:
    answers = Answers()
    one, two = answers.expect(ASKED), answers.expect(ASKED._replace(command_id="b"))
    assert answers.awaited("table.events", "t1")
    answers.forget(ASKED, one)
    answers.forget(ASKED, one)
    assert answers.awaited("table.events", "t1")
    answers.forget(ASKED._replace(command_id="b"), two)
    assert not answers.awaited("table.events", "t1")


async def test_an_outcome_after_the_answer_finds_nobody() -> None:
    answers = Answers()
    future = answers.expect(ASKED)
    answers.settle("table.events", outcome())
    answers.settle("table.events", outcome())
    answers.forget(ASKED, future)
    answers.settle("table.events", outcome())
    assert future.result() == outcome()
