"""A private room's opening, its people, its seats and its end."""

import json
from typing import Any

import pytest
from tests.given import Given
from tests.lobby.rooms import (
    DAY_MS,
    DUEL,
    HOUR_MS,
    NOON,
    PARTY,
    ROOM,
    away,
    decider,
    entered,
    full,
    given,
    inside,
    left,
    opened,
    playing,
    seats,
)

from contracts.envelope import TimeOut
from contracts.message import Message
from contracts.region import JoinQueue, Pool
from contracts.room import (
    ChooseRuleset,
    EnterRoom,
    ExpiryPutOff,
    LeaveRoom,
    NoteAwayFromRoom,
    NoteBackInRoom,
    OpenRoom,
    PersonBack,
    RemovePerson,
    RoomClosed,
    SeatsArranged,
    StartMatch,
)
from domino_rules.ruleset import PRESETS
from lobby.room.decide import CODE_KEPT_MS, EXPIRY_MS
from lobby.room.state import Closed

OPEN = OpenRoom(region="eu", ruleset=PARTY)

# ---- opening


def test_whoever_opens_a_room_is_its_host_and_has_its_first_seat() -> None:
    given().when(OPEN, by="ann", at=NOON).then(opened())
    room = inside(given(opened()))
    assert (room.host, room.owner) == ("ann", "ann")
    assert room.seats == seats("ann", None, None)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_room_has_any_preset(preset: str) -> None:
    given().when(OpenRoom(region="eu", ruleset={"preset": preset}), by="ann", at=NOON).then(
        opened(ruleset={"preset": preset, "seats": 2})
    )


def test_a_room_has_options_that_public_play_does_not_take() -> None:
    ruleset = {"preset": "draw", "seats": 4, "pairs": True, "target": 77, "turn_ms": 5_000, "blocked": "opponents"}
    given().when(OpenRoom(region="eu", ruleset=ruleset), by="ann", at=NOON).then(opened(ruleset=ruleset))


@pytest.mark.parametrize(
    "ruleset",
    [
        {},
        {"preset": "chess"},
        {"preset": ["draw"]},
        {"preset": "draw", "seats": 5},
        {"preset": "duel-draw", "seats": 3},
        {"preset": "draw", "seats": 3, "pairs": True},
        {"preset": "draw", "target": 0},
        {"preset": "draw", "target": 10_001},
        {"preset": "draw", "turn_ms": None},
        {"preset": "draw", "turn_ms": HOUR_MS + 1},
        {"preset": "draw", "turn_ms": 999},
        {"preset": "all-fives", "clock_ms": 9_999},
        {"preset": "draw", "pause_ms": 2**63},
        {"preset": "duel-draw", "clock_ms": 11 * HOUR_MS},
        {"preset": "all-fives", "round_cap": 1_001},
        {"preset": "draw", "x" * 1_000: "y" * 10_000},
    ],
)
def test_a_ruleset_that_no_table_can_have_is_refused_in_a_short_sentence(ruleset: dict[str, Any]) -> None:
    then = given().when(OpenRoom(region="eu", ruleset=ruleset), by="ann", at=NOON)
    then.refused("bad-ruleset")
    assert then.decision.refusal is not None
    assert len(then.decision.refusal.message) < 400


def test_a_code_is_taken_while_its_room_is_open() -> None:
    given(opened()).when(OPEN, by="bob", at=NOON).refused("code-taken")
    given(opened()).when(OPEN, by="ann", at=NOON).refused("code-taken")


def test_a_code_is_free_again_thirty_days_after_its_room_was_closed() -> None:
    closed = given(opened(), left("ann"), RoomClosed(at=NOON))
    closed.when(OPEN, by="bob", at=NOON + CODE_KEPT_MS).refused("code-taken")
    gone = closed.when_due()
    assert (gone.decision.retires, gone.decision.state) == (True, None)
    late = closed.when(OPEN, by="bob", at=NOON + CODE_KEPT_MS + 1)
    late.refused("code-taken")
    assert late.decision.retires, "who finds it retired asks once more"


@pytest.mark.parametrize("name", ["room-abc23", "room-abc2345", "room-abc10o", "room-", "room-ABC234", "room-abc23\n"])
def test_a_code_of_other_letters_opens_nothing(name: str) -> None:
    Given(decider, name, ()).when(OPEN, by="ann", at=NOON).refused("bad-code")


def test_a_rooms_bots_come_from_a_region() -> None:
    given().when(OpenRoom(region="room-xyz234", ruleset=PARTY), by="ann", at=NOON).refused("bad-region")


def test_a_room_that_was_never_opened_is_unknown() -> None:
    for command in (EnterRoom(), StartMatch(), NoteBackInRoom()):
        given().when(command, by="ann", at=NOON).refused("unknown-room")


# ---- two kinds of aggregates


@pytest.mark.parametrize(
    ("name", "command"), [("eu", OPEN), ("eu", EnterRoom()), (ROOM, JoinQueue(pool=Pool(**DUEL, target=100)))]
)
def test_a_command_for_the_other_kind_of_aggregate_is_refused(name: str, command: Message) -> None:
    then = Given(decider, name, ()).when(command, by="ann", at=NOON)
    then.refused("wrong-aggregate")
    assert then.decision.refusal is not None
    assert {then.decision.refusal.expected, then.decision.refusal.got} == {"a region", "a private room"}


def test_a_timeout_is_for_both_kinds() -> None:
    given(opened()).when(TimeOut(kind="expiry", ref="expiry-1"), by="timer", at=NOON).refused("not-current")


# ---- coming and going


def test_who_comes_gets_the_first_free_seat() -> None:
    given(opened()).when(EnterRoom(), by="bob", at=NOON).then(entered("bob", 2))
    arranged = given(opened(), SeatsArranged(seats=seats(None, "normal", "ann")))
    arranged.when(EnterRoom(bot=True), by="robot", at=NOON).then(entered("robot", 1, bot=True))


def test_who_comes_when_all_seats_are_taken_or_a_match_runs_stands() -> None:
    full().when(EnterRoom(), by="dot", at=NOON).then(entered("dot"))
    playing().after(LeaveRoom(), by="cid", at=NOON).when(EnterRoom(), by="dot", at=NOON).then(entered("dot"))


def test_coming_twice_changes_nothing_unless_a_seat_has_become_free() -> None:
    full().when(EnterRoom(), by="bob", at=NOON).nothing()
    waiting = full().after(EnterRoom(), by="dot", at=NOON)
    waiting.when(EnterRoom(), by="dot", at=NOON).nothing()
    free = waiting.after(LeaveRoom(), by="bob", at=NOON)
    free.when(EnterRoom(), by="dot", at=NOON).then(SeatsArranged(seats=seats("ann", "dot", "cid")))


def test_whoever_was_away_is_back_by_coming() -> None:
    full().after(NoteAwayFromRoom(), by="bob", at=NOON).when(EnterRoom(), by="bob", at=NOON).then(
        PersonBack(account="bob")
    )


def test_a_room_has_sixteen_people() -> None:
    many = given(opened(), *(entered(f"p{number}") for number in range(15)))
    many.when(EnterRoom(), by="late", at=NOON).refused("room-full")
    many.when(EnterRoom(), by="p3", at=NOON).then(SeatsArranged(seats=seats("ann", "p3", None)))
    many.after(LeaveRoom(), by="p1", at=NOON).when(EnterRoom(), by="late", at=NOON).then(entered("late", 2))


def test_leaving_frees_the_seat_and_leaving_again_is_done_already() -> None:
    full().when(LeaveRoom(), by="bob", at=NOON).then(left("bob"))
    gone = full().after(LeaveRoom(), by="bob", at=NOON)
    assert inside(gone).seats == seats("ann", None, "cid")
    gone.when(LeaveRoom(), by="bob", at=NOON).nothing()
    gone.when(LeaveRoom(), by="bob", at=NOON + 2 * HOUR_MS, human=True).nothing()
    given().when(LeaveRoom(), by="bob", at=NOON).nothing()


def test_the_last_ones_leaving_closes_the_room() -> None:
    alone = given(opened())
    alone.when(LeaveRoom(), by="ann", at=NOON + 5).then(left("ann"), RoomClosed(at=NOON + 5))
    closed = alone.after(LeaveRoom(), by="ann", at=NOON + 5)
    assert closed.state == Closed("eu", NOON + 5)
    for command in (EnterRoom(), ChooseRuleset(ruleset=DUEL), NoteBackInRoom()):
        closed.when(command, by="ann", at=NOON + 6).refused("room-closed")
    closed.when(LeaveRoom(), by="ann", at=NOON + 6).nothing()
    assert decider.rests(closed.state)


def test_being_away_is_noted_once_and_ends_with_coming_back() -> None:
    full().when(NoteAwayFromRoom(), by="bob", at=NOON).then(away("bob"))
    gone = full().after(NoteAwayFromRoom(), by="bob", at=NOON)
    gone.when(NoteAwayFromRoom(), by="bob", at=NOON + 1).nothing()
    gone.when(NoteBackInRoom(), by="bob", at=NOON + 1).then(PersonBack(account="bob"))
    full().when(NoteBackInRoom(), by="bob", at=NOON).nothing()
    full().when(NoteAwayFromRoom(), by="stranger", at=NOON).refused("not-in-room")
    full().when(NoteBackInRoom(), by="stranger", at=NOON).refused("not-in-room")


# ---- the end


def test_a_room_is_closed_when_no_person_has_done_anything_for_a_day() -> None:
    room = given(opened())
    room.when(NoteBackInRoom(), by="ann", at=NOON + DAY_MS).nothing()
    due = room.when_due()
    due.then(RoomClosed(at=NOON + EXPIRY_MS + 1))
    room.when(EnterRoom(), by="bob", at=NOON + EXPIRY_MS + 1).refused(
        "room-closed", RoomClosed(at=NOON + EXPIRY_MS + 1)
    )


def test_what_a_person_does_puts_the_end_off_once_an_hour_at_most() -> None:
    room = given(opened())
    later = NOON + HOUR_MS
    room.when(EnterRoom(), by="bob", at=later - 1, human=True).then(entered("bob", 2))
    room.when(EnterRoom(), by="bob", at=later).then(entered("bob", 2))
    put_off = ExpiryPutOff(expires_at=later + EXPIRY_MS)
    room.when(EnterRoom(), by="bob", at=later, human=True).then(entered("bob", 2), put_off)
    room.when(EnterRoom(), by="ann", at=later, human=True).then(put_off)
    room.when(EnterRoom(), by="bob", at=later + 5, decided_at=later + 9_000, human=True).then(
        entered("bob", 2), ExpiryPutOff(expires_at=later + 9_000 + EXPIRY_MS)
    )


def test_a_refused_command_puts_nothing_off() -> None:
    then = given(opened()).when(RemovePerson(account="bob"), by="ann", at=NOON + HOUR_MS, human=True)
    then.refused("not-in-room")


# ---- what the runtime asks


def test_answers_are_kept_for_whoever_is_in_the_room() -> None:
    state = full().state
    assert state is not None
    assert all(decider.remembers(state, who) for who in ("ann", "cid", "lobby", "timer"))
    assert not decider.remembers(state, "stranger")
    assert not decider.rests(state)


@pytest.mark.parametrize("room", [full(), playing(), given(opened(), left("ann"), RoomClosed(at=NOON))])
def test_a_snapshot_says_of_which_kind_and_status_it_is(room: Any) -> None:
    body = json.loads(json.dumps(decider.state_to_json(room.state)))
    assert body["kind"] == "room"
    assert decider.state_from_json(body) == room.state
    with pytest.raises(ValueError, match="status"):
        decider.state_from_json({"kind": "room", "state": {**body["state"], "status": "dreaming"}})
    with pytest.raises(ValueError, match="kind"):
        decider.state_from_json({**body, "kind": "house"})
