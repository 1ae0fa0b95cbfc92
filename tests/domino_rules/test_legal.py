from tests.domino_rules.matches import dealt, play, play_out

from domino_rules import Draw, Match, Pass, Ruleset, legal_actions
from domino_rules.legal import legal_texts, tiles_to_draw

DRAW = Ruleset.of("draw", 2, forced="manual")


def after(opening: str, mine: str, other: str, boneyard: str = "", ruleset: Ruleset = DRAW) -> Match:
    """Seat 1 has opened with `opening`; it is seat 2's turn with `other`."""
    match = dealt(ruleset, f"{opening} {mine}", other, boneyard=boneyard, opener=1)
    return play_out(match, play(f"{opening}@start"))


def test_plays_are_listed_heaviest_first_then_by_end() -> None:
    match = after("6-4", "0-0", "4-1 6-6 6-3 5-4 6-2 4-4 1-1")
    assert legal_texts(match) == ["6-6@left", "6-3@left", "5-4@right", "6-2@left", "4-4@right", "4-1@right"]


def test_a_lone_double_and_equal_ends_list_each_end() -> None:
    assert legal_texts(after("6-6", "0-0", "6-1")) == ["6-1@left", "6-1@right"]


def test_a_tile_with_both_numbers_lists_both_ends() -> None:
    match = dealt(DRAW, "6-4 6-5 5-5", "5-4 1-1", opener=1)
    match = play_out(match, play("6-4@start"), play("5-4@right", 2))
    assert legal_texts(match) == ["6-5@left", "6-5@right", "5-5@right"]


def test_a_free_opening_lists_the_whole_hand() -> None:
    assert legal_texts(dealt(DRAW, "1-1 6-5", "0-0 2-2", opener=1)) == ["6-5@start", "1-1@start"]


def test_a_bound_opening_is_the_only_play() -> None:
    assert legal_texts(dealt(DRAW, "6-6 5-5", "4-4 1-0")) == ["6-6@start"]


def test_who_cannot_play_draws_while_the_boneyard_lasts_and_then_passes() -> None:
    assert legal_actions(after("6-4", "0-0", "5-5", boneyard="1-1")) == [Draw(2)]
    assert legal_actions(after("6-4", "0-0", "5-5")) == [Pass(2)]


def test_without_drawing_the_tiles_aside_stay_aside() -> None:
    block = Ruleset.of("block", 2, forced="manual")
    assert legal_actions(after("6-4", "0-0", "5-5", boneyard="6-1", ruleset=block)) == [Pass(2)]


def test_a_reserve_of_the_boneyard_is_not_drawn() -> None:
    reserve = Ruleset.of("draw", 2, forced="manual", boneyard_reserve=2)
    assert legal_actions(after("6-4", "0-0", "5-5", boneyard="6-1 1-1", ruleset=reserve)) == [Pass(2)]
    three = after("6-4", "0-0", "5-5", boneyard="3-3 6-1 1-1", ruleset=reserve)
    assert legal_actions(three) == [Draw(2)]
    assert legal_actions(play_out(three, Draw(2))) == [Pass(2)]


def test_one_draw_takes_tiles_up_to_the_first_that_fits() -> None:
    match = after("6-4", "0-0", "5-5", boneyard="3-3 2-2 6-1 1-1")
    assert match.round is not None
    assert tiles_to_draw(DRAW, match.round) == 3
    drawn = play_out(match, Draw(2))
    assert legal_actions(drawn) == [play("6-1@left", 2)]


def test_drawing_goes_on_through_a_dead_end_unless_the_option_is_on() -> None:
    sixes = ["6-6@start", "6-1@left", "1-0@left", "6-0@left", "6-2@right", "3-2@right", "6-3@right", "6-4@right"]
    for stop, expected in ((False, Draw(1)), (True, Pass(1))):
        ruleset = Ruleset.of("draw", 2, forced="manual", stop_on_dead_end=stop)
        ones = [text.split("@")[0] for text in sixes[::2]] + ["5-4", "2-2"]
        twos = [text.split("@")[0] for text in sixes[1::2]] + ["6-5", "3-3"]
        match = dealt(ruleset, " ".join(ones), " ".join(twos), boneyard="1-1", opener=1)
        moves = [*sixes, "5-4@right", "6-5@right"]
        match = play_out(match, *(play(move, 1 + index % 2) for index, move in enumerate(moves)))
        assert legal_actions(match) == [expected]


def test_nobody_has_anything_to_do_after_the_end() -> None:
    assert legal_actions(play_out(dealt(DRAW, "6-6", "1-1"), play("6-6"))) == []
