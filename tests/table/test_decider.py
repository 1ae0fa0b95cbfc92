"""A table's life, command by command: who may do what when, and what follows from it."""

from typing import Any

import pytest
from tests.table.tables import NOON, TABLE_ID, dealt, decider, events_of, given, kinds, opened, pausing, play

from bus.decider import UnknownEvent
from contracts.envelope import TimeOut
from contracts.message import Message
from contracts.table import (
    DrawTiles,
    LeaveTable,
    NextRound,
    OpenTable,
    PassTurn,
    ReturnToSeat,
    SitDown,
)
from contracts.table import Reservation as Reserved
from domino_rules import RoundDealt, RoundEnded, TilePlayed, table
from domino_rules.events import MatchEnded
from domino_rules.ruleset import Ruleset
from domino_rules.shuffle import commitment
from domino_rules.table import Reservation
from domino_rules.table.events import (
    AutopilotStarted,
    PlayerSeated,
    RoundCommitted,
    SeedRevealed,
    TableOpened,
    TurnStarted,
    TurnTimedOut,
)

# ---- opening and sitting down


OPEN = OpenTable(ruleset={"preset": "draw"}, seats=(Reserved(account="ann"), Reserved(account="bob")), region="eu")


def test_opening_reserves_the_seats_and_publishes_the_commitment_of_round_1() -> None:
    first, second = events_of(given().when(OPEN, by="lobby", at=NOON))
    seats = (Reservation("ann"), Reservation("bob"))
    assert first == TableOpened(TABLE_ID, Ruleset.of("draw", 2), seats, "eu", NOON, NOON + 10_000)
    assert isinstance(second, RoundCommitted)
    assert second.commitment == commitment(bytes.fromhex(second.server_seed))


def test_a_house_bots_strength_is_seen_at_its_seat_by_everybody() -> None:
    seats = (Reserved(account="ann"), Reserved(account="house-1", bot=True, strength="expert"))
    state = given().after(OPEN.model_copy(update={"seats": seats}), by="lobby", at=NOON).state
    assert state is not None
    for seat in (None, 1, 2):
        assert [(at["bot"], at["strength"]) for at in table.view_for(state, seat)["seats"]] == [
            (False, None),
            (True, "expert"),
        ]
    assert table.from_json(table.to_json(state)) == state


def test_a_table_without_match_clocks_shows_none() -> None:
    state = given(*dealt()).state
    assert state is not None
    assert table.view_for(state, 1)["clocks"] is None


def test_a_table_is_opened_once() -> None:
    given(*opened()).when(OPEN, by="lobby", at=NOON).refused("table-exists")


@pytest.mark.parametrize(
    ("ruleset", "code"),
    [
        ({"preset": "whist"}, "bad-ruleset"),
        ({"preset": "draw", "target": 0}, "bad-ruleset"),
        ({"preset": "draw", "colour": "red"}, "bad-ruleset"),
        ({"preset": "draw", "turn_ms": None}, "bad-ruleset"),
        ({"preset": "party", "pairs": True}, "bad-ruleset"),
        ({"preset": "draw", "seats": 3}, "bad-seats"),
    ],
)
def test_an_impossible_table_is_refused(ruleset: dict[str, Any], code: str) -> None:
    given().when(OPEN.model_copy(update={"ruleset": ruleset}), by="lobby", at=NOON).refused(code)


def test_nobody_sits_twice() -> None:
    twice = (Reserved(account="ann"), Reserved(account="ann"))
    given().when(OPEN.model_copy(update={"seats": twice}), by="lobby", at=NOON).refused("bad-seats")


def test_sitting_down_gives_a_seed() -> None:
    given(*opened()).when(SitDown(client_seed="salt"), by="bob", at=NOON + 5).then(PlayerSeated(2, "salt"))


def test_the_first_round_is_dealt_when_all_have_sat() -> None:
    then = given(*opened(), PlayerSeated(2, "salt")).when(SitDown(client_seed="sugar"), by="ann", at=NOON + 5)
    seated, deal, turn = events_of(then)
    assert seated == PlayerSeated(1, "sugar")
    assert isinstance(deal, RoundDealt)
    assert (deal.round, deal.client_seeds, deal.forced_tile is not None) == (1, ("sugar", "salt"), True)
    assert turn == TurnStarted(1, deal.opener, "turn", NOON + 5, NOON + 20_005)


def test_who_has_not_sat_down_in_ten_seconds_plays_with_an_empty_seed() -> None:
    then = given(*opened(), PlayerSeated(2, "salt")).when_due()
    deal = events_of(then)[0]
    assert isinstance(deal, RoundDealt)
    assert deal.client_seeds == ("", "salt")
    assert kinds(then) == ["round-dealt", "turn-started"]


def test_a_command_after_the_start_was_due_finds_the_round_dealt() -> None:
    then = given(*opened()).when(SitDown(client_seed="late"), by="ann", at=NOON + 10_001)
    assert kinds(then) == ["round-dealt", "turn-started", "player-seated"]


def test_a_seed_may_be_replaced_until_the_deal_and_the_same_again_changes_nothing() -> None:
    seated = given(*opened(), PlayerSeated(1, "salt"))
    seated.when(SitDown(client_seed="salt"), by="ann", at=NOON).nothing()
    seated.when(SitDown(client_seed="sugar"), by="ann", at=NOON).then(PlayerSeated(1, "sugar"))


def test_before_the_deal_there_is_nothing_to_play() -> None:
    waiting = given(*opened())
    waiting.when(play("6-6", 1), by="ann", at=NOON).refused("not-started")
    waiting.when(NextRound(round=1), by="ann", at=NOON).refused("not-started")


def test_strangers_and_unknown_tables_are_told_so() -> None:
    for command in (SitDown(), LeaveTable(), ReturnToSeat(), DrawTiles(turn=1), NextRound(round=1)):
        given(*opened()).when(command, by="eve", at=NOON).refused("not-seated")
        given().when(command, by="ann", at=NOON).refused("unknown-table")


# ---- turns


def test_a_play_starts_the_next_turn() -> None:
    given(*dealt()).when(play("6-6", 1), by="ann", at=NOON + 700).then(
        TilePlayed(1, 27, "start", (6, 6), 12, 0, (0, 0)),
        TurnStarted(2, 2, "turn", NOON + 700, NOON + 20_700),
    )


def test_draws_and_passes_of_the_next_seat_are_in_the_same_decision() -> None:
    hands = ("6-6 3-2 5-4", "4-4 3-1")
    then = given(*dealt(hands, boneyard="2-2 1-1")).when(play("6-6", 1), by="ann", at=NOON)
    assert kinds(then) == [
        "tile-played",
        "tiles-drawn",
        "passed",
        "passed",
        "round-ended",
        "seed-revealed",
        "round-committed",
        "pause-started",
    ]


@pytest.mark.parametrize(
    ("command", "by", "code"),
    [
        (play("6-1", 1), "ann", "must-open-with"),
        (play("1-6", 1), "ann", "unknown-action"),
        (play("6-5", 1), "bob", "not-your-turn"),
        (play("6-6", 2), "ann", "wrong-turn"),
        (PassTurn(turn=1), "ann", "must-open-with"),
        (NextRound(round=1), "ann", "wrong-turn"),
        (SitDown(client_seed="x"), "eve", "not-seated"),
    ],
)
def test_what_does_not_go_in_the_first_turn_says_why(command: Message, by: str, code: str) -> None:
    given(*dealt()).when(command, by=by, at=NOON).refused(code)


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (play("6-6@left", 1), "stale-turn"),
        (play("6-1@left", 2), "tile-not-in-hand"),
        (play("6-5@up", 2), "end-not-open"),
        (play("4-4@left", 2), "does-not-fit"),
        (play("6-5", 2), "end-needed"),
        (DrawTiles(turn=2), "must-play"),
        (PassTurn(turn=2), "must-play"),
    ],
)
def test_what_does_not_go_in_the_second_turn_says_why(command: Message, code: str) -> None:
    after = given(*dealt()).after(play("6-6", 1), by="ann", at=NOON)
    after.when(command, by="bob", at=NOON).refused(code)


def test_a_play_at_the_deadline_is_in_time() -> None:
    then = given(*dealt()).when(play("6-6", 1), by="ann", at=NOON + 20_000)
    assert kinds(then) == ["tile-played", "turn-started"]


def test_the_timeout_lets_the_autopilot_play_and_stay_on() -> None:
    given(*dealt()).when_due().then(
        TurnTimedOut(1, 1),
        AutopilotStarted(1, "timeout"),
        TilePlayed(1, 27, "start", (6, 6), 12, 0, (0, 0)),
        TurnStarted(2, 2, "turn", NOON + 20_001, NOON + 40_001),
    )


def test_a_play_after_the_deadline_is_too_late_in_the_outcome_of_the_timeout() -> None:
    then = given(*dealt()).when(play("6-6", 1), by="ann", at=NOON + 20_001)
    assert then.decision.refusal is not None
    assert then.decision.refusal.code == "too-late"
    assert [event.tag for event in then.decision.events] == [
        "turn-timed-out",
        "autopilot-started",
        "tile-played",
        "turn-started",
    ]


def test_a_play_of_a_turn_that_the_timer_ended_is_too_late_and_an_older_one_is_stale() -> None:
    timed_out = given(*dealt()).after(TimeOut(kind="turn", ref="turn-1"), by="timer", at=NOON + 20_001)
    timed_out.when(play("6-6", 1), by="ann", at=NOON + 20_002).refused("too-late")
    later = timed_out.after(play("6-5@left", 2), by="bob", at=NOON + 20_003)
    later.when(play("6-5@left", 2), by="bob", at=NOON + 20_004).refused("stale-turn")


def test_the_other_seats_command_after_the_deadline_finds_its_own_turn() -> None:
    then = given(*dealt()).when(play("6-5@left", 2), by="bob", at=NOON + 20_001)
    assert kinds(then) == [
        "turn-timed-out",
        "autopilot-started",
        "tile-played",
        "turn-started",
        "tile-played",
        "turn-started",
    ]


def test_deadlines_count_from_the_decision_when_the_owner_was_late() -> None:
    then = given(*dealt()).when(play("6-6", 1), by="ann", at=NOON, decided_at=NOON + 5_000)
    assert events_of(then)[-1] == TurnStarted(2, 2, "turn", NOON + 5_000, NOON + 25_000)


# ---- what the runtime asks for


@pytest.mark.parametrize("seed", ["x" * 65, "a:b", "ä", "a\n"])
def test_a_bad_seed_does_not_decode(seed: str) -> None:
    with pytest.raises(ValueError, match="client_seed"):
        decider.decode_command({"type": "sit-down", "client_seed": seed})


def test_a_command_that_is_none_does_not_decode() -> None:
    with pytest.raises(ValueError, match="shout"):
        decider.decode_command({"type": "shout"})


def test_an_event_of_a_newer_version_has_an_error_of_its_own() -> None:
    with pytest.raises(UnknownEvent):
        decider.decode_event({"type": "table-painted"})


def test_the_state_is_hashed_where_a_round_or_a_match_ends() -> None:
    state = pausing().state
    assert state is not None
    ended = RoundEnded("out", (0, 19), 1, 19, (19, 0), 1, False)
    assert decider.state_hash(state, [ended]) == table.state_hash(state)
    assert decider.state_hash(state, [MatchEnded("target", (1,), (19, 0))]) == table.state_hash(state)
    assert decider.state_hash(state, [SeedRevealed(1, "")]) is None


def test_the_seated_are_remembered_and_strangers_are_not() -> None:
    state = given(*opened()).state
    assert state is not None
    assert decider.remembers(state, "ann")
    assert not decider.remembers(state, "eve")
