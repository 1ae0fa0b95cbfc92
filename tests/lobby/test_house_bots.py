"""What the lobby's decider does with labelled bots of the house."""

import pytest
from tests.lobby.lobbies import DUEL, EVERY_PRESET, NOON, THREE, decider, given, made, match, seats, ticket, who_waits

from bus.decider import Deadline
from contracts.envelope import TimeOut
from contracts.region import (
    BotStoodBy,
    FillPostponed,
    JoinQueue,
    MatchMade,
    Pool,
    StandBy,
    TicketWithdrawn,
)
from lobby.region import pools
from lobby.region.filling import FILL_MS


def test_standing_by_is_idempotent() -> None:
    bots = given().after(StandBy(), by="h1")
    bots.when(StandBy(), by="h1").nothing()


def test_a_seated_bot_cannot_stand_by() -> None:
    given(match("ann", "h1")).when(StandBy(), by="h1").refused("already-seated")


def test_a_ticket_that_wants_bots_sets_a_deadline() -> None:
    queued = given(ticket("ann", bots="fill"))
    assert queued.state is not None
    assert decider.deadline(queued.state) == Deadline("fill", f"fill-1-{NOON + FILL_MS}", NOON, NOON + FILL_MS)


def test_a_ticket_without_bots_sets_none() -> None:
    queued = given(ticket("ann"))
    assert queued.state is not None
    assert decider.deadline(queued.state) is None


def test_the_deadline_counts_from_the_decision_when_the_command_had_to_wait() -> None:
    late = given().when(JoinQueue(pool=DUEL, bots="fill"), by="ann", at=NOON, decided_at=NOON + 9000)
    assert late.decision.state is not None
    deadline = decider.deadline(late.decision.state)
    assert deadline is not None
    assert deadline.due_at == NOON + 9000 + FILL_MS


def test_bots_that_stood_by_longest_fill_the_seats_after_three_seconds() -> None:
    ready = given(*(BotStoodBy(account=f"h{number}") for number in (1, 2, 3)), ticket("ann", THREE, "fill"))
    event = made(ready.when_due())
    assert seats(event) == [("ann", False), ("h1", True), ("h2", True)]
    assert event.pool == THREE


def strengths(event: MatchMade) -> list[str | None]:
    return [seat.strength for seat in event.seats]


@pytest.mark.parametrize("pool", EVERY_PRESET, ids=pools.name)
def test_bots_fill_the_seats_of_every_pool_and_people_have_no_strength(pool: Pool) -> None:
    bots = [BotStoodBy(account=f"h{number}") for number in range(1, pool.seats)]
    event = made(given(*bots, ticket("ann", pool, "fill")).when_due())
    assert event.pool == pool
    assert strengths(event) == [None] + ["normal"] * (pool.seats - 1)


def test_the_bots_are_as_strong_as_was_asked() -> None:
    joined = given(BotStoodBy(account="h1")).after(
        JoinQueue(pool=DUEL, bots="fill", strength="expert"), by="ann", at=NOON
    )
    assert strengths(made(joined.when_due())) == [None, "expert"]


def test_of_several_who_want_bots_the_one_who_has_waited_longest_is_heard() -> None:
    waiting = given(
        ticket("bob", THREE),
        ticket("ann", THREE, "fill", strength="beginner"),
        BotStoodBy(account="h1"),
        TicketWithdrawn(account="bob"),
        ticket("cid", THREE, "fill", strength="expert"),
    )
    assert strengths(made(waiting.when_due())) == [None, None, "beginner"]


def test_people_who_want_bots_share_a_table_and_those_who_do_not_stay_in_the_queue() -> None:
    four = Pool(preset="draw", seats=4, target=50)
    waiting = given(
        ticket("ann", four, "fill"),
        ticket("bob", four),
        ticket("cid", four, "fill"),
        BotStoodBy(account="h1"),
        BotStoodBy(account="h2"),
    )
    event = made(waiting.when_due())
    assert [account for account, _ in seats(event)] == ["ann", "cid", "h1", "h2"]
    after = decider.evolve(waiting.state, event)
    assert who_waits(after, four) == ["bob"]
    assert decider.deadline(after) is None


def test_people_come_before_bots_when_the_pool_fills_in_time() -> None:
    waiting = given(BotStoodBy(account="h1"), ticket("ann", bots="fill"))
    event = made(waiting.when(JoinQueue(pool=DUEL), by="bob", at=NOON + FILL_MS))
    assert seats(event) == [("ann", False), ("bob", False)]


def test_a_command_after_the_deadline_finds_the_seats_filled() -> None:
    waiting = given(BotStoodBy(account="h1"), ticket("ann", bots="fill"))
    result = waiting.when(JoinQueue(pool=DUEL), by="bob", at=NOON + FILL_MS + 1)
    assert seats(made(result)) == [("ann", False), ("h1", True)]
    assert result.decision.events[-1] == ticket("bob", at=NOON + FILL_MS + 1)


def test_too_few_bots_and_the_ticket_waits_once_more_under_a_new_ref() -> None:
    waiting = given(BotStoodBy(account="h1"), ticket("ann", THREE, "fill"))
    again_at = NOON + FILL_MS + 1 + FILL_MS
    waiting.when_due().then(FillPostponed(pool=THREE, due_at=again_at))
    state = decider.evolve(waiting.state, FillPostponed(pool=THREE, due_at=again_at))
    assert decider.deadline(state) == Deadline("fill", f"fill-1-{again_at}", again_at - FILL_MS, again_at)


def test_the_bot_that_was_missing_completes_the_table_at_once() -> None:
    waiting = given(
        BotStoodBy(account="h1"), ticket("ann", THREE, "fill"), FillPostponed(pool=THREE, due_at=NOON + 6001)
    )
    result = waiting.when(StandBy(), by="h2", at=NOON + 4000)
    assert result.decision.events[0] == BotStoodBy(account="h2")
    assert seats(made(result)) == [("ann", False), ("h1", True), ("h2", True)]


def test_a_bot_does_not_join_a_ticket_that_has_not_waited_three_seconds() -> None:
    given(ticket("ann", bots="fill")).when(StandBy(), by="h1", at=NOON + 1).then(BotStoodBy(account="h1"))


def test_a_bot_is_seated_once_though_two_pools_wait_for_it() -> None:
    other = Pool(preset="block", seats=2, target=50)
    waiting = given(
        ticket("ann", bots="fill"),
        ticket("bob", other, "fill"),
        FillPostponed(pool=other, due_at=NOON + 6001),
        FillPostponed(pool=DUEL, due_at=NOON + 6002),
    )
    result = waiting.when(StandBy(), by="h1", at=NOON + 4000)
    assert seats(made(result)) == [("ann", False), ("h1", True)]


def test_a_timeout_of_a_ticket_that_has_left_is_not_current() -> None:
    gone = given(ticket("ann", bots="fill"), TicketWithdrawn(account="ann"))
    gone.when(TimeOut(kind="fill", ref=f"fill-1-{NOON + FILL_MS}"), by="timer", at=NOON + FILL_MS + 1).refused(
        "not-current"
    )


def test_a_second_ticket_of_the_same_person_has_another_ref() -> None:
    again = given(ticket("ann", bots="fill"), TicketWithdrawn(account="ann"), ticket("ann", bots="fill"))
    assert again.state is not None
    deadline = decider.deadline(again.state)
    assert deadline is not None
    assert deadline.ref == f"fill-2-{NOON + FILL_MS}"
