"""A decider's process: which partitions it owns, and the records that reach their owners."""

import asyncio
import logging
from collections.abc import Callable
from typing import Generic

from bus.decider import C, Decider, E, S
from bus.health import Progress
from bus.inbox import Inbox
from bus.owner import Owner, Shared
from bus.parts import Parts
from bus.pulse import Pulse
from bus.records import LogReader, TopicPartition
from bus.skew import Skew
from bus.tail import POLL_MS
from bus.tasks import end

log = logging.getLogger(__name__)

BEAT_SECONDS = 0.1
LAG_COMMIT_SECONDS = 5.0


class MismatchedTopics(Exception):
    """All of a decider's topics must have the same number of partitions."""


class DeciderRuntime(Generic[S, C, E]):
    """Runs one decider on the partitions that its group assigns to this process.

    Log, clock, scheduling and randomness are those of `parts`. `session_ms` is the group's session: a process that
    stood still for half of it drops everything before it does anything else. Every `snapshot_seconds` what has changed
    goes into the decider's snapshot topic; None keeps no snapshots, and reads none.
    """

    def __init__(
        self, decider: Decider[S, C, E], parts: Parts, session_ms: int, snapshot_seconds: float | None = None
    ) -> None:
        self._decider = decider
        self._parts = parts
        self._snapshot_seconds = snapshot_seconds
        self._tasks = parts.tasks
        self._pulse = Pulse(parts.clock, session_ms / 2000)
        self._skew = Skew(parts.clock)
        self._owners: dict[int, Owner[S, C, E]] = {}
        self._running: dict[int, asyncio.Task[None]] = {}
        self._membership = parts.log.membership(decider.name, [f"{decider.name}.commands"])
        self._events = parts.log.reader(f"{decider.name}-events")
        self._commands = parts.log.reader(f"{decider.name}-commands")
        self.progress = Progress(parts.clock)

    async def start(self) -> None:
        """Raises `MismatchedTopics`, and what the log raises when it cannot be reached."""
        name = self._decider.name
        partitions = await self._parts.log.partition_count(f"{name}.commands")
        await self._check_partitions(partitions, f"{name}.events")
        if self._snapshot_seconds is not None:
            await self._check_partitions(partitions, f"{name}.snapshots", f"{name}.markers")
        self._shared = Shared(
            self._decider, partitions, self._events, self._commands, self._pulse, self._snapshot_seconds
        )
        await self._events.start(TopicPartition(f"{name}.events", number) for number in range(partitions))
        await self._commands.start(TopicPartition(f"{name}.commands", number) for number in range(partitions))
        await self._membership.start()

    async def _check_partitions(self, expected: int, *topics: str) -> None:
        for topic in topics:
            got = await self._parts.log.partition_count(topic)
            if got != expected:
                raise MismatchedTopics(f"expected {expected} partitions of {topic} as of the commands, got {got}")

    async def run(self) -> None:
        """Until cancelled; raises when it must not go on (`WrongLog`, `LogTruncated`, a bug)."""
        loops = [
            self._tasks.spawn(self._beat(), "beat"),
            self._tasks.spawn(self._pump(self._events, lambda owner: owner.event_inbox), "events"),
            self._tasks.spawn(self._pump(self._commands, lambda owner: owner.command_inbox), "commands"),
            self._tasks.spawn(self._follow_assignment(), "assignment"),
            self._tasks.spawn(self._commit_lag(), "lag"),
        ]
        try:
            while True:
                done, _ = await asyncio.wait(
                    [*loops, *self._running.values()], timeout=0.5, return_when=asyncio.FIRST_COMPLETED
                )
                for task in done:
                    if not task.cancelled():
                        task.result()
                    elif task in loops or task in self._running.values():
                        raise RuntimeError(f"{self._decider.name}: {task.get_name()} was cancelled, and by nobody here")
        finally:
            await end([*loops, *self._running.values()])

    async def stop(self) -> None:
        """Leaves the group at once, so that the next owner need not wait for the session."""
        await self._membership.stop()
        await asyncio.gather(self._events.stop(), self._commands.stop())

    @property
    def ready(self) -> bool:
        """Whether the group has answered and every partition it gave us has been claimed."""
        return self._membership.generation > 0 and all(owner.owning for owner in self._owners.values())

    async def _beat(self) -> None:
        while True:
            self._pulse.beat()
            await self._tasks.sleep(BEAT_SECONDS)

    async def _pump(self, reader: LogReader, inbox_of: Callable[[Owner[S, C, E]], Inbox]) -> None:
        while True:
            batches = await reader.poll(POLL_MS)
            self.progress.tick()
            for partition, records in batches.items():
                owner = self._owners.get(partition.partition)
                if owner is not None:
                    inbox_of(owner).put(records)
                    if owner.owning:
                        self._skew.learn(records[-1])

    async def _follow_assignment(self) -> None:
        generation = 0
        while True:
            generation = await self._membership.changed(generation)
            wanted = {partition.partition for partition in self._membership.assignment}
            for number in sorted(wanted - self._owners.keys()):
                self._take(number)
            lost = sorted(self._owners.keys() - wanted)
            await asyncio.gather(*(self._give_up(number) for number in lost))

    def _take(self, number: int) -> None:
        owner = Owner(self._parts, self._shared, number)
        self._owners[number] = owner
        work = owner.run(self._new_generation, lambda: self._still_member(owner))
        self._running[number] = self._tasks.spawn(work, f"owner-{number}")

    async def _give_up(self, number: int) -> None:
        task = self._running.pop(number)
        del self._owners[number]
        await end([task])
        log.info("%s partition %d given up", self._decider.name, number)

    async def _new_generation(self) -> None:
        await self._membership.changed(self._membership.generation)

    async def _still_member(self, owner: Owner[S, C, E]) -> bool:
        return await self._membership.commit({owner.commands: owner.next_command})

    async def _commit_lag(self) -> None:
        """For lag graphs only; nothing ever starts from a committed offset."""
        while True:
            await self._tasks.sleep(LAG_COMMIT_SECONDS)
            offsets = {owner.commands: owner.next_command for owner in self._owners.values() if owner.owning}
            if offsets:
                await self._membership.commit(offsets)
