import io
from collections.abc import Sequence

import pytest
from rich.console import Console
from tests.capicua.matches import Outcome, match

from capicua.terminal.chain import as_text
from capicua.terminal.screen import LINES, screen
from capicua.view import TableView


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    return list(match("draw", 4, 50, seed="screen"))


def shown(view: TableView, news: Sequence[str] = (), lines: int = LINES) -> str:
    out = io.StringIO()
    Console(file=out, width=80, color_system=None, legacy_windows=False).print(screen(view, news, lines))
    return out.getvalue()


def test_every_view_of_a_match_fits_into_80_columns(outcomes: list[Outcome]) -> None:
    for outcome in outcomes:
        for seat in (None, 1, 3):
            assert max(len(line) for line in shown(outcome.view(seat)).splitlines()) <= 80


@pytest.mark.parametrize(("preset", "seats"), [("draw", 2), ("draw", 4), ("block", 3)])
def test_every_view_of_a_match_fits_into_22_lines_with_its_latest_news(preset: str, seats: int) -> None:
    news = [f"{number} happened" for number in range(9)]
    for outcome in match(preset, seats, 50, seed="low"):
        for seat in (None, 1):
            text = shown(outcome.view(seat), news, 22)
            assert len(text.splitlines()) <= 22
            assert "8 happened" in text
            assert len(shown(outcome.view(seat), news, 38).splitlines()) <= 38


def test_a_layout_without_room_to_draw_it_is_text(outcomes: list[Outcome]) -> None:
    view = max((o.view(1) for o in outcomes), key=lambda view: len(view.layout))
    assert as_text(view.layout)[:70] in shown(view, ["a", "b", "c"], 12)
    assert as_text(view.layout)[:70] not in shown(view)


def test_one_tile_is_not_called_tiles(outcomes: list[Outcome]) -> None:
    view = next(o.view(2) for o in outcomes if o.view(2).seats[0].tiles == 1)
    assert "  1 tile  " in shown(view)
    assert " 1 tiles" not in shown(view)


def test_the_own_turn_shows_hand_numbers_ends_and_whose_turn_it_is(outcomes: list[Outcome]) -> None:
    view = next(o.view(1) for o in outcomes if o.view(1).my_turn and len(o.view(1).layout) > 3)
    text = shown(view, ["Bot 2 plays 6-3 on the right"])
    assert f"▶ you     {len(view.hand or ()):>3} tiles" in text
    assert "  bot 2 " in text
    for end, number in view.ends.items():
        assert f"{end} {number}" in text
    assert f"boneyard: {view.boneyard} tiles" in text
    assert "Bot 2 plays 6-3 on the right" in text
    numbers = text.splitlines()[-1].split()
    assert numbers == [str(number) for number in range(1, len(view.hand or ()) + 1)]


def test_autopilot_and_passes_are_marked(outcomes: list[Outcome]) -> None:
    with_passes = [o.view(None) for o in outcomes if o.view(None).passes]
    view = with_passes[-1]
    text = shown(view)
    assert "autopilot" in text
    assert "passed on " in text


def test_the_end_of_a_round_shows_every_hand(outcomes: list[Outcome]) -> None:
    view = outcomes[-1].view(1)
    assert view.last_round is not None
    text = shown(view)
    assert f"Round {view.round} is over ({view.last_round.reason})." in text
    for hand in view.last_round.hands:
        assert " ".join(hand) in text
    assert "no tiles left" in text or view.last_round.reason == "blocked"


def test_a_spectator_sees_no_hand(outcomes: list[Outcome]) -> None:
    view = next(o.view(None) for o in outcomes if o.view(None).status == "playing" and len(o.view(None).layout) == 1)
    assert shown(view).count("┌─┬─┐") + shown(view).count("├─┤") == 1
