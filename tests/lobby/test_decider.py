import json
from typing import Any

import pytest
from tests.lobby.lobbies import DUEL, EVERY_PRESET, NOON, THREE, decider, given, made, match, seats, ticket
from ulid import ULID

from bus.decider import UnknownEvent
from contracts.region import (
    BotStoodBy,
    FillPostponed,
    JoinQueue,
    LeaveQueue,
    Pool,
    RegionEvent,
    ReleaseTable,
    TableReleased,
    TicketWithdrawn,
)
from lobby.region import pools
from lobby.region.filling import FILL_MS

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
        ({"preset": "draw", "seats": 2, "target": 101}, "bad-pool"),
        ({"preset": "block", "seats": 4, "target": 500}, "bad-pool"),
        ({"preset": "duel-draw", "seats": 3, "target": 100}, "bad-pool"),
        ({"preset": "party", "seats": 3, "target": 100, "pairs": True}, "bad-pool"),
        ({"preset": "all-fives", "seats": 2, "target": 150}, "bad-pool"),
        ({"preset": "block", "seats": 2, "target": 100, "spinner": True}, "bad-pool"),
        ({"preset": "draw", "seats": 2, "target": 100, "drawing": True}, "bad-pool"),
        ({"preset": "draw", "seats": 2, "target": 100, "turn_seconds": 15}, "bad-pool"),
        ({"preset": "party", "seats": 2, "target": 100, "turn_seconds": 20}, "bad-pool"),
        ({"preset": "party", "seats": 2, "target": 100, "clock_minutes": 5}, "bad-pool"),
        ({"preset": "duel-draw", "seats": 2, "target": 100, "clock_minutes": 4}, "bad-pool"),
        ({"preset": "all-fives", "seats": 2, "target": 100, "turn_seconds": 20}, "bad-pool"),
    ],
)
def test_a_pool_outside_public_play_is_refused(pool: dict[str, Any], code: str) -> None:
    given().when(JoinQueue(pool=Pool(**pool)), by="ann").refused(code)


@pytest.mark.parametrize("pool", EVERY_PRESET, ids=pools.name)
def test_every_preset_has_its_queue(pool: Pool) -> None:
    waiting = [ticket(f"p{number}", pool) for number in range(1, pool.seats)]
    event = made(given(*waiting).when(JoinQueue(pool=pool), by="ann", at=NOON))
    assert event.pool == pool
    assert len(event.seats) == pool.seats


def test_tickets_that_chose_other_options_are_another_pool() -> None:
    plain = Pool(preset="all-fives", seats=2, target=100)
    spinner = plain.model_copy(update={"spinner": True})
    given(ticket("ann", plain)).when(JoinQueue(pool=spinner), by="bob", at=NOON).then(ticket("bob", spinner))


@pytest.mark.parametrize("clock_minutes", [3, 5, 15, 20])
def test_who_chose_another_time_is_in_another_pool(clock_minutes: int) -> None:
    plain = Pool(preset="duel-draw", seats=2, target=100)
    timed = plain.model_copy(update={"clock_minutes": clock_minutes})
    given(ticket("ann", plain)).when(JoinQueue(pool=timed), by="bob", at=NOON).then(ticket("bob", timed))
    matched = made(given(ticket("ann", timed)).when(JoinQueue(pool=timed), by="bob", at=NOON))
    assert pools.options(matched.pool)["clock_ms"] == clock_minutes * 60_000


@pytest.mark.parametrize(
    ("preset", "own"),
    [("duel-draw", {"clock_minutes": 10}), ("party", {"turn_seconds": 15}), ("draw", {"turn_seconds": 20})],
)
def test_who_says_the_presets_own_time_waits_with_those_who_do_not(preset: str, own: dict[str, int]) -> None:
    plain = Pool(preset=preset, seats=2, target=100)
    assert (
        made(given(ticket("ann", plain)).when(JoinQueue(pool=Pool(**plain.model_dump() | own)), by="bob")).pool == plain
    )


def test_a_second_ticket_is_refused() -> None:
    given(ticket("ann")).when(JoinQueue(pool=THREE), by="ann").refused("already-queued")


def test_a_refusal_names_the_pool_that_one_waits_in() -> None:
    pairs = Pool(preset="party", seats=4, target=150, pairs=True)
    then = given(ticket("ann", pairs)).when(JoinQueue(pool=THREE), by="ann")
    assert then.decision.refusal is not None
    assert then.decision.refusal.got == "a ticket for party with 4 seats to 150, pairs"


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


def test_leaving_a_queue_that_one_is_not_in_is_done_already() -> None:
    given().when(LeaveQueue(), by="ann").nothing()
    given(match("ann", "bob")).when(LeaveQueue(), by="ann").nothing()
    given(ticket("ann")).after(LeaveQueue(), by="ann").when(LeaveQueue(), by="ann").nothing()


def test_a_released_table_frees_its_people() -> None:
    seated = given(match("ann", "bob"))
    seated.when(ReleaseTable(table_id="t1"), by="lobby").then(TableReleased(table_id="t1"))
    seated.after(ReleaseTable(table_id="t1"), by="lobby")
    seated.when(JoinQueue(pool=DUEL), by="ann", at=NOON).then(ticket("ann"))


def test_a_match_whose_table_was_never_opened_is_as_if_it_had_not_been_made() -> None:
    called_off = ReleaseTable(table_id="t1", not_opened="stale-id")
    seated = given(ticket("ann"), match("ann", "bob"))
    seated.when(called_off, by="lobby").then(
        TableReleased(table_id="t1", not_opened="stale-id", accounts=("ann", "bob"))
    )
    over = given(ticket("ann"), match("ann", "bob"), TableReleased(table_id="t1"))
    assert seated.after(called_off, by="lobby").state == over.state
    seated.when(called_off, by="lobby").nothing()
    for account in ("ann", "bob"):
        seated.when(JoinQueue(pool=DUEL), by=account, at=NOON).then(ticket(account))


def test_what_is_not_to_be_said_of_a_release_is_not_written() -> None:
    assert decider.encode_event(TableReleased(table_id="t1")) == {"type": "table-released", "table_id": "t1"}


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


# ---- what the runtime asks


def test_answers_are_kept_for_everybody_in_the_region() -> None:
    lobby = given(ticket("ann"), BotStoodBy(account="h1"), match("bob", "cid")).state
    assert lobby is not None
    assert all(decider.remembers(lobby, who) for who in ("ann", "h1", "bob", "timer", "lobby"))
    assert not decider.remembers(lobby, "stranger")


def test_every_event_comes_back_from_its_json() -> None:
    events: list[RegionEvent] = [
        ticket("ann", bots="fill"),
        BotStoodBy(account="h1"),
        TicketWithdrawn(account="ann"),
        match("ann", "bob"),
        FillPostponed(pool=DUEL, due_at=NOON),
        TableReleased(table_id="t1"),
    ]
    for event in events:
        assert decider.decode_event(json.loads(json.dumps(decider.encode_event(event)))) == event


def test_a_ticket_of_an_older_log_has_the_presets_own_options_and_wants_normal_bots() -> None:
    pool = {"preset": "draw", "seats": 2, "target": 100}
    older = {"type": "ticket-queued", "account": "ann", "pool": pool, "bots": "fill", "bot": False, "queued_at": NOON}
    assert decider.decode_event(older | {"fill_due_at": NOON + FILL_MS}) == ticket("ann", bots="fill")


def test_an_event_of_a_newer_version_is_named() -> None:
    with pytest.raises(UnknownEvent, match="ticket-of-a-newer-version"):
        decider.decode_event({"type": "ticket-of-a-newer-version"})


def test_evolving_leaves_the_state_before_it_as_it_was() -> None:
    before = given(ticket("ann"), BotStoodBy(account="h1")).state
    assert before is not None
    decider.evolve(before, match("ann", "h1"))
    assert "ann" in before.queue
    assert "h1" in before.standing_by
    assert not before.seated
