"""The search over known tiles finds what a slow minimax over the rules finds."""

from collections.abc import Iterator

import pytest
from tests.domino_bots.playing import RULESETS, Play
from tests.domino_bots.slow_minimax import after, minimax

from domino_bots import SeatView, Strength, choose
from domino_bots.budget import Budget
from domino_bots.candidates import candidates_of
from domino_bots.certainty import best_when_known
from domino_bots.game import Game, Position
from domino_bots.knowledge import Knowledge
from domino_bots.layouts import layout_number
from domino_bots.search import NODE_PLIES, Search
from domino_rules import Match, Ruleset
from domino_rules.actions import Action
from domino_rules.notation import parse_hand
from domino_rules.tiles import set_of

TILES_MAX = 9


def plenty() -> Budget:
    return Budget(1e6, clock=lambda: 0.0)


def true_world(match: Match, view: SeatView) -> Position:
    known, current = Knowledge(view), match.round
    assert current is not None
    seats = match.ruleset.seats
    return Position(
        [current.held(seat + 1) for seat in range(seats)],
        [0] * seats,
        list(current.boneyard[::-1]),
        known.hidden | known.hand,
        known.line.layout,
        view.seat - 1,
        known.passes_in_a_row,
        len(match.ruleset.sides),
    )


def endings(ruleset: Ruleset, count: int) -> Iterator[tuple[Match, SeatView]]:
    """Positions with a choice and few tiles in all hands and to draw, from matches of beginners."""
    seed = 0
    while count:
        seed += 1
        play = Play(ruleset, seed)
        for _ in range(200):
            if play.match.status == "match-ended":
                break
            if play.match.status == "playing":
                view = play.view()
                to_come = view.boneyard if ruleset.drawing else 0
                if len(view.legal) > 1 and sum(view.tiles) + to_come <= TILES_MAX:
                    yield play.match, view
                    count -= 1
                    break
            play.turn(by_chance)


def by_chance(match: Match, view: SeatView) -> Action:
    return choose(view, Strength.BEGINNER, seed=view.round_number + len(view.plays))


@pytest.mark.parametrize("name", RULESETS)
def test_an_exact_search_gives_the_value_of_a_slow_minimax(name: str) -> None:
    for match, view in endings(RULESETS[name], count=6):
        game = Game(match.ruleset, match.scores, match.round_number)
        side = game.side_of[view.seat - 1]
        search = Search(game, side, plenty())
        assert search.value(true_world(match, view), 60, 0.0, 1.0) == pytest.approx(minimax(game, match, side))
        assert search.is_exact


@pytest.mark.parametrize("name", ["draw", "all-fives", "all-fives, four ends", "block"])
def test_where_every_tile_is_known_the_choice_is_the_best_there_is(name: str) -> None:
    for match, view in endings(RULESETS[name], count=6):
        game = Game(match.ruleset, match.scores, match.round_number)
        side = game.side_of[view.seat - 1]
        chosen = best_when_known(game, true_world(match, view), candidates_of(view, Knowledge(view)), plenty())
        assert minimax(game, after(match, chosen.action), side) == pytest.approx(minimax(game, match, side))


def test_a_search_without_budget_is_not_exact() -> None:
    match, view = next(endings(RULESETS["draw"], count=1))
    search = Search(Game(match.ruleset, match.scores, match.round_number), 0, Budget(0.0, clock=lambda: 0.0))
    search.value(true_world(match, view), 60, 0.0, 1.0)
    assert not search.is_exact


def test_an_expert_with_an_empty_boneyard_plays_exactly() -> None:
    """Two seats and nothing to draw: what is hidden is the other hand, so nothing is."""
    found = 0
    for match, view in endings(RULESETS["draw"], count=20):
        if view.boneyard == 0:
            found += 1
            game = Game(match.ruleset, match.scores, match.round_number)
            action = choose(view, Strength.EXPERT, seed=1, budget_ms=1000.0, clock=lambda: 0.0)
            side = game.side_of[view.seat - 1]
            assert minimax(game, after(match, action), side) == pytest.approx(minimax(game, match, side))
    assert found > 5


def test_a_play_that_ends_the_round_is_counted_like_one_that_does_not() -> None:
    """The last tile fits at both ends: one node before it, one after each of its plays."""
    assert plies_of_a_search(RULESETS["block"], "6-3", "5-5", depth=9) == 3 * NODE_PLIES


def test_a_ply_of_a_playout_counts_twice_where_there_are_four_ends() -> None:
    two = plies_of_a_search(RULESETS["all-fives"], "6-3 6-2 4-0", "5-5 3-1 2-2", depth=0) - NODE_PLIES
    four = plies_of_a_search(RULESETS["all-fives, four ends"], "6-3 6-2 4-0", "5-5 3-1 2-2", depth=0) - NODE_PLIES
    assert two > 2
    assert four == 2 * two


def plies_of_a_search(ruleset: Ruleset, hand: str, other: str, depth: int) -> int:
    """Seat 1 is to move, 6 and 3 are open, and nothing is in the boneyard."""
    hands = [set_of(parse_hand(hand)), set_of(parse_hand(other))]
    layout = layout_number([6, 3], four_ends=ruleset.spinner)
    budget, game = plenty(), Game(ruleset, (0, 0), 1)
    before = budget.plies_left
    Search(game, 0, budget).value(Position(hands, [0, 0], [], hands[0] | hands[1], layout, 0, 0, 2), depth, -1.0, 2.0)
    return before - budget.plies_left
