import json
from typing import Any, Literal

import pytest
from tests.given import Given, Then
from ulid import ULID

from bus.decider import Deadline, UnknownEvent
from contracts.envelope import TimeOut
from contracts.lobby import (
    BotStoodBy,
    FillPostponed,
    JoinQueue,
    LeaveQueue,
    LobbyCommand,
    LobbyEvent,
    MatchMade,
    Pool,
    ReleaseTable,
    StandBy,
    TableReleased,
    TicketQueued,
    TicketWithdrawn,
)
from contracts.table import Reservation
from lobby.decider import FILL_MS, LobbyDecider
from lobby.state import Lobby

DUEL = Pool(preset="draw", seats=2, target=100)
THREE = Pool(preset="block", seats=3, target=50)
NOON = 1_700_000_000_000
decider = LobbyDecider()


def given(*events: LobbyEvent) -> Given[Lobby, LobbyCommand, LobbyEvent]:
    return Given(decider, "eu", events)


def ticket(account: str, pool: Pool = DUEL, bots: Literal["none", "fill"] = "none", at: int = NOON) -> TicketQueued:
    due_at = at + FILL_MS if bots == "fill" else None
    return TicketQueued(account=account, pool=pool, bots=bots, bot=False, queued_at=at, fill_due_at=due_at)


def match(*accounts: str, table: str = "t1", pool: Pool = DUEL) -> MatchMade:
    return MatchMade(table_id=table, pool=pool, seats=tuple(Reservation(account=account) for account in accounts))


def made(result: Then[Lobby, LobbyEvent]) -> MatchMade:
    found = [event for event in result.decision.events if isinstance(event, MatchMade)]
    assert len(found) == 1
    return found[0]


def seats(event: MatchMade) -> list[tuple[str, bool]]:
    return [(seat.account, seat.bot) for seat in event.seats]


# ---- joining


def test_the_first_ticket_of_a_pool_waits() -> None:
    given().when(JoinQueue(pool=DUEL), by="ann", at=NOON).then(ticket("ann"))


def test_a_full_pool_is_a_match_in_order_of_arrival() -> None:
    result = given(ticket("ann", THREE), ticket("bob", THREE)).when(JoinQueue(pool=THREE), by="cid", at=NOON)
    assert result.decision.events[0] == ticket("cid", THREE)
    assert seats(made(result)) == [("ann", False), ("bob", False), ("cid", False)]


def test_tickets_of_another_target_are_another_pool() -> None:
    other = Pool(preset="draw", seats=2, target=50)
    given(ticket("ann", other)).when(JoinQueue(pool=DUEL), by="bob", at=NOON).then(ticket("bob"))


def test_a_table_id_carries_the_time_of_its_command_and_is_a_valid_id() -> None:
    table_id = made(given(ticket("ann")).when(JoinQueue(pool=DUEL), by="bob", at=NOON)).table_id
    assert ULID.from_str(table_id.upper()).milliseconds == NOON
    assert table_id == table_id.lower()


def test_the_same_command_with_the_same_entropy_makes_the_same_table() -> None:
    first, second = (made(given(ticket("ann")).when(JoinQueue(pool=DUEL), by="bob", at=NOON)) for _ in range(2))
    assert first == second


def test_a_declared_bot_that_queues_is_labelled_in_its_seat() -> None:
    result = given(ticket("ann")).when(JoinQueue(pool=DUEL, bot=True), by="robot", at=NOON)
    assert seats(made(result)) == [("ann", False), ("robot", True)]


@pytest.mark.parametrize(
    ("pool", "code"),
    [
        ({"preset": "chess", "seats": 2, "target": 100}, "unknown-preset"),
        ({"preset": "party", "seats": 2, "target": 100}, "unknown-preset"),
        ({"preset": "draw", "seats": 2, "target": 101}, "bad-pool"),
        ({"preset": "block", "seats": 4, "target": 500}, "bad-pool"),
    ],
)
def test_a_pool_outside_public_play_is_refused(pool: dict[str, Any], code: str) -> None:
    given().when(JoinQueue(pool=Pool(**pool)), by="ann").refused(code)


def test_a_second_ticket_is_refused() -> None:
    given(ticket("ann")).when(JoinQueue(pool=THREE), by="ann").refused("already-queued")


def test_a_bot_that_stands_by_may_not_queue_as_well() -> None:
    given(BotStoodBy(account="h1")).when(JoinQueue(pool=DUEL), by="h1").refused("already-queued")


def test_somebody_with_a_seat_may_not_queue() -> None:
    seated = given(ticket("ann"), match("ann", "bob"))
    seated.when(JoinQueue(pool=DUEL), by="bob").refused("already-seated")


# ---- leaving, releasing


def test_leaving_withdraws_the_ticket_and_the_next_person_takes_the_place() -> None:
    left = given(ticket("ann"), TicketWithdrawn(account="ann"))
    left.when(JoinQueue(pool=DUEL), by="bob", at=NOON).then(ticket("bob"))


def test_leaving_ends_standing_by() -> None:
    given(BotStoodBy(account="h1")).when(LeaveQueue(), by="h1").then(TicketWithdrawn(account="h1"))


def test_leaving_a_queue_that_one_is_not_in_is_refused() -> None:
    given().when(LeaveQueue(), by="ann").refused("not-queued")
    given(match("ann", "bob")).when(LeaveQueue(), by="ann").refused("not-queued")


def test_a_released_table_frees_its_people() -> None:
    seated = given(match("ann", "bob"))
    seated.when(ReleaseTable(table_id="t1"), by="lobby").then(TableReleased(table_id="t1"))
    seated.after(ReleaseTable(table_id="t1"), by="lobby")
    seated.when(JoinQueue(pool=DUEL), by="ann", at=NOON).then(ticket("ann"))


def test_a_second_release_changes_nothing() -> None:
    given(match("ann", "bob"), TableReleased(table_id="t1")).when(ReleaseTable(table_id="t1"), by="lobby").nothing()


def test_a_release_for_a_region_that_does_not_exist_changes_nothing() -> None:
    given().when(ReleaseTable(table_id="t1"), by="lobby").nothing()


def test_a_late_release_does_not_free_people_of_their_next_table() -> None:
    again = given(match("ann", "bob"), TableReleased(table_id="t1"), match("ann", "bob", table="t2"))
    again.when(ReleaseTable(table_id="t1"), by="lobby").nothing()
    assert again.state is not None
    assert again.state.seated["ann"] == "t2"


def test_nobody_else_releases_tables() -> None:
    given(match("ann", "bob")).when(ReleaseTable(table_id="t1"), by="ann").refused("not-allowed")


# ---- house bots


def test_standing_by_is_idempotent() -> None:
    bots = given().after(StandBy(), by="h1")
    bots.when(StandBy(), by="h1").nothing()


def test_a_seated_bot_cannot_stand_by() -> None:
    given(match("ann", "h1")).when(StandBy(), by="h1").refused("already-seated")


def test_a_ticket_that_wants_bots_sets_a_deadline() -> None:
    queued = given(ticket("ann", bots="fill"))
    assert queued.state is not None
    assert decider.deadline(queued.state) == Deadline("fill", "fill-1-0", NOON, NOON + FILL_MS)


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
    assert [waiter.account for waiter in after.waiting(four)] == ["bob"]
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
    assert decider.deadline(state) == Deadline("fill", "fill-1-1", again_at - FILL_MS, again_at)


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
    gone.when(TimeOut(kind="fill", ref="fill-1-0"), by="timer", at=NOON + FILL_MS + 1).refused("not-current")


def test_a_second_ticket_of_the_same_person_has_another_ref() -> None:
    again = given(ticket("ann", bots="fill"), TicketWithdrawn(account="ann"), ticket("ann", bots="fill"))
    assert again.state is not None
    deadline = decider.deadline(again.state)
    assert deadline is not None
    assert deadline.ref == "fill-2-0"


# ---- what the runtime asks


def test_answers_are_kept_for_everybody_in_the_region() -> None:
    lobby = given(ticket("ann"), BotStoodBy(account="h1"), match("bob", "cid")).state
    assert lobby is not None
    assert all(decider.remembers(lobby, who) for who in ("ann", "h1", "bob", "timer", "lobby"))
    assert not decider.remembers(lobby, "stranger")


def test_every_event_comes_back_from_its_json() -> None:
    events: list[LobbyEvent] = [
        ticket("ann", bots="fill"),
        BotStoodBy(account="h1"),
        TicketWithdrawn(account="ann"),
        match("ann", "bob"),
        FillPostponed(pool=DUEL, due_at=NOON),
        TableReleased(table_id="t1"),
    ]
    for event in events:
        assert decider.decode_event(json.loads(json.dumps(decider.encode_event(event)))) == event


def test_an_event_of_a_newer_version_is_named() -> None:
    with pytest.raises(UnknownEvent, match="ticket-widened"):
        decider.decode_event({"type": "ticket-widened"})


def test_evolving_leaves_the_state_before_it_as_it_was() -> None:
    before = given(ticket("ann"), BotStoodBy(account="h1")).state
    assert before is not None
    decider.evolve(before, match("ann", "h1"))
    assert "ann" in before.queued
    assert "h1" in before.standing_by
    assert not before.seated
