"""Sampled worlds fit what a seat knows, and each as often as it should come."""

from collections import Counter
from random import Random

import pytest
from tests.domino_bots.playing import RULESETS, Play

from domino_bots import DrawnTiles, LaidTile, SeatView, Strength, choose
from domino_bots.budget import Budget
from domino_bots.game import Game
from domino_bots.knowledge import Knowledge
from domino_bots.tile_sets import ALL_TILES, tiles_of
from domino_bots.worlds import TRY_PLIES, Worlds
from domino_rules import Match, Ruleset
from domino_rules.actions import Action
from domino_rules.notation import parse_hand, parse_tile
from domino_rules.tiles import set_of


def plenty() -> Budget:
    return Budget(1e6, clock=lambda: 0.0)


@pytest.mark.parametrize("name", RULESETS)
def test_a_world_has_every_tile_once_and_nothing_that_is_known_to_be_elsewhere(name: str) -> None:
    chance = Random(1)

    def act(match: Match, view: SeatView) -> Action:
        known = Knowledge(view, reads_choices=True)
        game = Game(view.ruleset, view.scores, view.round_number)
        world = Worlds(game, known, view.boneyard).sample(chance, plenty())
        assert world.hands[view.seat - 1] == set_of(view.hand)
        assert tuple(hand.bit_count() for hand in world.hands) == view.tiles
        assert len(world.boneyard) == view.boneyard
        everything = sum(world.hands) + set_of(tuple(world.boneyard)) + set_of(tuple(lies.tile for lies in view.plays))
        assert everything == ALL_TILES
        for seat, hand in enumerate(world.hands):
            if seat != view.seat - 1:
                allowed = [known.can_hold(lot) for lot in known.lots[seat] if lot.count]
                assert all(any(lot >> tile & 1 for lot in allowed) for tile in tiles_of(hand))
        return choose(view, Strength.BEGINNER, len(view.plays))

    Play(RULESETS[name], seed=4).to_the_end(act)


def test_two_lots_of_one_hand_are_dealt_as_often_as_they_can_have_come() -> None:
    """Seat 2 has one tile without 6, 4 and 3, and one that came later without 4 and 3."""
    hand = parse_hand("0-0 1-0 1-1 2-0 2-1 2-2 3-0 3-1 3-2 3-3 4-0 4-1 4-2 5-2 6-0 6-1 6-2")
    laid = (
        LaidTile(1, parse_tile("6-3"), "start"),
        LaidTile(2, parse_tile("6-5"), "left"),
        LaidTile(1, parse_tile("5-4"), "left"),
        LaidTile(2, parse_tile("4-4"), "left"),
    )
    draws = (DrawnTiles(2, 1, (6, 3), 1), DrawnTiles(2, 2, (4, 3), 3))
    view = SeatView(Ruleset.of("draw"), 1, hand, (17, 2), 5, laid, draws, 1, (0, 0), 1, ())
    known = Knowledge(view)
    assert known.hidden == set_of(parse_hand("4-3 5-0 5-1 5-3 5-5 6-4 6-6"))
    worlds, chance = Worlds(Game(view.ruleset, view.scores, 1), known, view.boneyard), Random(2)
    found = Counter(worlds.sample(chance, plenty()).hands[1] for _ in range(9000))
    # Two of the first kind can have come in either order.
    ways = {"5-0 6-6": 1, "5-1 6-6": 1, "5-5 6-6": 1, "5-0 5-1": 2, "5-0 5-5": 2, "5-1 5-5": 2}
    assert found.keys() == {set_of(parse_hand(pair)) for pair in ways}
    for pair, count in ways.items():
        assert found[set_of(parse_hand(pair))] == pytest.approx(1000 * count, rel=0.1)


def test_odds_decide_how_often_a_tile_is_there() -> None:
    hand = parse_hand("0-0 1-0 1-1 2-0 2-1 2-2 3-0")
    view = SeatView(Ruleset.of("draw"), 1, hand, (7, 1), 20, (), (), 1, (0, 0), 1, ())
    known = Knowledge(view)
    known.lots[1][0].odds[parse_tile("4-1")] = 20.0  # and 1 for each of the 20 other hidden tiles
    worlds, chance = Worlds(Game(view.ruleset, view.scores, 1), known, 20), Random(3)
    found = Counter(worlds.sample(chance, plenty()).hands[1] for _ in range(8000))
    assert found[1 << parse_tile("4-1")] / 8000 == pytest.approx(0.5, abs=0.03)
    assert all(150 < found[1 << tile] < 260 for tile in tiles_of(known.hidden) if tile != parse_tile("4-1"))


def test_hands_that_block_each_other_are_still_found() -> None:
    """Three seats in turn can have fewer and fewer of the tiles: a world is found though a greedy deal often fails."""
    ruleset = Ruleset.of("draw", 3)
    hand = parse_hand("0-0 1-0 1-1 2-0 2-1 2-2 3-0 3-1 3-2 3-3 4-0 4-1 4-2 4-3 4-4 5-0 5-1 5-2 5-3 5-4 6-0 6-1")
    view = SeatView(ruleset, 1, hand, (22, 3, 3), 0, (), (), 1, (0, 0, 0), 1, ())
    known = Knowledge(view)
    known.lots[2][0].lacks = 1 << 5 | 1 << 4
    worlds, chance = Worlds(Game(ruleset, view.scores, 1), known, 0), Random(4)
    for _ in range(50):
        assert worlds.sample(chance, plenty()).hands[2] & ~set_of(parse_hand("6-2 6-3 6-6")) == 0


def test_a_world_costs_more_plies_the_more_often_its_deal_gets_stuck() -> None:
    """Six tiles are hidden, three in each hand; only seat 2 can have 6-2, so two of five deals leave it to seat 3."""
    hand = parse_hand("0-0 1-0 1-1 2-0 2-1 2-2 3-0 3-1 3-2 3-3 4-0 4-1 4-2 4-3 4-4 5-0 5-1 5-2 5-3 5-4 6-0 6-1")
    view = SeatView(Ruleset.of("draw", 3), 1, hand, (22, 3, 3), 0, (), (), 1, (0, 0, 0), 1, ())
    known = Knowledge(view)
    assert plies_of_a_world(view, known) == TRY_PLIES + 3
    known.lots[1][0].lacks, known.lots[2][0].lacks = 1 << 4, 1 << 2
    assert plies_of_a_world(view, known) == pytest.approx((TRY_PLIES + 3) * 5 / 3, rel=0.1)


def plies_of_a_world(view: SeatView, known: Knowledge) -> float:
    worlds, chance, budget = Worlds(Game(view.ruleset, view.scores, 1), known, 0), Random(5), plenty()
    before = budget.plies_left
    for _ in range(1000):
        worlds.sample(chance, budget)
    return (before - budget.plies_left) / 1000
