"""Mistakes about time that `planted` plants: of timers, of who counts as a person, and of what is credited."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from bus.decider import Context
from bus.header import HEADER, MalformedHeader, OutcomeHeader, unpack
from bus.hearing import Hearing
from bus.outages import NO_OUTAGES
from bus.outcomes import key_of
from bus.records import Record, TopicPartition
from bus.tail import Tail
from timer.alarms import Alarms
from timer.clockwork import Clockwork
from timer.shelf import Shelf
from timer.snapshots import SnapshotLoader


def trusting_timer(take: Any) -> Any:
    """The timer takes its deadlines from every outcome, whether it counts or not."""

    async def taken(self: Tail, partition: TopicPartition, records: Sequence[Record]) -> None:
        if isinstance(self._handler, Clockwork):
            for record in records:
                _believe(self._handler, partition, record)
        await take(self, partition, records)

    return taken


def _believe(timer: Clockwork, partition: TopicPartition, record: Record) -> None:
    shelf = timer._alarms.shelf(partition)
    assert shelf is not None
    with suppress(MalformedHeader):
        header = unpack(record.header(HEADER))
        if isinstance(header, OutcomeHeader):
            shelf.set(key_of(record), header.deadline)


def by_its_wall_clock(_: Any) -> Any:
    """The timer rings when its machine's clock says so."""

    def now(self: Clockwork) -> int:
        return self._parts.clock.wall()

    return now


def forgets_by_snapshot(take: Any) -> Any:
    """What a snapshot of the timer's holds is restored but for one aggregate of two."""

    def taken(self: SnapshotLoader, source: Any) -> Shelf | None:
        shelf: Shelf | None = take(self, source)
        if shelf is not None:
            for name in shelf.names()[::2]:
                shelf.set(name, None)
        return shelf

    return taken


def outages_ignored(judge: Any) -> Any:
    """Time that was lost by an outage is not given back."""

    def judged(decider: Any, state: Any, payload: Any, context: Any, _: Any = NO_OUTAGES) -> Any:
        return judge(decider, state, payload, context)

    return judged


def bots_are_people(context_of: Any) -> Any:
    """Whatever a bot does at a table keeps it for a day more."""

    def of(*arguments: Any) -> Context:
        context: Context = context_of(*arguments)
        return replace(context, human=True)

    return of


def as_measured(_: Any) -> Any:
    """The whole delay is credited, every time."""

    def credit(delay_ms: int, turn_ms: int, match_ms: int) -> int:
        del turn_ms, match_ms
        return delay_ms

    return credit


def half_a_second_for_all(_: Any) -> Any:
    """Half a second is credited, whatever was measured."""

    def credit(delay_ms: int, turn_ms: int, match_ms: int) -> int:
        del delay_ms, match_ms
        return 500 - turn_ms

    return credit


def for_ever(_: Any) -> Any:
    """There is no end to what is credited in a match."""

    def credit(delay_ms: int, turn_ms: int, match_ms: int) -> int:
        del match_ms
        return max(0, min(delay_ms, 500 - turn_ms))

    return credit


def impatient(_: Any) -> int:
    """Tables expire after five minutes."""
    return 300_000


def too_early(refuse: Any) -> Any:
    """A timeout is taken whenever it comes, if only its reference is current."""

    def refused(command: Any, deadline: Any, at: int) -> Any:
        return refuse(command, deadline, at if deadline is None else deadline.due_at + 1)

    return refused


def forgetful_timer(ready: Any) -> Any:
    """Deadlines that were set before the timer came are not armed."""

    def armed(self: Alarms, source: Any, outages: Any) -> None:
        self.gain(source)
        ready(self, source, outages)

    return armed


def deaf_to_jumps(read: Any) -> Any:
    """The owner does not notice that the log's clock has jumped."""

    def deaf(self: Hearing, record: Record) -> None:
        owning, self._owning = self._owning, False
        read(self, record)
        self._owning = owning

    return deaf
