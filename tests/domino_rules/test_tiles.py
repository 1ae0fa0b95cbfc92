from domino_rules.notation import parse_hand, tile_name
from domino_rules.tiles import HIGH, IS_DOUBLE, LOW, PIPS, TILES, heaviest_first, other_half, pips_of


def test_the_set_has_28_tiles_and_168_pips_in_the_order_of_the_shuffle() -> None:
    names = [tile_name(tile) for tile in TILES]
    assert names[:7] == ["0-0", "1-0", "1-1", "2-0", "2-1", "2-2", "3-0"]
    assert names[-1] == "6-6"
    assert len(set(names)) == 28
    assert sum(PIPS) == 168


def test_seven_tiles_are_doubles_and_the_higher_half_comes_first() -> None:
    assert sum(IS_DOUBLE) == 7
    assert all(HIGH[tile] >= LOW[tile] for tile in TILES)


def test_more_pips_are_heavier_and_with_equal_pips_the_larger_half_is() -> None:
    tiles = parse_hand("5-4 1-0 6-3 6-6 5-5 6-4 0-0")
    assert heaviest_first(tiles) == parse_hand("6-6 6-4 5-5 6-3 5-4 1-0 0-0")


def test_the_half_that_stays_open_is_the_other_one() -> None:
    (tile, double) = parse_hand("6-3 4-4")
    assert (other_half(tile, 6), other_half(tile, 3), other_half(double, 4)) == (3, 6, 4)


def test_a_hand_counts_both_halves_of_every_tile() -> None:
    assert pips_of(parse_hand("6-6 1-0")) == 13
    assert pips_of(()) == 0
