import pytest

from bus.header import TEXT_BYTES_MAX
from bus.records import Record, TopicPartition
from bus.validity import Validity
from capicua.server.skip.plan import TOLD, Plan, Refused, check_reason, lines, make_plan

COMMANDS = TopicPartition("table.commands", 3)
NOON = 1_700_000_000_000
HOUR = 3_600_000


def plan(next_command: int, bounds: tuple[int, int], last: int, log_id: bytes | None = b"l" * 16) -> Plan:
    return make_plan(COMMANDS, Validity(log_id=log_id, next_command=next_command), bounds, last)


def command(offset: int, key: bytes | None = b"t1", age: int = 0) -> Record:
    return Record(*COMMANDS, offset, NOON - age, key, b"a secret body", ())


def test_the_next_command_and_all_up_to_the_last_are_passed_over() -> None:
    assert plan(5, (0, 9), 7) == Plan(COMMANDS, first=5, last=7, begin=0, end=9)
    assert plan(5, (0, 9), 7).count == 3


@pytest.mark.parametrize("last", [5, 8])
def test_one_command_or_all_there_are_may_be_passed_over(last: int) -> None:
    assert plan(5, (0, 9), last).last == last


@pytest.mark.parametrize(("begin", "expired"), [(0, 0), (5, 0), (6, 1), (8, 3)])
def test_those_before_the_topics_first_have_expired(begin: int, expired: int) -> None:
    assert plan(5, (begin, 9), 7).expired == expired


def test_where_all_have_expired_they_are_passed_over_up_to_the_topics_end() -> None:
    assert plan(5, (9, 9), 8).expired == 4


@pytest.mark.parametrize(
    ("bounds", "last", "why"),
    [
        ((0, 9), 4, "expected --to from 5 to 8, got 4: the next command is 5, and the topic holds 0 to before 9"),
        ((0, 9), -1, "expected --to from 5 to 8, got -1"),
        ((0, 9), 9, "expected --to from 5 to 8, got 9"),
        ((7, 9), 5, "expected --to from 6 to 8, got 5"),
        ((9, 9), 7, "expected --to from 8 to 8, got 7"),
        ((0, 5), 5, "expected that the next command, 5, has come, got a topic that ends at 5"),
        ((0, 2), 1, "expected that the next command, 5, has come, got a topic that ends at 2"),
    ],
)
def test_what_would_be_void_or_leave_no_next_command_is_refused(bounds: tuple[int, int], last: int, why: str) -> None:
    with pytest.raises(Refused, match=f"^table.commands:3: {why}"):
        plan(5, bounds, last)


def test_a_log_without_a_founding_record_is_left_alone() -> None:
    with pytest.raises(Refused, match="expected an event log that begins with a founding record, got none"):
        plan(0, (0, 9), 3, log_id=None)


def test_a_reason_fills_the_headers_text_and_no_more() -> None:
    check_reason("ż" * (TEXT_BYTES_MAX // 2))
    with pytest.raises(Refused, match="the reason: expected at most 255 bytes of text in a header, got 256"):
        check_reason("ż" * (TEXT_BYTES_MAX // 2 + 1))


@pytest.mark.parametrize("reason", ["", " \t"])
def test_a_reason_says_something(reason: str) -> None:
    with pytest.raises(Refused, match="expected a reason, got an empty one"):
        check_reason(reason)


def test_a_reason_that_is_no_text_is_refused() -> None:
    with pytest.raises(Refused, match="the reason: "):
        check_reason("not UTF-8: \udcff")


def test_people_read_offset_key_and_age_and_never_a_body() -> None:
    there = [command(6, age=26 * HOUR), command(7, b"\x1b[2J" + b"k" * 100), command(8, None, age=-HOUR)]
    assert list(lines(plan(5, (6, 9), 8), there, NOON)) == [
        "table.commands:3 holds 6 to before 9; the next command is 5.",
        "To pass over: 5 to 8, 4 in all, 1 expired, 3 there.",
        "  6  key 't1'  age 1 day, 2:00:00",
        f"  7  key '\\x1b[2J{'k' * 56}'  age 0:00:00",
        "  8  key ''  age 0:00:00",
    ]


def test_of_many_commands_the_first_are_told_and_the_rest_counted() -> None:
    said = list(lines(plan(5, (0, 40), 24), [command(5 + number) for number in range(TOLD)], NOON))
    assert said[-1] == "  and 10 more"
    assert len(said) == 2 + TOLD + 1
