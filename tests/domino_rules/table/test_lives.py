"""What is always true at a table, whatever people do."""

import json
from collections import defaultdict
from typing import Any

from hypothesis import given, settings
from tests.domino_rules.table.lives import Step, events_of
from tests.domino_rules.table.lives import all_lives as lives

from domino_rules import shuffle, table
from domino_rules.events import MatchEnded, RoundDealt, RoundEnded, TilesDrawn
from domino_rules.shuffle import Seeds
from domino_rules.table import TableState
from domino_rules.table.events import (
    ClockStopped,
    DelayMeasured,
    PauseStarted,
    RoundCommitted,
    SeedRevealed,
    TurnStarted,
)
from domino_rules.table.state import Waiting


def live_steps(steps: list[Step]) -> list[tuple[Step, tuple[Any, ...], TableState]]:
    """The steps in which something was accepted or has happened, with their events and the state after."""
    return [
        (step, step.events, step.after)
        for step in steps
        if (step.events or step.refusal is None) and step.after is not None
    ]


@settings(max_examples=12, deadline=None)
@given(lives)
def test_the_log_folds_to_the_same_table_from_its_json(steps: list[Step]) -> None:
    state: TableState | None = None
    for event in events_of(steps):
        state = table.evolve(state, table.event_from_json(json.loads(json.dumps(event.to_json()))))
    assert state == steps[-1].after
    assert isinstance(state, table.Finished)
    assert table.state_hash(state) == table.state_hash(table.from_json(json.loads(json.dumps(table.to_json(state)))))


@settings(max_examples=12, deadline=None)
@given(lives)
def test_every_state_comes_back_from_its_json(steps: list[Step]) -> None:
    for step in steps:
        if step.after is not None:
            assert table.from_json(json.loads(json.dumps(table.to_json(step.after)))) == step.after


@settings(max_examples=12, deadline=None)
@given(lives)
def test_a_table_that_is_not_over_always_waits_for_something_of_its_own_name(steps: list[Step]) -> None:
    """References of different deadlines differ: one that was answered is never waited for again."""
    armed: dict[str, tuple[int, int]] = {}
    for step in steps:
        assert step.after is not None
        due = table.deadline(step.after)
        assert (due is None) == isinstance(step.after, table.Finished)
        if due is not None:
            assert armed.setdefault(due.ref, (due.set_at, due.due_at)) == (due.set_at, due.due_at)


@settings(max_examples=12, deadline=None)
@given(lives)
def test_turns_count_up_and_a_decision_that_leaves_somebody_to_move_ends_with_one(steps: list[Step]) -> None:
    turn = 0
    for step, events, after in live_steps(steps):
        for event in events:
            if isinstance(event, TurnStarted):
                assert event.turn in (turn, turn + 1)
                turn = event.turn
        drew_only = isinstance(events[-1], TilesDrawn) if events else False
        if (
            isinstance(after, table.Playing)
            and not drew_only
            and after.match is not (step.before and step.before.match)
        ):
            assert isinstance(events[-1], TurnStarted)
            assert after.match.round is not None
            assert events[-1].seat == after.match.round.to_move


@settings(max_examples=12, deadline=None)
@given(lives)
def test_every_deal_was_committed_to_before_and_can_be_checked_after(steps: list[Step]) -> None:
    events = events_of(steps)
    committed = {event.round: event for event in events if isinstance(event, RoundCommitted)}
    revealed = {event.round: event.server_seed for event in events if isinstance(event, SeedRevealed)}
    dealt = [event for event in events if isinstance(event, RoundDealt)]
    assert {deal.round for deal in dealt} == set(revealed)
    for deal in dealt:
        assert events.index(committed[deal.round]) < events.index(deal)
        seeds = Seeds(bytes.fromhex(revealed[deal.round]), "table-1", deal.round, deal.client_seeds)
        shuffle.verify(seeds, committed[deal.round].commitment, deal.hands, deal.boneyard)


@settings(max_examples=12, deadline=None)
@given(lives)
def test_seeds_are_revealed_exactly_when_their_round_is_over(steps: list[Step]) -> None:
    for _, events, _ in live_steps(steps):
        ends = [event for event in events if isinstance(event, RoundEnded | MatchEnded)]
        reveals = [event for event in events if isinstance(event, SeedRevealed)]
        pauses = [event for event in events if isinstance(event, PauseStarted)]
        over = any(isinstance(event, MatchEnded) for event in ends)
        assert len(reveals) == bool(ends)
        assert len(pauses) == (bool(ends) and not over)


@settings(max_examples=8, deadline=None)
@given(lives)
def test_a_refusal_names_no_hidden_tile_or_seed(steps: list[Step]) -> None:
    for step in steps:
        if step.refusal is not None and step.before is not None and not isinstance(step.before, Waiting):
            committed = step.before.table.committed
            assert committed is None or committed.server_seed not in step.refusal.message
            assert step.refusal.message.startswith("expected ")


@settings(max_examples=15, deadline=None)
@given(lives)
def test_clocks_count_the_own_turns_and_nothing_else(steps: list[Step]) -> None:
    """Every turn of a table with match clocks stops its clock once, and takes off it what the turn lasted without what
    was credited."""
    assert steps[-1].after is not None
    ruleset = steps[-1].after.table.ruleset
    left = [] if ruleset.clock_ms is None else [ruleset.clock_ms] * ruleset.seats
    running: TurnStarted | None = None
    for step, events, after in live_steps(steps):
        for event in events:
            if isinstance(event, TurnStarted) and event.kind == "clock":
                assert running is None
                assert event.due_at - event.set_at == left[event.seat - 1] + event.credit_ms
                running = event
            if isinstance(event, ClockStopped):
                assert running is not None
                assert (event.turn, event.seat) == (running.turn, running.seat)
                lasted = step.now - running.set_at
                assert event.left_ms == max(0, left[event.seat - 1] - max(0, lasted - running.credit_ms))
                left[event.seat - 1], running = event.left_ms, None
        assert after.table.clocks == tuple(left)
    assert running is None


@settings(max_examples=10, deadline=None)
@given(lives)
def test_a_draw_renews_no_deadline(steps: list[Step]) -> None:
    for step in steps:
        if step.events and all(isinstance(event, TilesDrawn) for event in step.events):
            assert step.before is not None
            assert step.after is not None
            assert table.deadline(step.after) == table.deadline(step.before)


@settings(max_examples=15, deadline=None)
@given(lives)
def test_no_seat_is_credited_more_than_its_delay_half_a_second_a_turn_and_five_seconds_a_match(
    steps: list[Step],
) -> None:
    delays: dict[int, int] = defaultdict(int)
    by_turn: dict[int, int] = defaultdict(int)
    by_seat: dict[int, int] = defaultdict(int)
    for event in events_of(steps):
        if isinstance(event, DelayMeasured):
            assert abs(event.delay_ms - delays[event.seat]) > 25
            delays[event.seat] = event.delay_ms
        if isinstance(event, TurnStarted):
            assert 0 <= event.credit_ms <= (0 if event.kind == "autopilot" else delays[event.seat])
            by_turn[event.turn] += event.credit_ms
            by_seat[event.seat] += event.credit_ms
    assert max(by_turn.values()) <= 500
    assert max(by_seat.values()) <= 5_000
    assert steps[-1].after is not None
    assert [player.credited_ms for player in steps[-1].after.table.players] == [
        by_seat[seat] for seat in range(1, len(steps[-1].after.table.players) + 1)
    ]
