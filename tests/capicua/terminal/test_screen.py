import io
import re
from collections.abc import Sequence
from itertools import pairwise

import pytest
from rich.console import Console, Group
from tests.capicua.matches import Outcome, match

from capicua.terminal import view_layout
from capicua.terminal.screen import LINES, end_result, screen
from capicua.view import TableView
from domino_rules import TilePlayed
from domino_rules.table.events import TurnStarted


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    return list(match("draw", 4, 50, seed="screen"))


def shown(view: TableView, news: Sequence[str] = (), lines: int = LINES) -> str:
    out = io.StringIO()
    Console(file=out, width=80, color_system=None, legacy_windows=False).print(Group(*screen(view, news, lines)))
    return out.getvalue()


def test_every_view_of_a_match_fits_into_80_columns(outcomes: list[Outcome]) -> None:
    for outcome in outcomes:
        for seat in (None, 1, 3):
            assert max(len(line) for line in shown(outcome.view(seat)).splitlines()) <= 80


@pytest.mark.parametrize(
    ("preset", "seats", "options"),
    [
        ("draw", 2, {}),
        ("draw", 4, {}),
        ("block", 3, {}),
        ("duel-draw", 2, {}),
        ("all-fives", 2, {}),
        ("all-fives", 2, {"spinner": True}),
        ("party", 4, {"pairs": True}),
        ("party", 3, {"drawing": True}),
    ],
)
def test_every_view_of_a_match_fits_into_22_lines_with_its_latest_news(
    preset: str, seats: int, options: dict[str, bool]
) -> None:
    news = [f"{number} happened" for number in range(9)]
    for number, outcome in enumerate(match(preset, seats, 100, seed="low", **options)):
        view = outcome.view(None if number % 4 == 0 else 1)
        text = shown(view, news, 22)
        assert len(text.splitlines()) <= 22
        assert max(len(line) for line in text.splitlines()) <= 80
        assert "8 happened" in text
        assert number % 4 or len(shown(view, news, 38).splitlines()) <= 38


def test_a_layout_without_room_to_draw_it_is_text(outcomes: list[Outcome]) -> None:
    view = max((o.view(1) for o in outcomes), key=lambda view: len(view.layout))
    text = view_layout.text(view)[:70]
    assert text in shown(view, ["a", "b", "c"], 12)
    assert text not in shown(view)


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


def test_a_match_that_ends_in_the_middle_of_a_round_shows_no_earlier_rounds_end() -> None:
    played = [outcome.view(1) for outcome in match("all-fives", 2, 100, seed="middle3")]
    last = played[-1]
    assert last.over
    assert last.last_round is not None
    assert last.last_round.round < last.round
    assert "is over" not in shown(last)
    assert any("Round 1 is over" in shown(view) for view in played)


def test_a_spectator_sees_no_hand(outcomes: list[Outcome]) -> None:
    view = next(o.view(None) for o in outcomes if o.view(None).status == "playing" and len(o.view(None).layout) == 1)
    assert shown(view).count("┌─┬─┐") + shown(view).count("├─┤") == 1


@pytest.fixture(scope="module")
def fives() -> list[Outcome]:
    return list(match("all-fives", 2, 100, seed="screen", spinner=True))


def test_all_fives_shows_what_the_ends_count_now_and_after_each_play(fives: list[Outcome]) -> None:
    for before, after in pairwise(fives):
        view = before.view(before.view(None).to_move)
        plays = [event for event in after.events if isinstance(event, TilePlayed)]
        if not view.my_turn or not plays:
            continue
        number = (view.hand or ()).index(view.legal[0][:3]) + 1
        text = " ".join(shown(view).split())
        scores = " scores" if plays[0].points else ""
        assert re.search(rf"Ends after .*\b{number}[lrud]? → {plays[0].ends_total}{scores}( ·| )", text), text
        if view.layout:
            laid = [event for o in fives[: fives.index(after)] for event in o.events if isinstance(event, TilePlayed)]
            assert f"total {laid[-1].ends_total} " in text


def test_only_all_fives_counts_the_ends(outcomes: list[Outcome]) -> None:
    text = shown(next(o.view(1) for o in outcomes if o.view(1).my_turn and o.view(1).layout))
    assert "total" not in text
    assert "Ends after" not in text


def test_pairs_show_the_partner_and_share_a_score() -> None:
    last = list(match("party", 4, 100, seed="pairs", pairs=True))[-1]
    text = shown(last.view(4))
    assert "4 seats in pairs" in text
    assert [line for line in text.splitlines() if "your partner" in line] == [
        line for line in text.splitlines() if line.startswith("  bot 2 ") and "points" in line
    ]
    assert f"Scores: bot 1 and bot 3 {last.view(4).scores[0]}, bot 2 and you {last.view(4).scores[1]}" in text
    onlooker = shown(last.view(None))
    assert "partner" not in onlooker
    assert (onlooker.count("first pair"), onlooker.count("second pair")) == (2, 2)


def test_house_bots_show_their_strength(outcomes: list[Outcome]) -> None:
    assert shown(outcomes[5].view(1)).count("expert") == 4


def test_the_tables_id_goes_before_the_rules_do(fives: list[Outcome]) -> None:
    view = fives[3].view(1).model_copy(update={"table_id": "01k" + "x" * 23})
    heading = shown(view).splitlines()[0]
    assert heading == "Capicua all-fives · 2 seats · four ends · to 100 · round 1"
    assert "table 01jtable" in shown(fives[3].view(1)).splitlines()[0]


def test_a_match_that_ends_in_the_middle_of_a_round_ends_with_its_scores() -> None:
    view = list(match("all-fives", 2, 10))[-1].view(None)
    assert view.ended_round is None
    assert view.result is not None
    own, other = view.result.scores
    assert [str(line) for line in end_result(view)] == [f"  Scores: bot 1 {own}, bot 2 {other}"]


def test_a_match_that_ends_with_a_round_ends_with_its_hands_and_scores_once(outcomes: list[Outcome]) -> None:
    lines = [str(line) for line in end_result(outcomes[-1].view(None))]
    assert lines[0].startswith("Round ")
    assert [line for line in lines if "Scores" in line] == lines[-1:]


def test_nothing_has_ended_while_a_round_is_played(outcomes: list[Outcome]) -> None:
    playing = next(outcome for outcome in outcomes if isinstance(outcome.events[-1], TurnStarted))
    assert end_result(playing.view(None)) == []
