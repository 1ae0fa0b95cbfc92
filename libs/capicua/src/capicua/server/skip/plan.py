"""What passing commands over would do to a partition, and when it is refused."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from bus.header import CommandsSkipped, pack
from bus.outcomes import key_of
from bus.records import Record, TopicPartition
from bus.validity import Validity

TOLD = 10
"""So many of the commands are told one by one."""
KEY_LETTERS_MAX = 60


class Refused(Exception):
    """Nothing may be written. Says expected and got."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Commands `first`, which is the next one, to `last`, both included. `commands` holds those from `begin` to before
    `end`."""

    commands: TopicPartition
    first: int
    last: int
    begin: int
    end: int

    @property
    def count(self) -> int:
        return self.last - self.first + 1

    @property
    def expired(self) -> int:
        """How many of them the topic does not hold any more."""
        return max(0, min(self.begin, self.last + 1) - self.first)


def check_reason(reason: str) -> None:
    """Raises `Refused` when the header has no room for it, or when it says nothing."""
    if not reason.strip():
        raise Refused("expected a reason, got an empty one")
    try:
        pack(CommandsSkipped(0, 0, reason))
    except ValueError as error:
        raise Refused(f"the reason: {error}") from None


def make_plan(commands: TopicPartition, validity: Validity, bounds: tuple[int, int], last: int) -> Plan:
    """`validity` is that of the whole log, `bounds` what the command topic holds. Raises `Refused`, also where the
    claim that follows would be refused because the next command is not in the topic."""
    (begin, end), first = bounds, validity.next_command
    where = f"{commands.topic}:{commands.partition}"
    if validity.log_id is None:
        raise Refused(f"{where}: expected an event log that begins with a founding record, got none")
    if first >= end:
        raise Refused(f"{where}: expected that the next command, {first}, has come, got a topic that ends at {end}")
    lowest, highest = max(first, begin - 1), end - 1
    if not lowest <= last <= highest:
        held = f"the next command is {first}, and the topic holds {begin} to before {end}"
        raise Refused(f"{where}: expected --to from {lowest} to {highest}, got {last}: {held}")
    return Plan(commands, first, last, begin, end)


def lines(plan: Plan, waiting: Sequence[Record], now: int) -> Iterator[str]:
    """The plan for people; `waiting` are the first of its commands that are still there, `now` is in ms of log time."""
    where, there = f"{plan.commands.topic}:{plan.commands.partition}", plan.count - plan.expired
    yield f"{where} holds {plan.begin} to before {plan.end}; the next command is {plan.first}."
    yield f"To pass over: {plan.first} to {plan.last}, {plan.count} in all, {plan.expired} expired, {there} there."
    for record in waiting:
        age = timedelta(seconds=max(0, now - record.log_time) // 1000)
        yield f"  {record.offset}  key {key_of(record)[:KEY_LETTERS_MAX]!r}  age {age}"
    if there > len(waiting):
        yield f"  and {there - len(waiting)} more"
