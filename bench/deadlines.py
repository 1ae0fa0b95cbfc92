"""An event log of many armed deadlines, as owners would have written it; timers read it, and are sent more while they
run."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bench.log import LOG_ID, OWNER, play
from bench.matches import table_name
from bus.decider import Deadline
from bus.header import HEADER, Claim, EventHeader, Founding, Heartbeat, OutcomeHeader, pack
from bus.records import NewRecord

PARTITIONS = 10
ARMED = 1_000_000
ENDED_EVERY = 4
"""Each such deadline was ended once and stands again."""
OUTCOMES = ARMED + 2 * (ARMED // ENDED_EVERY)
PLAYED = 2000
DAY_MS = 24 * 60 * 60 * 1000


def now_ms() -> int:
    return time.time_ns() // 1_000_000


@dataclass
class Chain:
    """One partition's only claim, and the commands that it has answered."""

    partition: int
    answered: int = 0

    def outcome(self, aggregate: str, deadline: Deadline | None, body: bytes) -> NewRecord:
        header = OutcomeHeader(1, OWNER, self.answered, 1, 2, 0, deadline, None)
        self.answered += 1
        return self._record(header, aggregate.encode(), body)

    def begin(self) -> Sequence[NewRecord]:
        return self._record(Founding(LOG_ID)), self._record(Claim(OWNER, 0))

    def beat(self) -> NewRecord:
        return self._record(Heartbeat(OWNER))

    def _record(self, header: EventHeader, key: bytes | None = None, body: bytes = b"") -> NewRecord:
        return NewRecord("table.events", self.partition, key, body, ((HEADER, pack(header)),))


def armed(chains: Sequence[Chain]) -> Iterator[NewRecord]:
    """Deadlines of a day ahead, with bodies as tables write them; aggregates take turns among the partitions."""
    bodies = [value for _, value, _ in play(PLAYED)[1]]
    now = now_ms()
    for chain in chains:
        yield from chain.begin()
    for number in range(ARMED):
        chain, name, body = chains[number % len(chains)], table_name(number), bodies[number % len(bodies)]
        deadline = Deadline("turn", "turn-1", now, now + DAY_MS + number)
        yield chain.outcome(name, deadline, body)
        if number % ENDED_EVERY == 0:
            yield chain.outcome(name, None, body)
            yield chain.outcome(name, deadline, body)
