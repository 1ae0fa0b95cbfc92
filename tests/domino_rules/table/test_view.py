"""Nothing that a seat may not know gets out."""

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.domino_rules.matches import changed
from tests.domino_rules.table.lives import Step, events_of, whole_life
from tests.domino_rules.table.lives import all_lives as lives

from domino_rules import table
from domino_rules.events import RoundDealt, TilesDrawn
from domino_rules.notation import parse_hand, tile_name
from domino_rules.ruleset import Seat
from domino_rules.table import TableEvent, TableState, event_view, view_for
from domino_rules.table.events import RoundCommitted
from domino_rules.tiles import Hand

OTHER_SEED = "ff" * 32


def redealt(hands: tuple[Hand, ...], boneyard: Hand, seat: Seat | None, chance: random.Random) -> tuple[Hand, ...]:
    """Other hands and another boneyard (last) that agree with the first on all that the seat knows."""
    hidden = [tile for other, hand in enumerate(hands, 1) if other != seat for tile in hand] + list(boneyard)
    chance.shuffle(hidden)
    new = []
    for other, hand in enumerate(hands, 1):
        new.append(hand if other == seat else tuple(hidden.pop() for _ in hand))
    return (*new, tuple(hidden))


def another_state(state: TableState, seat: Seat | None, chance: random.Random) -> TableState:
    """A state that the seat cannot tell from this one: hidden tiles and the unrevealed seed are others."""
    if state.table.committed is not None:
        state = replace(
            state, table=replace(state.table, committed=replace(state.table.committed, server_seed=OTHER_SEED))
        )
    current = state.match.round
    if current is None or not isinstance(state, table.Playing):
        return state
    *hands, boneyard = redealt(current.hands, current.boneyard, seat, chance)
    bound = current.forced_tile
    if bound is not None and current.opener != seat:
        bound = hands[current.opener - 1][0]
    other = changed(current, hands=tuple(hands), boneyard=boneyard, forced_tile=bound)
    return replace(state, match=changed(state.match, round=other))


def another_event(event: TableEvent, seat: Seat | None, chance: random.Random) -> TableEvent:
    """An event that the seat cannot tell from this one."""
    match event:
        case RoundCommitted():
            return replace(event, server_seed=OTHER_SEED)
        case TilesDrawn() if event.seat != seat:
            return changed(event, tiles=tuple(chance.sample(range(28), len(event.tiles))))
        case RoundDealt():
            *hands, boneyard = redealt(event.hands, event.boneyard, seat, chance)
            bound = event.forced_tile if event.opener == seat else hands[event.opener - 1][0]
            bound = None if event.forced_tile is None else bound
            return changed(event, hands=tuple(hands), boneyard=boneyard, forced_tile=bound)
        case _:
            return event


@settings(max_examples=12, deadline=None)
@given(lives, st.integers(0, 2**32).map(random.Random))
def test_no_view_tells_two_tables_apart_that_agree_on_what_the_seat_may_know(
    steps: list[Step], chance: random.Random
) -> None:
    for step in steps:
        state = step.after
        assert state is not None
        for seat in (None, *range(1, len(state.table.players) + 1)):
            other = another_state(state, seat, chance)
            assert view_for(other, seat) == view_for(state, seat)


@settings(max_examples=12, deadline=None)
@given(lives, st.integers(0, 2**32).map(random.Random))
def test_no_event_tells_them_apart_either(steps: list[Step], chance: random.Random) -> None:
    for event in events_of(steps):
        for seat in (None, 1, 2):
            assert event_view(another_event(event, seat, chance), seat) == event_view(event, seat)


@settings(max_examples=8, deadline=None)
@given(lives)
def test_views_are_json_and_hold_no_unrevealed_seed(steps: list[Step]) -> None:
    for step in steps:
        state = step.after
        assert state is not None
        committed = state.table.committed
        for seat in (None, 1, 2):
            text = json.dumps(view_for(state, seat))
            assert committed is None or committed.server_seed not in text


def some_playing_state() -> table.Playing:
    return next(step.after for step in whole_life("draw", 3, 5) if isinstance(step.after, table.Playing))


def test_the_own_hand_is_shown_and_only_counted_for_others() -> None:
    state = some_playing_state()
    assert state.match.round is not None
    mine = view_for(state, 2)
    assert mine["you"] == 2
    assert mine["hand"] == [tile_name(tile) for tile in state.match.round.hands[1]]
    assert [seat["tiles"] for seat in mine["seats"]] == [5, 5, 5]
    assert mine["boneyard"] == 13
    spectator = view_for(state, None)
    assert (spectator["you"], spectator["hand"], spectator["legal"]) == (None, None, [])


def test_only_the_seat_to_move_sees_its_legal_actions_and_its_bound_tile() -> None:
    state = some_playing_state()
    assert state.match.round is not None
    mover = state.match.round.to_move
    for seat in (None, 1, 2, 3):
        view = view_for(state, seat)
        assert view["to_move"] == mover
        assert bool(view["legal"]) == (seat == mover)
        assert (view["forced_tile"] is not None) == (seat == mover and state.match.round.forced_tile is not None)


def test_a_deadline_says_what_the_turn_was_credited_and_the_autopilots_says_nothing() -> None:
    state = some_playing_state()
    assert state.turn is not None
    assert "credit_ms" not in view_for(state, None)["deadline"]
    credited = replace(state.turn, credit_ms=80)
    turns = (credited, replace(credited, kind="clock"), replace(credited, kind="autopilot"))
    for turn, credit in zip(turns, (80, 80, None), strict=True):
        for seat in (None, 1, 2):
            assert view_for(replace(state, turn=turn), seat)["deadline"].get("credit_ms") == credit


def test_a_view_differs_when_what_the_seat_knows_differs() -> None:
    state = some_playing_state()
    current = state.match.round
    assert current is not None
    swapped = changed(current, hands=(current.hands[1], current.hands[0], current.hands[2]))
    other = replace(state, match=changed(state.match, round=swapped))
    assert view_for(other, 1) != view_for(state, 1)
    assert view_for(other, 3) == view_for(state, 3)


@pytest.mark.parametrize(
    ("seat", "expected"), [(1, {"count": 2, "tiles": "6-3 1-0"}), (2, {"count": 2}), (None, {"count": 2})]
)
def test_drawn_tiles_are_a_count_for_everybody_else(seat: int | None, expected: dict[str, object]) -> None:
    event = TilesDrawn(1, parse_hand("6-3 1-0"))
    assert event_view(event, seat) == {"type": "tiles-drawn", "seat": 1, **expected}


def test_a_view_has_these_fields() -> None:
    assert list(view_for(some_playing_state(), 1)) == [
        "table_id",
        "status",
        "ruleset",
        "rules_version",
        "region",
        "you",
        "seats",
        "round",
        "turn",
        "to_move",
        "layout",
        "ends",
        "boneyard",
        "hand",
        "legal",
        "opener",
        "forced_tile",
        "scores",
        "passes",
        "draws",
        "clocks",
        "deadline",
        "commitment",
        "client_seeds",
        "revealed",
        "last_round",
        "result",
    ]
