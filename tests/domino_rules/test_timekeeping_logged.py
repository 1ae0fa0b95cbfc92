"""Where it is known when the commands were logged, every charge and every timeout of a log is checked exactly."""

import pytest
from hypothesis import given, settings
from tests.domino_rules.table.lives import KINDS, NOON, Step, all_lives, life_of
from tests.domino_rules.test_verification import Log, index_of

from domino_rules import table
from domino_rules.timekeeping import Logged
from domino_rules.verification import Wrong, verify_match

Known = tuple[Log, list[Logged]]
DAY_MS, MINUTE_MS = 86_400_000, 60_000


def known(steps: list[Step]) -> Known:
    told = [(event.to_json(), Logged(logged_at(step))) for step in steps for event in step.events]
    return [body for body, _ in told], [logged for _, logged in told]


def logged_at(step: Step) -> int:
    """When its command was: a life lets people act late, which the time rule does not, so they did it just in time."""
    due = None if step.before is None else table.deadline(step.before)
    if due is None or step.now <= due.due_at:
        return step.now
    tags = {event.tag for event in step.events}
    by_server = "turn-timed-out" in tags or (due.kind == "autopilot" and "autopilot-stopped" not in tags)
    return step.now if by_server else due.due_at


def wrong_in(log: Log, logged: list[Logged]) -> Wrong:
    wrong = verify_match(log, logged)
    assert wrong is not None
    return wrong


@pytest.fixture
def draw() -> Known:
    """A match of `draw` whose people are far off, time out and come back."""
    return known(life_of(KINDS["draw-3-far"], 28))


@pytest.fixture
def clocks() -> Known:
    """One of `all-fives`."""
    return known(life_of(KINDS["all-fives-far"], 28))


@settings(max_examples=25, deadline=None)
@given(all_lives)
def test_the_log_of_every_table_is_right_with_its_times(steps: list[Step]) -> None:
    assert verify_match(*known(steps)) is None


@pytest.mark.parametrize("change", [1, -1])
def test_a_clock_is_charged_exactly_what_passed_without_the_credit(clocks: Known, change: int) -> None:
    log, logged = clocks
    at = next(i for i, body in enumerate(log) if body["type"] == "clock-stopped" and body["left_ms"] < 180_000)
    left_ms = log[at]["left_ms"]
    log[at]["left_ms"] += change
    assert wrong_in(log, logged) == Wrong(at, "clock-stopped, left_ms", str(left_ms), str(left_ms + change))


def test_no_clock_is_charged_for_an_outage(clocks: Known) -> None:
    log, logged = clocks
    at = next(i for i, body in enumerate(log) if body["type"] == "clock-stopped" and body["left_ms"] < 180_000)
    logged[at] = Logged(logged[at].at + 15_000, 15_000)
    assert verify_match(log[: at + 1], logged) == Wrong(at + 1, "end", "match-ended", "no more events")
    log[at]["left_ms"] += 1
    assert wrong_in(log, logged).what == "clock-stopped, left_ms"
    logged[at] = Logged(logged[at].at)
    assert wrong_in(log, logged).what == "clock-stopped, left_ms"


def test_a_timeout_came_after_its_deadline(draw: Known) -> None:
    log, logged = draw
    at = index_of(log, "turn-timed-out")
    due_at = due_before(log, at)
    logged[at] = Logged(due_at)
    expected = f"a command after {due_at}"
    assert wrong_in(log, logged) == Wrong(at, "turn-timed-out", expected, str(due_at))
    logged[at] = Logged(due_at + 15_000, 15_000)
    assert verify_match(log, logged) is None


def test_the_autopilot_did_not_act_before_its_two_seconds(draw: Known) -> None:
    log, logged = draw
    at = 1 + next(i for i, body in enumerate(log[:-1]) if acts_for_away(body, log[i + 1]))
    due_at = due_before(log, at)
    logged[at] = Logged(due_at)
    wrong = wrong_in(log, logged)
    assert (wrong.index, wrong.expected) == (at, f"a command after {due_at}")


def test_a_person_acted_in_time(draw: Known) -> None:
    log, logged = draw
    at = 1 + next(i for i, body in enumerate(log[:-1]) if acts_in_person(body, log[i + 1]))
    due_at = due_before(log, at)
    logged[at] = Logged(due_at + 1)
    wrong = wrong_in(log, logged)
    assert (wrong.index, wrong.expected) == (at, f"a command that counts at {due_at} at the latest")


@pytest.mark.parametrize(("tag", "field"), [("turn-started", "set_at"), ("person-acted", "at")])
def test_nothing_counts_from_before_its_command(draw: Known, tag: str, field: str) -> None:
    log, logged = draw
    at = index_of(log, tag)
    told = log[at][field]
    logged[at] = Logged(told + 1)
    expected = f"at least {told + 1}, when its command was logged"
    assert wrong_in(log, logged) == Wrong(at, f"{tag}, {field}", expected, str(told))


def test_a_table_did_not_expire_early(draw: Known) -> None:
    log, logged = draw
    at = index_of(log, "turn-started") + 1
    log[0]["ruleset"]["turn_ms"] = 7 * DAY_MS
    log[at - 1]["due_at"] += 7 * DAY_MS - 20_000
    log[at:] = [{"type": "table-expired"}]
    expiry_at = NOON + DAY_MS + MINUTE_MS
    logged[at] = Logged(expiry_at)
    assert wrong_in(log, logged) == Wrong(at, "table-expired", f"a command after {expiry_at}", str(expiry_at))
    logged[at] = Logged(expiry_at + 1)
    assert verify_match(log, logged) is None


def due_before(log: Log, at: int) -> int:
    return int(next(body["due_at"] for body in reversed(log[:at]) if body["type"] == "turn-started"))


def acts_for_away(started: dict[str, object], after: dict[str, object]) -> bool:
    return started.get("kind") == "autopilot" and after["type"] == "tile-played"


def acts_in_person(started: dict[str, object], after: dict[str, object]) -> bool:
    return started.get("kind") == "turn" and after["type"] == "tile-played"
