"""A steady question to every partition, and how long each answer took, by what had just been done to the system."""

import asyncio
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from bench.gameday.asking import Answer, Asking
from bus.partitioning import partition_of
from contracts.table import SitDown
from contracts.topics import PARTITIONS_LOCAL

PRINCIPAL = "probe"
EVERY_SECONDS = 0.05


def one_of_each_partition(partitions: int = PARTITIONS_LOCAL) -> list[str]:
    """The name of an aggregate in each, in order; no table has such an id, so that every probe is refused."""
    names: dict[int, str] = {}
    number = 0
    while len(names) < partitions:
        names.setdefault(partition_of(f"probe-{number}", partitions), f"probe-{number}")
        number += 1
    return [names[partition] for partition in range(partitions)]


@dataclass
class Period:
    """The time from one mark to the next; `waits` are the seconds that questions waited in it for an answer."""

    what: str
    began: float
    waits: list[float] = field(default_factory=list)

    @property
    def longest(self) -> float:
        return max(self.waits, default=0.0)


@dataclass
class Probes:
    asking: Asking
    periods: list[Period] = field(default_factory=lambda: [Period("start", time.monotonic())])
    codes: Counter[str] = field(default_factory=Counter)
    _names: list[str] = field(default_factory=one_of_each_partition)
    _newest: dict[int, float] = field(default_factory=dict)
    _answered: asyncio.Event = field(default_factory=asyncio.Event)

    def mark(self, what: str) -> float:
        """From now on questions count for `what`; the monotonic time of now."""
        self.periods.append(Period(what, time.monotonic()))
        return self.periods[-1].began

    async def run(self) -> None:
        """Until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            while True:
                for partition in range(PARTITIONS_LOCAL):
                    tasks.create_task(self._probe(partition))
                    await asyncio.sleep(EVERY_SECONDS / PARTITIONS_LOCAL)

    async def _probe(self, partition: int) -> None:
        first = len(self.periods) - 1
        answer: Answer = await self.asking.ask(self._names[partition], PRINCIPAL, SitDown())
        self.codes[answer.code] += 1
        self.note(answer, first)
        self._newest[partition] = max(answer.sent_at, self._newest.get(partition, 0.0))
        self._answered.set()
        self._answered = asyncio.Event()

    def note(self, answer: Answer, first: int) -> None:
        """Shares the wait out among the periods that it fell into, from number `first` on."""
        ends = [period.began for period in self.periods[first + 1 :]] + [answer.answered_at]
        for period, end in zip(self.periods[first:], ends, strict=True):
            began = max(period.began, answer.sent_at)
            if began < answer.answered_at:
                period.waits.append(min(end, answer.answered_at) - began)

    async def answered(self) -> None:
        """Waits until every partition has answered something that was asked after now."""
        now = time.monotonic()
        while min(self._newest.get(partition, 0.0) for partition in range(PARTITIONS_LOCAL)) <= now:
            await self._answered.wait()

    def by_kind(self) -> Iterator[tuple[str, list[float]]]:
        """Of each kind of mark, the longest wait after every one of its marks."""
        found: dict[str, list[float]] = defaultdict(list)
        for period in self.periods:
            if period.waits:
                found[period.what].append(period.longest)
        yield from found.items()
