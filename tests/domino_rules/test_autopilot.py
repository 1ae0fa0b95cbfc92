import pytest
from tests.domino_rules.matches import hands, play_out

from domino_rules import Match, PlayTile, Ruleset, Timeout, autopilot_action, decide, legal, state
from domino_rules.events import TilePlayed, TilesDrawn
from domino_rules.layout import EMPTY, Layout
from domino_rules.notation import hand_text, parse_hand, parse_tile, play_text


def position(left: int, right: int, hand: str, boneyard: str = "", ruleset: Ruleset | None = None) -> Match:
    """Two ends, and the hand of seat 1 who is to move."""
    lying = Layout((PlayTile(2, parse_tile("0-0"), "start"),), (left, right))
    current = state.position(hands(hand, "1-0"), parse_hand(boneyard), lying, to_move=1, opener=2)
    return Match(ruleset or Ruleset.of("draw", 2), (0, 0), 1, current, None, False, None, None)


@pytest.mark.parametrize(
    ("left", "right", "hand", "expected"),
    [
        (3, 1, "6-6 5-3 4-3 2-1", "5-3@left"),
        (2, 3, "6-2 5-3", "6-2@left"),
        (3, 1, "3-1", "3-1@left"),
        (1, 3, "5-3 4-3 2-1 6-3", "6-3@right"),
        (3, 3, "3-1 3-2", "3-2@left"),
    ],
)
def test_it_plays_the_legal_tile_with_most_pips(left: int, right: int, hand: str, expected: str) -> None:
    action = autopilot_action(position(left, right, hand))
    assert isinstance(action, PlayTile)
    assert play_text(action.tile, action.end) == expected


def test_it_draws_until_a_tile_fits_and_plays_that_one() -> None:
    events = decide(position(3, 1, "6-6 5-5", boneyard="4-4 6-2 3-0 1-1"), Timeout(1))
    assert isinstance(events, list)
    assert events[0] == TilesDrawn(1, parse_hand("4-4 6-2 3-0"))
    assert isinstance(events[1], TilePlayed)
    assert hand_text([events[1].tile]) == "3-0"


def test_with_nothing_left_to_draw_it_passes() -> None:
    match = play_out(position(3, 1, "6-6", ruleset=Ruleset.of("party", 2)), Timeout(1))
    assert match.round is not None
    assert match.round.passes == ((1, (3, 1)),)


def test_it_plays_a_bound_opening() -> None:
    bound = state.position(hands("6-5 4-4", "5-5 1-0"), (), EMPTY, 2, 2, parse_tile("5-5"))
    match = Match(Ruleset.of("draw", 2), (0, 0), 1, bound, None, False, None, None)
    assert autopilot_action(match) == PlayTile(2, parse_tile("5-5"), "start")


def test_it_has_no_say_when_nobody_is_to_move() -> None:
    waiting = Match(Ruleset.of("draw", 2), (0, 0), 0, None, None, True, None, None)
    assert legal.legal_actions(waiting) == []
    with pytest.raises(ValueError, match="expected a match in play"):
        autopilot_action(waiting)
