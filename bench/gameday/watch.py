"""Every valid outcome of the table's log as it comes, for those who wait for one, and the tables as it leaves them."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from bus.health import Progress
from bus.kafka import KafkaLog
from bus.outcomes import Outcome
from bus.parts import Parts
from bus.records import TopicPartition
from bus.tail import Tail
from bus.tasks import end
from contracts.envelope import OutcomeBody
from contracts.topics import PARTITIONS_LOCAL
from domino_rules import table
from domino_rules.events import UnknownEvent
from domino_rules.table import TableState

TOPIC = "table.events"
Identity = tuple[str, str]


@dataclass
class Watch:
    """`seen`: event offset of each valid outcome by partition and command offset. `unknown` counts events of a newer
    release, which are passed over."""

    states: dict[str, TableState] = field(default_factory=dict)
    versions: dict[str, int] = field(default_factory=dict)
    seen: dict[tuple[int, int], int] = field(default_factory=dict)
    unknown: int = 0
    _waiting: dict[Identity, asyncio.Future[tuple[OutcomeBody, float]]] = field(default_factory=dict)

    def wait_for(self, principal: str, command_id: str) -> "asyncio.Future[tuple[OutcomeBody, float]]":
        """Done when the first outcome of this command is read, with the monotonic time of that."""
        future: asyncio.Future[tuple[OutcomeBody, float]] = asyncio.get_running_loop().create_future()
        self._waiting[principal, command_id] = future
        return future

    def forget(self, principal: str, command_id: str) -> None:
        self._waiting.pop((principal, command_id), None)

    async def gained(self, _: TopicPartition) -> None: ...

    def outcome(self, outcome: Outcome) -> None:
        body = outcome.body()
        self.seen[outcome.source.partition, outcome.header.command_offset] = outcome.offset
        if body.events:
            self.versions[outcome.aggregate] = outcome.header.to_version
        for payload in body.events:
            self._fold(outcome.aggregate, payload)
        future = self._waiting.pop((body.principal, body.command_id), None)
        if future is not None and not future.done():
            future.set_result((body, time.monotonic()))

    def _fold(self, table_id: str, payload: dict[str, Any]) -> None:
        try:
            event = table.event_from_json(payload)
        except UnknownEvent:
            self.unknown += 1
        else:
            self.states[table_id] = table.evolve(self.states.get(table_id), event)

    async def flush(self, _partition: TopicPartition, _position: int) -> None: ...

    async def caught_up(self, _: TopicPartition) -> None: ...

    async def lost(self, _: TopicPartition) -> None: ...


@asynccontextmanager
async def watching(log: KafkaLog) -> AsyncIterator[Watch]:
    """Reads all partitions from their start until left. A reader that fails ends the whole run."""
    watch, parts = Watch(), Parts(log)
    tail = Tail(parts, watch, Progress(parts.clock))
    partitions = [TopicPartition(TOPIC, number) for number in range(PARTITIONS_LOCAL)]
    await tail.start(partitions, "gameday-watch")
    for partition in partitions:
        await tail.gain(partition)

    async def read() -> None:
        while True:
            await tail.step()

    async with asyncio.TaskGroup() as tasks:
        reading = tasks.create_task(read())
        try:
            yield watch
        finally:
            await end([reading])
            await tail.stop()
