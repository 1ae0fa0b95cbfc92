"""Nothing depends on what a seat cannot see."""

from random import Random

import pytest
from tests.domino_bots.playing import RULESETS, Play

from domino_bots import SeatView, Strength, choose
from domino_rules import Match
from domino_rules.actions import Action
from domino_rules.state import Round
from domino_rules.tiles import set_of


def with_hidden_tiles_swapped(match: Match, seat: int, chance: Random) -> Match:
    """The same match for that seat: all tiles that it does not see lie elsewhere."""
    current = match.round
    assert current is not None
    others = [other for other in range(1, match.ruleset.seats + 1) if other != seat]
    hidden = [tile for other in others for tile in current.hands[other - 1]] + list(current.boneyard)
    chance.shuffle(hidden)
    dealt = list(current.dealt)
    for other in others:
        hand = [hidden.pop() for _ in current.hands[other - 1]]
        dealt[other - 1] = (*[tile for tile in dealt[other - 1] if current.laid >> tile & 1], *hand)
    moved = Round(
        tuple(dealt),
        tuple([set_of(tiles) for tiles in dealt]),
        current.laid,
        tuple(hidden),
        current.layout,
        current.to_move,
        current.opener,
        current.forced_tile,
        current.passes_in_a_row,
        current.passes,
        current.draws,
    )
    return Match(match.ruleset, match.scores, match.round_number, moved, None, False, None, None)


@pytest.mark.parametrize("name", RULESETS)
def test_two_matches_that_look_the_same_to_a_seat_give_the_same_choice(name: str) -> None:
    chance, different = Random(6), 0

    def act(match: Match, view: SeatView) -> Action:
        nonlocal different
        twin = with_hidden_tiles_swapped(match, view.seat, chance)
        different += twin != match
        seen = SeatView.of(twin, view.seat)
        assert seen == view
        for strength in Strength:
            assert choose(seen, strength, 7, 0.2, clock=no_time) == choose(view, strength, 7, 0.2, clock=no_time)
        return choose(view, Strength.BEGINNER, len(view.plays))

    Play(RULESETS[name], seed=2).to_the_end(act, turns_max=25)
    assert different > 10


def no_time() -> float:
    return 0.0
