"""The normal strength's score, part by part, as its page states it."""

from domino_bots import DrawnTiles, LaidTile, SeatView, Strength, choose
from domino_bots.game import Game
from domino_bots.knowledge import Knowledge
from domino_bots.normal import score
from domino_rules import Ruleset
from domino_rules.actions import PlayTile
from domino_rules.ends import PlayEnd
from domino_rules.notation import parse_hand, parse_tile


def view(hand: str, *plays: str, ruleset: Ruleset | None = None, draws: tuple[DrawnTiles, ...] = ()) -> SeatView:
    """Seat 1 is to move; plays as `2 6-3 start`; everybody else holds seven tiles."""
    ruleset = ruleset or Ruleset.of("draw")
    held, laid = parse_hand(hand), tuple(lies(play) for play in plays)
    tiles = (len(held), *(7 for _ in range(ruleset.seats - 1)))
    opener = laid[0].seat if laid else 1
    return SeatView(ruleset, 1, held, tiles, 7, laid, draws, opener, (0,) * len(ruleset.sides), 1, ())


def lies(play: str) -> LaidTile:
    seat, tile, end = play.split()
    return LaidTile(int(seat), parse_tile(tile), named(end))


def named(end: str) -> PlayEnd:
    ends: dict[str, PlayEnd] = {"start": "start", "left": "left", "right": "right"}
    return ends[end]


def scored(seen: SeatView, tile: str, end: str) -> int:
    return score(Game(seen.ruleset, seen.scores, 1), Knowledge(seen), PlayTile(1, parse_tile(tile), named(end)))


def test_two_for_each_pip_and_twelve_for_a_double() -> None:
    assert scored(view("5-4"), "5-4", "start") == 18
    assert scored(view("4-4"), "4-4", "start") == 16 + 12


def test_five_for_each_tile_in_hand_that_fits_then() -> None:
    assert scored(view("5-4 5-0 4-1 2-2"), "5-4", "start") == 18 + 10


def test_four_for_each_point_where_fives_count() -> None:
    assert scored(view("5-0", ruleset=Ruleset.of("all-fives")), "5-0", "start") == 10 + 20


def test_twenty_for_each_open_number_that_the_next_seat_lacks_and_twenty_more_for_all() -> None:
    passed = ("1 6-3 start", "1 6-6 left")
    block = Ruleset.of("block")
    assert scored(view("6-1", *passed, ruleset=block), "6-1", "left") == 14 + 20
    assert scored(view("3-3", *passed, ruleset=block), "3-3", "right") == 12 + 12 + 40 + 20


def test_ten_less_for_each_open_number_that_the_partner_lacks() -> None:
    pairs = Ruleset.of("block", 4, pairs=True)
    laid = ("1 6-3 start", "2 6-5 left", "4 5-4 left")
    assert scored(view("4-2", *laid, ruleset=pairs), "4-2", "left") == 12 - 10, "seat 3 passed at 5 and 3"


def test_a_draw_tells_what_the_next_seat_lacks() -> None:
    drawn = DrawnTiles(2, 1, (6, 3), 1)
    seen = view("6-1", "1 6-3 start", "2 6-5 left", draws=(drawn,))
    assert Knowledge(seen).lacks(1) == 1 << 6 | 1 << 3


def test_the_highest_score_is_chosen() -> None:
    seen = view("6-6 5-0 4-1")
    plays = tuple(PlayTile(1, tile, "start") for tile in seen.hand)
    seen = SeatView(seen.ruleset, 1, seen.hand, seen.tiles, seen.boneyard, (), (), 1, seen.scores, 1, plays)
    assert choose(seen, Strength.NORMAL, seed=0) == plays[0]
