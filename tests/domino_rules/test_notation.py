import pytest
from hypothesis import given
from hypothesis import strategies as st

from domino_rules import Draw, Flag, Pass, PlayTile, Timeout
from domino_rules.actions import Action
from domino_rules.ends import PlayEnd
from domino_rules.notation import (
    NotationError,
    action_text,
    hand_text,
    parse_action,
    parse_hand,
    parse_play,
    parse_tile,
    play_text,
    tile_name,
)
from domino_rules.tiles import TILES

ENDS: tuple[PlayEnd | None, ...] = (None, "start", "left", "right", "up", "down")
seats = st.integers(1, 4)
tiles = st.sampled_from(TILES)
actions: st.SearchStrategy[Action] = st.one_of(
    st.builds(PlayTile, seats, tiles, st.sampled_from(ENDS)),
    *(st.builds(kind, seats) for kind in (Draw, Pass, Timeout, Flag)),
)


@given(st.lists(tiles))
def test_any_hand_comes_back_from_its_text(hand: list[int]) -> None:
    assert parse_hand(hand_text(hand)) == tuple(hand)


@given(tiles, st.sampled_from(ENDS))
def test_any_play_comes_back_from_its_text(tile: int, end: PlayEnd | None) -> None:
    assert parse_play(play_text(tile, end)) == (tile, end)


@given(actions)
def test_any_action_comes_back_from_its_text(action: Action) -> None:
    assert parse_action(action_text(action)) == action


@given(st.one_of(st.text(max_size=12), st.text(alphabet="0123456- @LRUDleft", max_size=12)))
def test_any_text_is_an_action_or_an_error_that_repeats_it(text: str) -> None:
    parsed = parsed_or_error(text)
    if isinstance(parsed, NotationError):
        assert parsed.got in text
    else:
        assert parse_action(action_text(parsed)) == parsed


def parsed_or_error(text: str) -> Action | NotationError:
    try:
        return parse_action(text)
    except NotationError as error:
        return error


def test_every_tile_comes_back_from_its_name() -> None:
    assert [parse_tile(tile_name(tile)) for tile in TILES] == list(TILES)


@pytest.mark.parametrize("text", ["3-6", "7-0", "6-", "6_3", "", "6-3 ", "٦-3"])
def test_what_is_no_tile_is_refused_with_what_was_expected(text: str) -> None:
    with pytest.raises(NotationError, match="expected a tile such as 6-3, higher half first, got"):
        parse_tile(text)


def test_a_hand_keeps_its_order() -> None:
    assert hand_text(parse_hand("1-0 6-6 3-2")) == "1-0 6-6 3-2"
    assert parse_hand("") == ()


@pytest.mark.parametrize("end", ["left", "right", "up", "down"])
def test_an_end_is_written_out_or_by_its_first_letter(end: str) -> None:
    tile = parse_tile("6-3")
    assert parse_action(f"2 6-3@{end}") == PlayTile(2, tile, end)  # type: ignore[arg-type]
    assert parse_action(f"2 6-3@{end[0].upper()}") == PlayTile(2, tile, end)  # type: ignore[arg-type]
    assert play_text(tile, end) == f"6-3@{end}"  # type: ignore[arg-type]


def test_actions_name_the_seat_first() -> None:
    assert parse_action("1 6-3") == PlayTile(1, parse_tile("6-3"), None)
    assert parse_action("4 5-5@start") == PlayTile(4, parse_tile("5-5"), "start")
    assert parse_action("1 draw") == Draw(1)
    assert parse_action("2 pass") == Pass(2)
    assert parse_action("3 timeout") == Timeout(3)
    assert parse_action("4 flag") == Flag(4)


@pytest.mark.parametrize(
    "text",
    ["", "1", "draw", "0 draw", "5 draw", "1 dance", "1 3-6", "1 6-3@", "1 6-3@middle", "1 6-3@l", "1  6-3", "1 6-3 x"],
)
def test_what_is_no_action_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_action(text)
