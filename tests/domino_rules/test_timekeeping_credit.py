"""What a log says of credit for the way, and of its table's expiry, follows from what was noted before."""

import copy
from dataclasses import replace

import pytest
from tests.domino_rules.table.lives import NOON, draws
from tests.domino_rules.test_verification import Log, first_wrong, golden, index_of

from domino_rules import table
from domino_rules.table import Moment
from domino_rules.verification import Wrong, verify_match


@pytest.fixture
def far() -> Log:
    """A match of `draw` whose people are far off."""
    return copy.deepcopy(golden("draw-3-far"))


@pytest.fixture
def far_clocks() -> Log:
    """One of `all-fives`."""
    return copy.deepcopy(golden("all-fives-far"))


def credited(log: Log) -> list[int]:
    """Where a turn was credited something."""
    return [index for index, body in enumerate(log) if body.get("credit_ms")]


@pytest.mark.parametrize("name", ["draw-3-far", "all-fives-far"])
def test_a_credit_is_what_the_seats_delay_is_worth(name: str) -> None:
    log = copy.deepcopy(golden(name))
    at = credited(log)[-1]
    credit = log[at]["credit_ms"]
    for change in (1, -1):
        log[at] |= {"credit_ms": credit + change}
        assert first_wrong(log) == Wrong(at, "turn-started, credit_ms", str(credit), str(credit + change))
    del log[at]["credit_ms"]
    assert first_wrong(log) == Wrong(at, "turn-started, credit_ms", str(credit), "0")


def test_a_deadline_has_its_credit_in_it(far: Log) -> None:
    at = credited(far)[0]
    far[at]["due_at"] -= far[at]["credit_ms"]
    assert first_wrong(far).what == "turn-started, due_at"


def test_the_autopilot_is_credited_nothing(far: Log) -> None:
    at = next(index for index, body in enumerate(far) if body.get("kind") == "autopilot")
    far[at] |= {"credit_ms": 83, "due_at": far[at]["due_at"] + 83}
    assert first_wrong(far) == Wrong(at, "turn-started, credit_ms", "0", "83")


def test_a_delay_that_is_forged_gives_no_more_than_half_a_second(far: Log) -> None:
    at = index_of(far, "delay-measured")
    far[at]["delay_ms"] = 501
    assert first_wrong(far) == Wrong(at, "delay-measured, delay_ms", "0 to 500, another one than 0", "501")
    far[at]["delay_ms"] = -90
    assert first_wrong(far).index == at
    far[at]["delay_ms"] = 25
    assert first_wrong(far).index == at


def test_a_delay_is_a_seats(far: Log) -> None:
    at = index_of(far, "delay-measured")
    for seat in (0, 4):
        far[at]["seat"] = seat
        assert first_wrong(far) == Wrong(at, "delay-measured, seat", "1 to 3", str(seat))


def test_no_more_than_five_seconds_are_credited_in_a_match() -> None:
    """Ann's half seconds are used up after ten turns."""
    log = turns_of_a_far_seat(10)
    assert first_wrong(log) == Wrong(len(log), "end", "match-ended", "no more events")
    eleventh = turns_of_a_far_seat(11)
    at = credited(eleventh)[10]
    assert first_wrong(eleventh) == Wrong(at, "turn-started, credit_ms", "0", "500")


def turns_of_a_far_seat(count: int) -> Log:
    """A match of `party` whose host is credited half a second in each of so many turns."""
    state: table.TableState | None = None
    log: Log = []

    def decided(events: table.Decision) -> None:
        nonlocal state
        assert isinstance(events, list)
        for event in events:
            state = table.evolve(state, event)
            log.append(event.to_json())

    seats = (table.Reservation("ann"), table.Reservation("bob"))
    moment = Moment(NOON, draws("far"))
    decided(table.open_table(None, "t1", {"preset": "party", "target": 1_000}, seats, "eu", moment))
    moment = replace(moment, delay_ms=500)
    decided(table.from_seat(state, "ann", moment, lambda known: table.sit_down(known, "ann", "", moment)))
    while True:
        assert state is not None
        due = table.deadline(state)
        assert due is not None
        decided(table.time_out(state, Moment(due.due_at + 1, draws(due.ref))))
        last = log[-1]
        if last["type"] != "turn-started" or last["seat"] != 1:
            continue
        if len(credited(log)) < 10:
            continue
        if count == 10:
            return log
        if "credit_ms" not in last:
            log[-1] = {**last, "credit_ms": 500, "due_at": last["due_at"] + 500}
            return log


def test_a_clock_is_charged_no_more_than_has_passed_without_the_credit(far_clocks: Log) -> None:
    at = next(
        index for index, body in enumerate(far_clocks) if body["type"] == "clock-stopped" and charged(far_clocks, index)
    )
    far_clocks[at]["left_ms"] -= 1
    assert first_wrong(far_clocks).what in ("turn-started, set_at", "pause-started, set_at")


def charged(log: Log, at: int) -> bool:
    """Whether the turn that ends there was credited something, and cost its clock something all the same."""
    turn = log[turn_before(log, at)]
    had = turn["due_at"] - turn["set_at"] - turn.get("credit_ms", 0)
    return "credit_ms" in turn and log[at]["left_ms"] < had


def test_a_clock_never_has_more_than_when_its_turn_began(far_clocks: Log) -> None:
    at = credited(far_clocks)[0]
    stopped = next(i for i in range(at, len(far_clocks)) if far_clocks[i]["type"] == "clock-stopped")
    had = far_clocks[at]["due_at"] - far_clocks[at]["set_at"] - far_clocks[at]["credit_ms"]
    far_clocks[stopped]["left_ms"] = had + 1
    assert first_wrong(far_clocks) == Wrong(stopped, "clock-stopped, left_ms", f"0 to {had}", str(had + 1))


def turn_before(log: Log, index: int) -> int:
    return max(at for at in range(index) if log[at]["type"] == "turn-started")


# ---- expiry

DAY_MS, MINUTE_MS = 86_400_000, 60_000


@pytest.fixture
def slow() -> Log:
    """A table of `draw` with a week for each turn, cut in its first one."""
    log = copy.deepcopy(golden("draw-2"))
    at = index_of(log, "turn-started")
    log[0]["ruleset"]["turn_ms"] = 7 * DAY_MS
    log[at]["due_at"] = log[at]["set_at"] + 7 * DAY_MS
    return log[: at + 1]


def test_an_expired_table_needs_no_end_and_nothing_follows(slow: Log) -> None:
    slow.append({"type": "table-expired"})
    assert verify_match(slow) is None
    slow.append({"type": "person-acted", "at": slow[0]["opened_at"] + MINUTE_MS})
    assert first_wrong(slow) == Wrong(len(slow) - 1, "person-acted", "no more events", "person-acted")


def test_no_table_expires_while_its_turn_is_due_before() -> None:
    log = copy.deepcopy(golden("draw-2"))
    at = index_of(log, "turn-started") + 1
    log.insert(at, {"type": "table-expired"})
    wrong = first_wrong(log)
    assert (wrong.index, wrong.what) == (at, "table-expired")
    expiry_at = log[0]["opened_at"] + DAY_MS + MINUTE_MS
    assert wrong.expected == f"what is due at {log[at - 1]['due_at']} before the expiry at {expiry_at}"
    assert first_wrong([*log[:2], log[at]]).index == 2
    pause = index_of(log, "pause-started")
    del log[at]
    log[pause:] = [{"type": "table-expired"}]
    assert first_wrong(log).index == pause


def test_a_person_who_acted_puts_the_expiry_off(slow: Log) -> None:
    acted_at = slow[0]["opened_at"] + 6 * DAY_MS
    slow += [{"type": "person-acted", "at": acted_at}, {"type": "table-expired"}]
    wrong = first_wrong(slow)
    assert wrong.expected.endswith(f"before the expiry at {acted_at + DAY_MS + MINUTE_MS}")


def test_what_persons_do_is_noted_once_a_minute(slow: Log) -> None:
    opened_at = slow[0]["opened_at"]
    slow.append({"type": "person-acted", "at": opened_at + MINUTE_MS - 1})
    expected = f"at least {opened_at + MINUTE_MS}"
    assert first_wrong(slow) == Wrong(len(slow) - 1, "person-acted, at", expected, str(opened_at + MINUTE_MS - 1))
