"""The matches of a private room: starts with and without house bots, pauses, ends."""

from typing import Any

import pytest
from tests.lobby.rooms import (
    DUEL,
    NOON,
    PARTY,
    away,
    decider,
    entered,
    full,
    given,
    host,
    last,
    left,
    opened,
    playing,
    seats,
    started,
)
from ulid import ULID

from contracts.room import (
    ArrangeSeats,
    BotsMissing,
    BotsWanted,
    BringBots,
    EndPause,
    EnterRoom,
    LeaveRoom,
    MatchStarted,
    NoteAwayFromRoom,
    OpenRoom,
    PauseEnded,
    RoomClosed,
    RoomReleased,
    RoomTableEnded,
    SeatsArranged,
    StartMatch,
)
from contracts.table import Reservation
from lobby.room.decide import EXPIRY_MS
from lobby.room.matches import BOTS_MS
from lobby.room.state import Closed, Gathering, Playing, Starting

BOT_SEATS = SeatsArranged(seats=seats("expert", "ann", "beginner"))
WANTED = BotsWanted(table_id="t1", region="eu", strengths=("expert", "beginner"), due_at=NOON + BOTS_MS)
BOTS = (
    Reservation(account="h1", bot=True, strength="expert"),
    Reservation(account="h2", bot=True, strength="beginner"),
)
MISSING = BotsMissing(table_id="t1", region="eu")
BACK = RoomReleased(table_id="t1", region="eu")
CALLED_OFF = RoomReleased(table_id="t1", region="eu", not_opened="called-off")


def starting() -> Any:
    return given(opened(), entered("bob"), BOT_SEATS, WANTED)


# ---- starting


def test_a_match_of_people_starts_at_once_in_the_order_of_the_seats() -> None:
    event = last(full().when(StartMatch(), by="ann", at=NOON))
    assert isinstance(event, MatchStarted)
    assert [(seat.account, seat.bot, seat.strength) for seat in event.seats] == [
        ("ann", False, None),
        ("bob", False, None),
        ("cid", False, None),
    ]
    assert event.ruleset == PARTY
    assert ULID.from_str(event.table_id.upper()).milliseconds == NOON


def test_a_program_that_sits_is_labelled_at_the_table() -> None:
    room = given(opened(ruleset=DUEL), entered("robot", 2, bot=True))
    event = last(room.when(StartMatch(), by="ann", at=NOON))
    assert isinstance(event, MatchStarted)
    assert event.seats[1] == Reservation(account="robot", bot=True)
    own = given().after(OpenRoom(region="eu", ruleset=DUEL, bot=True), by="robot", at=NOON)
    own.after(EnterRoom(), by="ann", at=NOON)
    event = last(own.when(StartMatch(), by="robot", at=NOON))
    assert isinstance(event, MatchStarted)
    assert event.seats == (Reservation(account="robot", bot=True), Reservation(account="ann"))


def test_a_start_says_what_is_missing() -> None:
    full().when(StartMatch(), by="bob", at=NOON).refused("not-host")
    full().when(StartMatch(), by="stranger", at=NOON).refused("not-in-room")
    playing().when(StartMatch(), by="ann", at=NOON).refused("match-running")
    starting().when(StartMatch(), by="ann", at=NOON).refused("match-running")
    free = given(opened(), entered("bob", 3)).when(StartMatch(), by="ann", at=NOON)
    free.refused("seats-free")
    assert free.decision.refusal is not None
    assert free.decision.refusal.got == "nobody on 2"
    absent = given(opened(), entered("bob", 2), entered("cid", 3), away("cid")).when(StartMatch(), by="ann", at=NOON)
    absent.refused("person-away")
    assert absent.decision.refusal is not None
    assert absent.decision.refusal.got == "cid away"
    bots = given(opened(), SeatsArranged(seats=seats("normal", "normal", "expert")))
    bots.when(StartMatch(), by="ann", at=NOON).refused("nobody-plays")


def test_somebody_away_without_a_seat_stops_no_start() -> None:
    room = given(opened(ruleset=DUEL), entered("bob", 2), entered("cid"), away("cid"))
    assert isinstance(last(room.when(StartMatch(), by="ann", at=NOON)), MatchStarted)


def test_a_host_without_a_seat_starts_as_well() -> None:
    room = full().after(EnterRoom(), by="dot", at=NOON)
    room = room.after(ArrangeSeats(seats=seats("bob", "cid", "dot")), by="ann", at=NOON)
    assert isinstance(last(room.when(StartMatch(), by="ann", at=NOON)), MatchStarted)


# ---- house bots


def test_seats_for_bots_are_asked_for_in_their_order() -> None:
    room = given(opened(), BOT_SEATS)
    event = last(room.when(StartMatch(), by="ann", at=NOON))
    assert isinstance(event, BotsWanted)
    assert event == WANTED.model_copy(update={"table_id": event.table_id})
    assert ULID.from_str(event.table_id.upper()).milliseconds == NOON


def test_bots_that_come_sit_where_they_are_wanted_and_the_match_starts() -> None:
    event = last(starting().when(BringBots(table_id="t1", bots=BOTS), by="lobby", at=NOON + 5))
    sitting = (BOTS[0], Reservation(account="ann"), BOTS[1])
    assert event == MatchStarted(table_id="t1", ruleset=PARTY, seats=sitting)


def test_the_match_does_not_start_when_too_few_bots_stand_by() -> None:
    room = starting()
    room.when(BringBots(table_id="t1", bots=()), by="lobby", at=NOON + 5).then(MISSING)
    room.when(BringBots(table_id="t1", bots=BOTS[:1]), by="lobby", at=NOON + 5).then(MISSING, CALLED_OFF)
    assert isinstance(room.after(BringBots(table_id="t1", bots=()), by="lobby", at=NOON + 5).state, Gathering)


def test_a_bot_that_sits_in_the_room_already_is_not_seated_twice() -> None:
    wanted = WANTED.model_copy(update={"strengths": ("expert",)})
    arranged = SeatsArranged(seats=seats("ann", "h1", "expert"))
    room = given(opened(), entered("h1", 2, bot=True), arranged, wanted)
    room.when(BringBots(table_id="t1", bots=BOTS[:1]), by="lobby", at=NOON + 5).then(MISSING, CALLED_OFF)


def test_when_nobody_answers_the_match_does_not_start_and_bots_that_come_later_go_back() -> None:
    room = starting()
    room.when_due().then(MISSING)
    late = given(opened(), entered("bob"), BOT_SEATS, WANTED, MISSING)
    late.when(BringBots(table_id="t1", bots=BOTS), by="lobby", at=NOON + 20_000).then(CALLED_OFF)
    late.when(BringBots(table_id="t1", bots=()), by="lobby", at=NOON + 20_000).nothing()
    room.when(BringBots(table_id="t1", bots=BOTS), by="lobby", at=NOON + BOTS_MS + 1).then(MISSING, CALLED_OFF)


def test_late_bots_of_another_start_do_not_end_the_running_match() -> None:
    room = given(opened(), entered("bob", 2), entered("cid", 3), started("ann", "bob", "cid", table="t2"))
    room.when(BringBots(table_id="t1", bots=BOTS), by="lobby", at=NOON + 5).then(CALLED_OFF)
    after = room.after(BringBots(table_id="t1", bots=BOTS), by="lobby", at=NOON + 5)
    assert isinstance(after.state, Playing)


def test_bots_that_are_brought_twice_change_nothing() -> None:
    room = starting().after(BringBots(table_id="t1", bots=BOTS), by="lobby", at=NOON + 5)
    room.when(BringBots(table_id="t1", bots=BOTS), by="lobby", at=NOON + 6).nothing()


def test_nobody_but_the_lobby_brings_bots_or_ends_tables() -> None:
    starting().when(BringBots(table_id="t1", bots=BOTS), by="ann", at=NOON).refused("not-allowed")
    playing().when(RoomTableEnded(table_id="t1"), by="ann", at=NOON).refused("not-allowed")


def test_who_leaves_a_seat_while_bots_are_on_their_way_stops_the_start() -> None:
    room = given(opened(), entered("bob"), SeatsArranged(seats=seats("bob", "expert", "beginner")), WANTED)
    room.when(LeaveRoom(), by="bob", at=NOON).then(left("bob"), MISSING)
    starting().when(LeaveRoom(), by="bob", at=NOON).then(left("bob"))
    starting().when(LeaveRoom(), by="ann", at=NOON).then(left("ann"), MISSING, host("bob", "left"))


def test_bots_that_come_to_a_closed_room_go_back() -> None:
    alone = given(opened(), BOT_SEATS, WANTED)
    alone.when(LeaveRoom(), by="ann", at=NOON).then(left("ann"), MISSING, RoomClosed(at=NOON))
    alone.after(LeaveRoom(), by="ann", at=NOON)
    alone.when(BringBots(table_id="t1", bots=BOTS), by="lobby", at=NOON + 5).then(CALLED_OFF)


def test_bots_on_their_way_to_a_room_that_expires_are_not_wanted_any_more() -> None:
    soon = opened(at=NOON - EXPIRY_MS + 5)
    room = given(soon, BOT_SEATS, WANTED)
    room.when_due().then(MISSING, RoomClosed(at=NOON + 6))


# ---- while it runs


def test_leaving_the_room_is_not_leaving_the_table() -> None:
    room = playing().after(LeaveRoom(), by="cid", at=NOON)
    assert isinstance(room.state, Playing)
    room.when(RoomTableEnded(table_id="t1"), by="lobby", at=NOON).then(RoomReleased(table_id="t1"))


def test_the_host_ends_the_pause_of_a_party() -> None:
    playing().when(EndPause(round=2), by="ann", at=NOON).then(PauseEnded(table_id="t1", round=2))
    playing().when(EndPause(round=2), by="bob", at=NOON).refused("not-host")
    full().when(EndPause(round=2), by="ann", at=NOON).refused("no-match")
    starting().when(EndPause(round=2), by="ann", at=NOON).refused("no-match")
    duel = given(opened(ruleset=DUEL), entered("bob", 2), started("ann", "bob", ruleset=DUEL))
    duel.when(EndPause(round=2), by="ann", at=NOON).refused("everybody-decides")


def test_who_stands_in_ends_the_pause_too() -> None:
    room = given(opened(), entered("bob", 2), started("ann", "bob", "cid"), away("ann"), host("bob", "away"))
    room.when(EndPause(round=1), by="bob", at=NOON).then(PauseEnded(table_id="t1", round=1))


# ---- its end


def test_after_its_end_the_next_match_can_start() -> None:
    over = playing().after(RoomTableEnded(table_id="t1"), by="lobby", at=NOON)
    over.when(RoomTableEnded(table_id="t1"), by="lobby", at=NOON).nothing()
    assert isinstance(last(over.when(StartMatch(), by="ann", at=NOON)), MatchStarted)


def test_after_a_match_that_never_began_the_next_one_can_start() -> None:
    never = RoomTableEnded(table_id="t1", not_opened="stale-id")
    room = playing()
    room.when(never, by="lobby", at=NOON).then(RoomReleased(table_id="t1", not_opened="stale-id"))
    room.after(never, by="lobby", at=NOON).when(never, by="lobby", at=NOON).nothing()
    assert isinstance(last(room.when(StartMatch(), by="ann", at=NOON)), MatchStarted)
    with_bots = starting().after(BringBots(table_id="t1", bots=BOTS), by="lobby", at=NOON)
    with_bots.when(never, by="lobby", at=NOON).then(RoomReleased(table_id="t1", region="eu", not_opened="stale-id"))


def test_the_end_of_another_table_is_none_of_the_rooms() -> None:
    playing().when(RoomTableEnded(table_id="t0"), by="lobby", at=NOON).nothing()
    full().when(RoomTableEnded(table_id="t1"), by="lobby", at=NOON).nothing()
    given().when(RoomTableEnded(table_id="t1"), by="lobby", at=NOON).refused("unknown-room")


def test_the_bots_of_a_match_go_back_to_their_region_even_when_the_room_is_closed() -> None:
    match = starting().after(BringBots(table_id="t1", bots=BOTS), by="lobby", at=NOON)
    match.when(RoomTableEnded(table_id="t1"), by="lobby", at=NOON).then(BACK)
    match = match.after(LeaveRoom(), by="bob", at=NOON).after(LeaveRoom(), by="ann", at=NOON)
    assert match.state == Closed("eu", NOON, "t1", lent=True)
    assert not decider.rests(match.state)
    match.when(RoomTableEnded(table_id="t1"), by="lobby", at=NOON).then(BACK)
    over = match.after(RoomTableEnded(table_id="t1"), by="lobby", at=NOON)
    assert over.state == Closed("eu", NOON)
    over.when(RoomTableEnded(table_id="t1"), by="lobby", at=NOON).nothing()


def test_a_room_of_which_all_are_away_goes_on() -> None:
    room = playing()
    for account in ("bob", "cid", "ann"):
        room = room.after(NoteAwayFromRoom(), by=account, at=NOON)
    room.when(RoomTableEnded(table_id="t1"), by="lobby", at=NOON).then(RoomReleased(table_id="t1"))


@pytest.mark.parametrize("at", [NOON, NOON + BOTS_MS])
def test_up_to_the_last_moment_bots_are_in_time(at: int) -> None:
    then = starting().when(BringBots(table_id="t1", bots=BOTS), by="lobby", at=at)
    assert isinstance(last(then), MatchStarted)


def test_a_closed_room_whose_events_come_late_stays_closed() -> None:
    room = given(opened(), left("ann"), RoomClosed(at=NOON), entered("bob", 1))
    assert room.state == Closed("eu", NOON)
    assert isinstance(starting().state, Starting)
