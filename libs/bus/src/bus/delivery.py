"""Handing on what follows from one partition, at least once: sent, made durable, and only then committed."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from bus import telemetry
from bus.health import Progress
from bus.parts import Parts
from bus.records import TopicPartition
from bus.sender import Letter, LetterSender
from bus.tasks import end

WAITING_MAX = 2000
BATCH_MAX = 200
COMMIT_SECONDS = 5.0
ROOM_SECONDS = 1.0

Commit = Callable[[Mapping[TopicPartition, int]], Awaitable[bool]]


@dataclass(frozen=True, slots=True)
class _Waiting:
    offset: int
    letter: Letter


class Delivery:
    """The letters of one source partition, from `committed` on.

    Per target partition one unconfirmed send at a time, repeated as it is until it is acknowledged: receivers see a
    source's letters in order, now and then twice. What is committed (`commit` is the group's) never runs ahead of what
    is durable.
    """

    def __init__(
        self, source: TopicPartition, committed: int, sender: LetterSender, commit: Commit, parts: Parts
    ) -> None:
        self.source = source
        self.first = committed
        self._committed = committed
        self._position = committed
        self._sender = sender
        self._commit = commit
        self._tasks = parts.tasks
        self._clock = parts.clock
        self._waiting: deque[_Waiting] = deque()
        self._moved = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()
        self._committed_at = self._clock.monotonic()
        self._work = self._tasks.spawn(self._run(), f"delivery-{source.topic}-{source.partition}")

    def put(self, offset: int, letters: Iterable[Letter]) -> None:
        """What follows from the record at `offset`; ignored below the committed offset."""
        if offset >= self.first:
            self._waiting.extend(_Waiting(offset, letter) for letter in letters)
            if len(self._waiting) > WAITING_MAX:
                self._room.clear()

    def reached(self, position: int) -> None:
        """All that follows from the records before `position` has been put. Raises what has ended the work, a bug."""
        if self._work.done():
            self._work.result()
        self._position = max(self._position, position)
        self._moved.set()

    async def room(self, progress: Progress) -> None:
        """Waits while too much is waiting: a loop that stands still for that reason is alive."""
        while not self._room.is_set():
            progress.tick()
            with suppress(TimeoutError):
                async with asyncio.timeout(ROOM_SECONDS):
                    await self._room.wait()

    async def stop(self) -> None:
        await end([self._work])

    async def _run(self) -> None:
        while True:
            await self._moved.wait()
            self._moved.clear()
            while self._waiting:
                batch = [self._waiting.popleft() for _ in range(min(BATCH_MAX, len(self._waiting)))]
                if len(self._waiting) <= WAITING_MAX:
                    self._room.set()
                await self._deliver([waiting.letter for waiting in batch])
                await self._commit_up_to(self._waiting[0].offset if self._waiting else self._position)
            if self._clock.monotonic() - self._committed_at > COMMIT_SECONDS:
                await self._commit_up_to(self._position)

    async def _deliver(self, letters: Sequence[Letter]) -> None:
        by_target: dict[TopicPartition, list[Letter]] = {}
        for letter in letters:
            by_target.setdefault(self._sender.target(letter), []).append(letter)
        await asyncio.gather(*(self._in_turn(group) for group in by_target.values()))

    async def _in_turn(self, letters: Sequence[Letter]) -> None:
        for letter in letters:
            await self._sender.send_until_durable(letter, self._tasks)
            if letter.topic.endswith(".dead"):
                telemetry.dead_letters.add(1, {"topic": letter.topic})

    async def _commit_up_to(self, offset: int) -> None:
        """A commit that fails is made up for by the next one; until then the same would be sent again by others."""
        if offset > self._committed and await self._commit({self.source: offset}):
            self._committed = offset
        self._committed_at = self._clock.monotonic()
