"""What others' passes, draws and plays say about their hands."""

import pytest
from tests.domino_bots.playing import RULESETS, Play

from domino_bots import DrawnTiles, LaidTile, SeatView, Strength, choose
from domino_bots.knowledge import Knowledge
from domino_bots.tile_sets import tiles_of
from domino_rules import Match, Ruleset
from domino_rules.actions import Action
from domino_rules.ends import PlayEnd
from domino_rules.notation import hand_text, parse_hand, parse_tile


def numbers(numbers: int) -> list[int]:
    return [number for number in range(7) if numbers >> number & 1]


def view(
    laid: str, *, opener: int, counts: tuple[int, ...], draws: tuple[DrawnTiles, ...] = (), preset: str = "draw"
) -> SeatView:
    """Plays as `1 6-6@start, 2 6-3@left`; seat 1 is to move and holds what does not matter."""
    plays = []
    for text in laid.split(", "):
        seat, play = text.split(" ")
        tile, end = play.split("@")
        plays.append(LaidTile(int(seat), parse_tile(tile), place(end)))
    ruleset = Ruleset.of(preset, len(counts))
    hand = parse_hand("0-0 1-0 1-1 2-0 2-1 2-2 3-0")[: counts[0]]
    boneyard = 28 - sum(counts) - len(plays)
    scores = (0,) * len(ruleset.sides)
    return SeatView(ruleset, 1, hand, counts, boneyard, tuple(plays), draws, opener, scores, 1, ())


def place(end: str) -> PlayEnd:
    ends: dict[str, PlayEnd] = {"start": "start", "left": "left", "right": "right", "up": "up", "down": "down"}
    return ends[end]


def test_a_pass_shows_that_the_open_numbers_are_lacked() -> None:
    known = Knowledge(view("1 6-3@start", opener=1, counts=(6, 7, 7), preset="block"))
    assert known.passes_in_a_row == 2
    assert numbers(known.lacks(1)) == [3, 6]
    assert numbers(known.lacks(2)) == [3, 6]


def test_a_pass_in_the_middle_is_found_by_who_played_next() -> None:
    known = Knowledge(
        view("1 6-3@start, 3 6-5@left, 1 5-4@left, 2 4-4@left", opener=1, counts=(5, 6, 6), preset="block")
    )
    assert numbers(known.lacks(1)) == [3, 6]
    assert numbers(known.lacks(2)) == [3, 4], "the last pass was at 4 and 3"


def test_what_is_drawn_before_the_fitting_tile_lacks_the_open_numbers_too() -> None:
    drawn = DrawnTiles(2, 3, (6, 3), 1)
    known = Knowledge(view("1 6-3@start, 2 6-5@left", opener=1, counts=(6, 9), draws=(drawn,)))
    assert [(lot.count, numbers(lot.lacks)) for lot in known.lots[1]] == [(7, [3, 6]), (2, [3, 6])]


def test_a_draw_of_one_tile_leaves_the_hand_without_the_open_numbers() -> None:
    drawn = DrawnTiles(2, 1, (6, 3), 1)
    known = Knowledge(view("1 6-3@start, 2 6-5@left", opener=1, counts=(6, 7), draws=(drawn,)))
    assert numbers(known.lacks(1)) == [3, 6]


def test_tiles_that_come_later_may_have_a_number_that_was_lacked_before() -> None:
    draws = (DrawnTiles(2, 1, (6, 3), 1), DrawnTiles(2, 4, (4, 3), 3))
    laid = "1 6-3@start, 2 6-5@left, 1 5-4@left, 2 4-4@left"
    known = Knowledge(view(laid, opener=1, counts=(5, 10), draws=draws))
    assert [(lot.count, numbers(lot.lacks)) for lot in known.lots[1] if lot.count] == [(7, [3, 4, 6]), (3, [3, 4])]
    assert numbers(known.lacks(1)) == [3, 4]


def test_a_tile_is_taken_from_the_oldest_lot_that_can_have_had_it() -> None:
    draws = (DrawnTiles(2, 1, (6, 3), 1), DrawnTiles(2, 3, (4, 3), 3))
    laid = "1 6-3@start, 2 6-5@left, 1 5-4@left, 2 6-4@left, 1 3-0@right, 2 6-6@left"
    known = Knowledge(view(laid, opener=1, counts=(4, 8), draws=draws))
    assert [(lot.count, numbers(lot.lacks)) for lot in known.lots[1]] == [(7, [3, 4, 6]), (1, [3, 4])]


def test_a_seat_that_drew_without_anybody_saying_when_is_only_known_by_its_passes() -> None:
    known = Knowledge(view("1 6-3@start, 2 6-5@left", opener=1, counts=(6, 9)))
    assert known.lacks(1) == 0


def test_a_better_tile_that_was_not_played_is_less_likely_to_be_there() -> None:
    seen = view("1 6-3@start, 2 3-1@right", opener=1, counts=(6, 6))
    known = Knowledge(seen, reads_choices=True)
    odds = known.lots[1][0].odds
    assert odds[parse_tile("6-6")] < odds[parse_tile("3-2")] < odds[parse_tile("5-4")] == 1.0


@pytest.mark.parametrize("name", RULESETS)
def test_what_is_true_is_never_excluded(name: str) -> None:
    def act(match: Match, seen: SeatView) -> Action:
        known = Knowledge(seen)
        current = match.round
        assert current is not None
        for seat, hand in enumerate(current.hands):
            if seat == seen.seat - 1:
                continue
            lots = known.lots[seat]
            assert sum(lot.count for lot in lots) == len(hand)
            assert fills(lots_allowed := [(known.can_hold(lot), lot.count) for lot in lots], hand), (
                hand_text(hand),
                [(hand_text(tiles_of(allowed)), count) for allowed, count in lots_allowed],
            )
        return choose(seen, Strength.BEGINNER, seed=len(seen.plays))

    Play(RULESETS[name], seed=11).to_the_end(act)


def fills(lots: list[tuple[int, int]], hand: tuple[int, ...]) -> bool:
    """Whether the hand can be split over lots of such counts; tried tile by tile."""
    if not hand:
        return all(count == 0 for _, count in lots)
    for at, (allowed, count) in enumerate(lots):
        if count and allowed >> hand[0] & 1:
            rest = [*lots[:at], (allowed, count - 1), *lots[at + 1 :]]
            if fills(rest, hand[1:]):
                return True
    return False
