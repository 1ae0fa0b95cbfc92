"""Resigning: whoever gives a match of two up has lost it at once; with more seats it is leaving."""

import pytest
from tests.table.tables import NOON, SEED, Table, dealt, events_of, given, kinds, opened, pausing

from contracts.envelope import TimeOut
from contracts.table import LeaveTable, Resign
from domino_rules import MatchEnded, table
from domino_rules.ruleset import PRESETS, Ruleset
from domino_rules.table import Finished, TableEvent
from domino_rules.table.events import AutopilotStarted, ClockStopped, PlayerLeft, SeedRevealed
from domino_rules.verification import verify_match


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(("by", "winner"), [("ann", 2), ("bob", 1)])
def test_a_match_of_two_ends_at_once_for_the_opponent(preset: str, by: str, winner: int) -> None:
    ruleset = Ruleset.of(preset, 2)
    then = given(*dealt(ruleset=ruleset)).when(Resign(), by=by, at=NOON + 4_000)
    charged: list[TableEvent] = [ClockStopped(1, 1, 596_000)] if ruleset.clock_ms is not None else []
    then.then(*charged, MatchEnded("resigned", (winner,), (0, 0)), SeedRevealed(1, SEED.hex()))


def test_the_score_stays_as_it_is_and_nothing_runs_any_more() -> None:
    over = pausing().after(Resign(), by="ann", at=NOON + 1)
    assert isinstance(over.state, Finished)
    assert over.state.match.match_ended == MatchEnded("resigned", (2,), (19, 0))
    assert table.deadline(over.state) is None
    over.when(Resign(), by="bob", at=NOON + 2).refused("table-over")


def test_in_a_pause_the_seed_of_the_round_that_is_never_dealt_stays_secret() -> None:
    pausing().when(Resign(), by="bob", at=NOON + 1).then(MatchEnded("resigned", (1,), (19, 0)))


def away(command: TimeOut | LeaveTable, by: str) -> Table:
    return given(*dealt()).after(command, by=by, at=NOON + 20_001 if by == "timer" else NOON)


@pytest.mark.parametrize("gone", [away(LeaveTable(), "ann"), away(TimeOut(kind="turn", ref="turn-1"), "timer")])
def test_who_left_or_is_on_autopilot_can_resign(gone: Table) -> None:
    events = events_of(gone.when(Resign(), by="ann", at=NOON + 20_002))
    assert events[-2:] == [MatchEnded("resigned", (2,), (0, 0)), SeedRevealed(1, SEED.hex())]


def test_a_resignation_after_the_deadline_finds_what_the_timeout_left() -> None:
    then = given(*dealt()).when(Resign(), by="ann", at=NOON + 20_001)
    assert kinds(then) == [
        "turn-timed-out",
        "autopilot-started",
        "tile-played",
        "turn-started",
        "match-ended",
        "seed-revealed",
    ]


def test_with_more_seats_it_is_leaving() -> None:
    three = given(*dealt(("6-6", "6-5 4-4", "3-3")))
    three.when(Resign(), by="bob", at=NOON).then(PlayerLeft(2), AutopilotStarted(2, "left"))
    three.after(Resign(), by="bob", at=NOON).when(Resign(), by="bob", at=NOON + 1).nothing()
    waiting = given(*opened("ann", "bob", "cid", ruleset=Ruleset.of("draw", 3)))
    waiting.when(Resign(), by="bob", at=NOON).then(PlayerLeft(2), AutopilotStarted(2, "left"))


def test_before_the_first_deal_there_is_nothing_to_give_up() -> None:
    given(*opened()).when(Resign(), by="ann", at=NOON).refused("not-started")
    given(*opened()).when(Resign(), by="eve", at=NOON).refused("not-seated")
    given().when(Resign(), by="ann", at=NOON).refused("unknown-table")


@pytest.mark.parametrize("kind", ["turn", "pause"])
def test_the_log_of_a_match_that_was_given_up_is_right(kind: str) -> None:
    alone, log = given(*opened()), [*opened()]
    while due_kind(alone) != kind:
        then = alone.when_due()
        log += then.decision.events
        alone.state = then.decision.state
    log += events_of(alone.when(Resign(), by="bob", at=NOON + 1))
    assert log[-1 if kind == "pause" else -2].tag == "match-ended"
    assert verify_match([event.to_json() for event in log]) is None


def due_kind(played: Table) -> str:
    assert played.state is not None
    due = table.deadline(played.state)
    assert due is not None
    return due.kind
