"""Playing on by rule of thumb."""

from tests.domino_bots.playing import RULESETS

from domino_bots.game import Game, Position
from domino_bots.layouts import layout_number
from domino_bots.playout import draw, play_out
from domino_bots.tile_sets import ALL_TILES
from domino_rules import Ruleset
from domino_rules.notation import parse_hand
from domino_rules.tiles import set_of


def position(*hands: str, boneyard: str = "", sides: int | None = None) -> Position:
    """Ends 6 and 3, seat 1 to move."""
    sets = [set_of(parse_hand(hand)) for hand in hands]
    tiles, layout = list(parse_hand(boneyard)[::-1]), layout_number([6, 3], False)
    return Position(sets, [0] * len(sets), tiles, ALL_TILES, layout, 0, 0, sides or len(sets))


def of(name: str) -> Game:
    ruleset = RULESETS[name]
    return Game(ruleset, (0,) * len(ruleset.sides), 1)


def test_a_last_tile_that_fits_goes_out_for_the_pips_of_the_others() -> None:
    last = position("6-5", "4-4 1-0")
    assert play_out(of("draw"), last) == 1
    assert last.gains == [9, 0]


def test_all_fives_counts_the_ends_and_rounds_the_bonus() -> None:
    last = position("6-2", "4-4")
    play_out(of("all-fives"), last)
    assert last.gains == [5 + 10, 0]


def test_a_blocked_round_scores_for_the_lowest_less_its_own() -> None:
    blocked = position("5-5", "4-4")
    assert play_out(of("draw"), blocked) == 2
    assert blocked.gains == [0, 10 - 8]


def test_a_blocked_pair_scores_both_opposing_hands() -> None:
    blocked = position("5-5", "4-4", "0-0", "1-0", sides=2)
    play_out(of("party, pairs"), blocked)
    assert blocked.gains == [0, 10]


def test_drawing_goes_on_until_a_tile_fits_and_shows_what_was_lacked() -> None:
    hungry = position("5-5", "4-4", boneyard="1-0 2-0 6-1 6-2")
    assert draw(of("draw"), hungry, 0, hungry.layout) == set_of(parse_hand("6-1"))
    assert hungry.hands[0] == set_of(parse_hand("5-5 1-0 2-0 6-1"))
    assert hungry.lacks[0] == 1 << 6 | 1 << 3
    assert len(hungry.boneyard) == 1


def test_a_reserve_stays() -> None:
    game = Game(Ruleset.of("draw", boneyard_reserve=1), (0, 0), 1)
    hungry = position("5-5", "4-4", boneyard="1-0 6-6")
    assert draw(game, hungry, 0, hungry.layout) == 0
    assert hungry.boneyard == list(parse_hand("6-6"))


def test_no_drawing_at_a_dead_end_where_the_ruleset_stops_there() -> None:
    dead = position("5-5", "4-4", boneyard="1-0")
    assert draw(Game(Ruleset.of("draw", stop_on_dead_end=True), (0, 0), 1), dead, 0, dead.layout) == 0
    assert len(dead.boneyard) == 1
    assert draw(of("draw"), dead, 0, dead.layout) == 0
    assert dead.boneyard == []


def test_a_play_that_reaches_the_target_ends_the_match() -> None:
    ruleset = RULESETS["all-fives"]
    winning = position("6-2 5-5", "4-4")
    assert play_out(Game(ruleset, (ruleset.target - 5, 0), 1), winning) == 1
    assert winning.gains == [5, 0]


def test_what_keeps_ends_for_the_own_tiles_goes_before_a_few_pips() -> None:
    alone = position("6-5 6-1 1-0 1-1 2-1 4-1", "2-2")
    alone.lacks[1] = 127
    play_out(of("block"), alone)
    assert alone.hands[0].bit_count() < 5, "after 6-5 nothing would have fitted"


def test_what_the_next_seat_cannot_answer_goes_before_pips() -> None:
    cautious = position("6-5 6-1 1-0", "5-5 0-0")
    cautious.unlaid = set_of(parse_hand("6-5 6-1 1-0 5-5 0-0"))
    play_out(of("block"), cautious)
    assert cautious.hands[1] & set_of(parse_hand("5-5")), "after 6-5 it would have been laid"
