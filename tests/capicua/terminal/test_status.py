import pytest
from tests.capicua.matches import match

from capicua.terminal.status import HURRY_STYLE, clock_text, hurries, seconds_text, status, unchanged_ms
from capicua.view import DeadlineView, TableView

HURRY = " – hurry!"


@pytest.fixture(scope="module")
def base() -> TableView:
    """Seat 1 of two is to move."""
    return next(outcome.view(1) for outcome in match("draw", 2, 50) if outcome.view(1).my_turn)


def with_deadline(view: TableView, kind: str, **changes: int) -> TableView:
    return view.model_copy(update={"deadline": DeadlineView(kind=kind, set_at=0, due_at=20_000, **changes)})


def pausing(preset: str, seats: int, you: int | None, **of_seat_1: bool) -> TableView:
    """All seats are people's but for what is said of the first."""
    outcome = next(o for o in match(preset, seats, 50) if o.view(None).status == "pausing")
    view = outcome.view(you)
    people = [seat.model_copy(update={"bot": False, "autopilot": False}) for seat in view.seats]
    people[0] = people[0].model_copy(update=of_seat_1)
    return with_deadline(view.model_copy(update={"seats": tuple(people)}), "pause")


@pytest.mark.parametrize(
    ("kind", "left_ms", "line"),
    [
        ("turn", 20_000, "Your turn: 20 s"),
        ("turn", 5_001, "Your turn: 6 s"),
        ("turn", 5_000, "Your turn: 5 s – hurry!"),
        ("turn", 0, "Your turn: 0 s – time is up"),
        ("autopilot", 1_900, "The autopilot plays for you in 2 s"),
        ("start", 10_000, "Waiting for everybody to sit down: starts in 10 s at the latest"),
        ("expiry", 1_190_000, "No person has acted for a day: the table expires in 19:50 min"),
        ("of-the-future", 3_000, "It goes on in 3 s"),
    ],
)
def test_every_kind_of_deadline_has_its_words(base: TableView, kind: str, left_ms: int, line: str) -> None:
    assert status(with_deadline(base, kind), left_ms).plain == line


def test_others_are_told_whose_time_runs(base: TableView) -> None:
    other = base.model_copy(update={"you": 2, "legal": ()})
    assert status(with_deadline(other, "turn"), 3_000).plain == "Turn ends: 3 s"
    assert status(with_deadline(other, "autopilot"), 1_000).plain == "The autopilot plays in 1 s"


def test_where_nothing_runs_nothing_is_said(base: TableView) -> None:
    assert status(base.model_copy(update={"deadline": None}), 0).plain == ""


def test_the_warning_is_seen_without_colours_and_with_them(base: TableView) -> None:
    view = with_deadline(base, "turn", given_back_ms=9_000)
    hurried = status(view, 4_000)
    assert hurried.plain == "Your turn: 4 s – hurry!   9 s given back"
    assert hurried.style == HURRY_STYLE
    assert status(view, 6_000).style == ""


@pytest.mark.parametrize(
    ("changes", "more"),
    [
        ({"given_back_ms": 30_400}, "   30 s given back"),
        ({"credit_ms": 300}, "   0.3 s more for your connection"),
        ({"credit_ms": 99}, ""),
        ({"given_back_ms": 8_000, "credit_ms": 500}, "   8 s given back   0.5 s more for your connection"),
    ],
)
def test_time_that_was_added_is_told(base: TableView, changes: dict[str, int], more: str) -> None:
    assert status(with_deadline(base, "turn", **changes), 12_000).plain == f"Your turn: 12 s{more}"


def test_the_credit_of_others_is_not_worth_a_word(base: TableView) -> None:
    other = base.model_copy(update={"you": 2, "legal": ()})
    assert status(with_deadline(other, "turn", credit_ms=500), 12_000).plain == "Turn ends: 12 s"


@pytest.mark.parametrize(
    ("view", "sooner"),
    [
        (pausing("draw", 3, 2), ", or Enter"),
        (pausing("draw", 3, 1, ready=True), ", or when everybody is ready"),
        (pausing("draw", 3, None), ""),
        (pausing("party", 3, 1), ", or Enter"),
        (pausing("party", 3, 2), ", or when the host says so (seat 1)"),
        (pausing("party", 3, None), ", or when the host says so (seat 1)"),
        (pausing("party", 3, 2, bot=True), ", or Enter"),
        (pausing("party", 3, 2, left=True), ", or Enter"),
    ],
)
def test_a_pause_says_who_may_end_it(view: TableView, sooner: str) -> None:
    assert status(view, 7_400).plain == f"Next round in 8 s{sooner}"


@pytest.mark.parametrize(
    ("left_ms", "text"),
    [(605_999, "10:05"), (60_000, "1:00"), (10_000, "0:10"), (9_999, "0:09.9"), (320, "0:00.3"), (0, "0:00.0")],
)
def test_a_match_clock_has_tenths_when_it_is_nearly_over(left_ms: int, text: str) -> None:
    assert clock_text(left_ms) == text


@pytest.mark.parametrize(
    ("left_ms", "text"), [(0, "0 s"), (1, "1 s"), (1_000, "1 s"), (120_000, "120 s"), (120_001, "2:01 min")]
)
def test_seconds_are_rounded_up(left_ms: int, text: str) -> None:
    assert seconds_text(left_ms) == text


@pytest.mark.parametrize("kind", ["turn", "clock"])
def test_a_line_is_renewed_when_it_changes_and_not_before(base: TableView, kind: str) -> None:
    view = with_deadline(base, kind).model_copy(update={"clocks": (600_000, 600_000)})
    for left in range(20_000, 0, -37):
        wait = unchanged_ms(view, left)
        assert 1 <= wait <= 1_000
        now, last, then = (status(view, ms).plain.removesuffix(HURRY) for ms in (left, left - wait + 1, left - wait))
        assert now == last
        assert now != then or left <= wait
    assert unchanged_ms(view, 0) == 1_000


def test_only_the_own_turn_hurries_anybody(base: TableView) -> None:
    assert hurries(with_deadline(base, "clock"), 5_000)
    assert not hurries(with_deadline(base, "autopilot"), 1_000)
    assert not hurries(with_deadline(base, "turn"), 5_001)
    assert not hurries(with_deadline(base.model_copy(update={"acted": True}), "turn"), 1_000)
