import pytest
from tests.capicua.matches import match

from capicua.terminal.prompts import help_lines, turn_prompt
from capicua.view import TableView


def view_of(preset: str, **options: bool) -> TableView:
    """The first view of somebody's own turn with a layout."""
    for outcome in match(preset, 4 if options.get("pairs") else 2, 100, "", **options):
        view = outcome.view(outcome.view(None).to_move)
        if view.my_turn and len(view.layout) > 1:
            return view
    raise AssertionError("a match has turns")


def test_the_prompt_says_what_is_legal() -> None:
    view = view_of("draw")
    assert turn_prompt(view) == "Tile number (l/r for the end), ? help, q leave > "
    assert turn_prompt(view.model_copy(update={"legal": ("draw",)})).startswith("Nothing fits. Enter or d: draw, ")
    assert "Enter or p: pass, " in turn_prompt(view.model_copy(update={"legal": ("pass",)}))
    assert turn_prompt(view.model_copy(update={"layout": ()})).startswith("Tile number to open with, ")
    arms = view.model_copy(update={"ends": {"left": 1, "right": 2, "up": 3, "down": 3}})
    assert "(l/r/u/d for the end)" in turn_prompt(arms)


@pytest.mark.parametrize(
    ("preset", "options", "said", "not_said"),
    [
        ("draw", {}, ["happen by themselves", "takes the seat back"], ["five", "Seats 1", "clock"]),
        ("party", {"pairs": True}, ["p or Enter passes", "Seats 1 and 3", "this turn alone"], ["seat back", "clock"]),
        ("duel-draw", {}, ["d or Enter draws", "at zero the match is lost"], ["autopilot", "five", "u or d"]),
        ("all-fives", {"spinner": True}, ["u or d", "five divides", "your clock runs on"], ["autopilot"]),
    ],
)
def test_the_help_is_that_of_the_options_that_are_set(
    preset: str, options: dict[str, bool], said: list[str], not_said: list[str]
) -> None:
    lines = help_lines(view_of(preset, **options))
    text = "\n".join(lines)
    assert max(map(len, lines)) <= 80
    assert [part for part in said if part not in text] == []
    assert [part for part in not_said if part in text] == []
