"""Presets in which the player asks for draws and passes, openings by house and by lot, and the time of `party`."""

import json

import pytest
from tests.table.tables import NOON, TABLE_ID, Table, act, dealt, events_of, given, kinds, opened, turn_started

from contracts.envelope import TimeOut
from contracts.table import LeaveTable, ReturnToSeat, SitDown
from domino_rules import Passed, RoundDealt, RoundEnded, table
from domino_rules.ruleset import Ruleset
from domino_rules.shuffle import Seeds, deal
from domino_rules.table import Finished, Pausing, Playing, view_for
from domino_rules.table.events import (
    AutopilotStarted,
    AutopilotStopped,
    PauseStarted,
    PlayerLeft,
    PlayerReturned,
    PlayerSeated,
    RoundCommitted,
    TurnStarted,
    TurnTimedOut,
)

PARTY = Ruleset.of("party", 3)
DRAWING = Ruleset.of("party", 2, drawing=True)
THREE = ("6-6 2-1 3-2", "5-4 4-4 3-1", "6-3 5-5 2-2")


def party(hands: tuple[str, ...] = THREE, ruleset: Ruleset = PARTY, boneyard: str = "") -> Table:
    """Ann must open with 6-6, at noon, in fifteen seconds."""
    return given(*dealt(hands, boneyard, ruleset=ruleset))


def legal(played: Table, seat: int) -> list[str]:
    assert played.state is not None
    texts: list[str] = view_for(played.state, seat)["legal"]
    return texts


# ---- draws and passes


def test_a_seat_that_cannot_play_is_asked_for_its_draw() -> None:
    played = party(("6-6 2-1", "4-4 3-1"), DRAWING, "2-2 6-5 1-1").after(act("6-6", 1), by="ann", at=NOON)
    assert legal(played, 2) == ["draw"]
    played.when(act("pass", 2), by="bob", at=NOON).refused("must-draw")
    then = played.when(act("draw", 2), by="bob", at=NOON + 900)
    assert kinds(then) == ["tiles-drawn"]
    assert events_of(then)[0].to_json()["tiles"] == "2-2 6-5"


def test_the_turn_goes_on_after_a_draw_with_the_same_number_and_deadline() -> None:
    played = party(("6-6 2-1", "4-4 3-1"), DRAWING, "2-2 6-5 1-1").after(act("6-6", 1), by="ann", at=NOON)
    assert isinstance(played.state, Playing)
    turn = played.state.turn
    drawn = played.after(act("draw", 2), by="bob", at=NOON + 900)
    assert isinstance(drawn.state, Playing)
    assert drawn.state.turn == turn
    assert legal(drawn, 2) == ["6-5@left", "6-5@right"]
    drawn.when(act("draw", 2), by="bob", at=NOON + 950).refused("must-play")
    assert kinds(drawn.when(act("6-5@left", 2), by="bob", at=NOON + 1_000)) == ["tile-played", "turn-started"]


def test_everybody_sees_who_drew_how_many_at_which_ends_and_nobody_else_sees_the_tiles() -> None:
    played = party(("6-6 2-1", "4-4 3-1"), DRAWING, "2-2 6-5 1-1").after(act("6-6", 1), by="ann", at=NOON)
    state = played.after(act("draw", 2), by="bob", at=NOON + 900).state
    assert state is not None
    for seat in (None, 1, 2):
        view = view_for(state, seat)
        assert view["draws"] == [{"seat": 2, "count": 2, "ends": [6, 6], "plays": 1}]
        assert ("6-5" in json.dumps(view)) == (seat == 2)


def test_a_boneyard_without_a_fitting_tile_is_drawn_whole_and_then_one_passes() -> None:
    played = party(("6-6 2-1", "4-4 3-1"), DRAWING, "2-2 1-1").after(act("6-6", 1), by="ann", at=NOON)
    drawn = played.after(act("draw", 2), by="bob", at=NOON + 900)
    assert legal(drawn, 2) == ["pass"]
    drawn.when(act("draw", 2), by="bob", at=NOON + 950).refused("cannot-draw")
    drawn.when(act("pass", 2), by="bob", at=NOON + 950).then(Passed(2), turn_started(3, 1, DRAWING, NOON + 950))


def test_without_drawing_one_passes_and_the_next_seat_has_a_turn_of_its_own() -> None:
    played = party().after(act("6-6", 1), by="ann", at=NOON)
    assert legal(played, 2) == ["pass"]
    then = played.when(act("pass", 2), by="bob", at=NOON + 500)
    assert kinds(then) == ["passed", "turn-started"]
    assert events_of(then)[-1] == turn_started(3, 3, PARTY, NOON + 500)


def test_the_pass_that_shows_the_block_ends_the_round() -> None:
    played = party(("6-6 2-1", "4-4 3-1", "5-5 2-2")).after(act("6-6", 1), by="ann", at=NOON)
    played = played.after(act("pass", 2), by="bob", at=NOON).after(act("pass", 3), by="cid", at=NOON)
    then = played.when(act("pass", 4), by="ann", at=NOON)
    assert kinds(then) == ["passed", "round-ended", "seed-revealed", "round-committed", "pause-started"]


def test_an_opener_that_is_bound_can_neither_draw_nor_pass() -> None:
    party().when(act("draw", 1), by="ann", at=NOON).refused("must-open-with")
    party().when(act("pass", 1), by="ann", at=NOON).refused("must-open-with")


# ---- openings


def first_deal(ruleset: Ruleset) -> tuple[Table, RoundDealt, str]:
    waiting = given(*opened(ruleset=ruleset)).after(SitDown(client_seed="a"), by="ann", at=NOON)
    then = waiting.when(SitDown(client_seed="b"), by="bob", at=NOON)
    round_dealt = next(event for event in events_of(then) if isinstance(event, RoundDealt))
    return waiting.after(SitDown(client_seed="b"), by="bob", at=NOON), round_dealt, kinds(then)[-1]


def test_the_house_lays_the_highest_double_of_its_holder() -> None:
    played, dealt_, last = first_deal(Ruleset.of("duel-draw", 2))
    assert played.state is not None
    view = view_for(played.state, None)
    assert [play["seat"] for play in view["layout"]] == [dealt_.opener]
    assert view["to_move"] == 3 - dealt_.opener
    assert view["seats"][dealt_.opener - 1]["tiles"] == 6
    assert last == "turn-started"


def test_the_house_opens_every_round_of_duel_draw() -> None:
    ruleset = Ruleset.of("duel-draw", 2, target=500)
    played = given(
        *dealt(("6-6", "6-5 4-4"), ruleset=ruleset)[:-1],
        RoundEnded("out", (0, 19), 1, 19, (19, 0), None, True),
        RoundCommitted(2, "", "00" * 32),
        PauseStarted(1, NOON, NOON + 8_000),
    )
    then = played.when_due()
    assert kinds(then) == ["round-dealt", "tile-played", "turn-started"]
    assert events_of(then)[1].to_json()["by"] == "house"


def test_a_lot_from_the_rounds_own_stream_chooses_who_opens_all_fives() -> None:
    played, dealt_, _ = first_deal(Ruleset.of("all-fives", 2))
    assert played.state is not None
    seed = played.state.table.committed
    assert seed is not None
    assert dealt_.opener == deal(Seeds(bytes.fromhex(seed.server_seed), TABLE_ID, 1, ("a", "b")), 7).lot
    assert dealt_.forced_tile is None
    assert len(legal(played, dealt_.opener)) == 7


def test_the_winner_opens_the_next_round_with_any_tile() -> None:
    played = party(("6-6", "6-5 4-4", "5-5")).after(act("6-6", 1), by="ann", at=NOON)
    assert isinstance(played.state, Pausing)
    deal_ = events_of(played.when_due())[0]
    assert isinstance(deal_, RoundDealt)
    assert (deal_.opener, deal_.forced_tile) == (1, None)


def test_after_a_tied_block_the_next_seat_of_a_party_opens() -> None:
    played = party(("6-6 2-1", "3-0", "5-5 2-2")).after(act("6-6", 1), by="ann", at=NOON)
    for turn, account in ((2, "bob"), (3, "cid"), (4, "ann")):
        played = played.after(act("pass", turn), by=account, at=NOON)
    deal_ = events_of(played.when_due())[0]
    assert isinstance(deal_, RoundDealt)
    assert (deal_.opener, deal_.forced_tile) == (2, None)


# ---- the time of a party


@pytest.mark.parametrize("turn_ms", [15_000, 30_000, 60_000])
def test_a_turn_lasts_as_long_as_was_chosen(turn_ms: int) -> None:
    state = party(ruleset=Ruleset.of("party", 3, turn_ms=turn_ms)).state
    assert state is not None
    assert table.deadline(state) == ("turn", "turn-1", NOON, NOON + turn_ms)


def test_the_server_acts_for_one_turn_and_no_autopilot_stays_on() -> None:
    timed_out, played, started = events_of(party().when_due())
    assert timed_out == TurnTimedOut(1, 1)
    assert played.tag == "tile-played"
    assert started == turn_started(2, 2, PARTY, NOON + 15_001)


def test_who_timed_out_has_a_whole_turn_the_next_time() -> None:
    on = party().after(TimeOut(kind="turn", ref="turn-1"), by="timer", at=NOON + 15_001)
    on = on.after(act("pass", 2), by="bob", at=NOON + 16_000).after(act("6-3@left", 3), by="cid", at=NOON + 17_000)
    assert on.state is not None
    assert table.deadline(on.state) == ("turn", "turn-4", NOON + 17_000, NOON + 32_000)
    assert not any(seat["autopilot"] for seat in view_for(on.state, None)["seats"])


def test_a_play_after_the_deadline_is_too_late_in_the_outcome_of_the_timeout() -> None:
    then = party().when(act("6-6", 1), by="ann", at=NOON + 15_001)
    assert then.decision.refusal is not None
    assert then.decision.refusal.code == "too-late"
    assert [event.tag for event in then.decision.events] == ["turn-timed-out", "tile-played", "turn-started"]


def test_the_server_draws_as_needed_when_time_is_up() -> None:
    played = party(("6-6 2-1", "4-4 3-1"), DRAWING, "2-2 6-5 1-1").after(act("6-6", 1), by="ann", at=NOON)
    assert kinds(played.when_due()) == ["turn-timed-out", "tiles-drawn", "tile-played", "turn-started"]
    drawn = played.after(act("draw", 2), by="bob", at=NOON + 14_000)
    assert kinds(drawn.when_due()) == ["turn-timed-out", "tile-played", "turn-started"]


def test_a_seat_that_was_left_is_played_on_by_the_autopilot_until_its_person_returns() -> None:
    party().when(LeaveTable(), by="ann", at=NOON + 100).then(
        PlayerLeft(1), AutopilotStarted(1, "left"), TurnStarted(1, 1, "autopilot", NOON + 100, NOON + 2_100)
    )
    left = party().after(LeaveTable(), by="ann", at=NOON + 100)
    assert kinds(left.when_due()) == ["tile-played", "turn-started"]
    left.when(ReturnToSeat(), by="ann", at=NOON + 200).then(
        PlayerReturned(1), AutopilotStopped(1), turn_started(1, 1, PARTY, NOON + 200)
    )


# ---- pairs, and a draw that brings its person back


def test_pairs_score_for_their_side_and_win_together() -> None:
    hands = ("6-6", "6-5 4-4", "3-3", "5-5")
    pairs = Ruleset.of("party", 4, pairs=True, target=20)
    then = party(hands, pairs).when(act("6-6", 1), by="ann", at=NOON)
    ended = [event.to_json() for event in events_of(then) if event.tag == "match-ended"]
    assert ended == [{"type": "match-ended", "reason": "target", "winner": [1, 3], "scores": [29, 0]}]
    assert isinstance(party(hands, pairs).after(act("6-6", 1), by="ann", at=NOON).state, Finished)


def test_a_draw_while_the_autopilot_plays_the_seat_gives_the_turn_back_to_its_person() -> None:
    ruleset = Ruleset.of("draw", 2, forced="manual")
    away = given(
        *dealt(("6-6 2-1", "4-4 3-1"), "2-2 6-5 1-1", ruleset=ruleset),
        AutopilotStarted(2, "timeout"),
    ).after(act("6-6", 1), by="ann", at=NOON)
    then = away.when(act("draw", 2), by="bob", at=NOON + 500)
    stopped, fresh, drawn = events_of(then)
    assert stopped == AutopilotStopped(2)
    assert fresh == turn_started(2, 2, ruleset, NOON + 500)
    assert drawn.tag == "tiles-drawn"


def test_a_seat_that_nobody_took_is_played_by_the_server_turn_by_turn() -> None:
    waiting = given(*opened("ann", "bob", ruleset=Ruleset.of("party", 2)), PlayerSeated(1, ""))
    started = waiting.after(TimeOut(kind="start", ref="start"), by="timer", at=NOON + 10_001)
    for _ in range(6):
        assert started.state is not None
        due = table.deadline(started.state)
        assert due is not None
        assert due.kind in ("turn", "pause")
        started = started.after(TimeOut(kind=due.kind, ref=due.ref), by="timer", at=due.due_at + 1)
