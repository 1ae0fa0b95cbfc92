import pytest
from tests.capicua.matches import match

from capicua.terminal.prompts import (
    LEAVE,
    NEXT_ROUND,
    TAKE_BACK,
    help_lines,
    not_now,
    pause_prompt,
    prompt,
    resign_question,
    turn_prompt,
)
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


def pausing(preset: str, you: int | None, **of_seat_1: bool) -> TableView:
    """In the pause after a round of three people, but for what is said of the first."""
    view = next(o.view(you) for o in match(preset, 3, 50) if o.view(None).status == "pausing")
    people = [seat.model_copy(update={"bot": False, "autopilot": False}) for seat in view.seats]
    people[0] = people[0].model_copy(update=of_seat_1)
    return view.model_copy(update={"seats": tuple(people)})


@pytest.mark.parametrize(
    ("view", "asked"),
    [
        (pausing("draw", 2), NEXT_ROUND),
        (pausing("draw", 1, ready=True), ""),
        (pausing("draw", None), ""),
        (pausing("party", 1), f"You are the host. {NEXT_ROUND}"),
        (pausing("party", 1, ready=True), ""),
        (pausing("party", 3), f"The host (seat 1) ends the pause. {LEAVE}"),
        (pausing("party", 3, left=True), NEXT_ROUND),
        (pausing("party", 3, bot=True), NEXT_ROUND),
        (pausing("party", None), ""),
    ],
)
def test_in_a_pause_the_prompt_says_who_ends_it(view: TableView, asked: str) -> None:
    assert prompt(view) == asked
    assert len(pause_prompt(view)) <= 80


@pytest.mark.parametrize(
    ("view", "said"),
    [
        (None, "It is not your turn."),
        (view_of("draw").model_copy(update={"you": 2}), "It is not your turn."),
        (pausing("party", 2), "The host (seat 1) ends the pause."),
        (pausing("draw", 1, ready=True), "You are ready; others are not yet."),
    ],
)
def test_a_line_that_nothing_asked_for_is_answered(view: TableView | None, said: str) -> None:
    assert not_now(view) == said


def test_who_is_away_is_asked_to_come_back_first() -> None:
    view = view_of("draw")
    seats = tuple(seat.model_copy(update={"autopilot": True}) for seat in view.seats)
    assert prompt(view.model_copy(update={"seats": seats})) == TAKE_BACK
    at_hand = tuple(seat.model_copy(update={"autopilot": False}) for seat in view.seats)
    here = view.model_copy(update={"seats": at_hand})
    assert prompt(here) == turn_prompt(here)
    assert prompt(here.model_copy(update={"acted": True})) == ""


def test_resigning_is_asked_about_and_with_more_seats_it_is_said_to_be_leaving() -> None:
    two, three = resign_question(view_of("draw")), resign_question(pausing("draw", 1))
    assert "lost at once" in two
    assert "resigning is leaving" in three
    assert max(len(two), len(three)) <= 80


def test_the_help_says_who_the_host_is() -> None:
    assert "Between rounds you, the host, may start" in "\n".join(help_lines(pausing("party", 1)))
    assert "Between rounds the host (seat 1) may start" in "\n".join(help_lines(pausing("party", 2)))
    assert "host" not in "\n".join(help_lines(pausing("draw", 2)))


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
