"""The owner of one partition: restore, claim, decide, and drop everything at the first doubt."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Generic

from bus import telemetry
from bus.continuity import check_bounds, check_last_command, check_time
from bus.decider import C, Decider, E, S
from bus.header import HEADER, ID_BYTES, Claim, EventHeader, Founding, Heartbeat, OutcomeHeader, pack
from bus.inbox import Inbox
from bus.parts import Parts
from bus.pipeline import Pipeline, SendFailed
from bus.pulse import Pulse, Stalled
from bus.records import LogReader, LogUnavailable, LogWriter, NewRecord, Record, TopicPartition
from bus.shard import Shard
from bus.validity import Validity, Verdict

log = logging.getLogger(__name__)

SLICE_SECONDS = 0.008
HEARTBEAT_SECONDS = 1.0
WATCH_SECONDS = 1.0
BACKOFF_SECONDS = (0.3, 0.6)
BACKOFF_SECONDS_MAX = 5.0


class Dropped(Exception):
    """The owner no longer believes that the partition is its own. Carries why."""


@dataclass(frozen=True, slots=True)
class Shared(Generic[S, C, E]):
    """What all owners of a decider's process share."""

    decider: Decider[S, C, E]
    partitions: int
    events: LogReader
    commands: LogReader
    pulse: Pulse


class Owner(Generic[S, C, E]):
    """Owns one partition from the moment it is started until its task is cancelled."""

    def __init__(self, parts: Parts, shared: Shared[S, C, E], partition: int) -> None:
        self._parts = parts
        self._shared = shared
        self._name = shared.decider.name
        self.events = TopicPartition(f"{self._name}.events", partition)
        self.commands = TopicPartition(f"{self._name}.commands", partition)
        self._arrived = asyncio.Event()
        self.event_inbox = Inbox(shared.events, self.events, self._arrived)
        self.command_inbox = Inbox(shared.commands, self.commands, self._arrived)
        self._shard = self._fresh_shard()
        self._confirmed = Validity()
        self._stalls = 0
        self.owning = False
        self._drops = 0

    def _fresh_shard(self) -> Shard[S, C, E]:
        return Shard(self._shared.decider, self.events.partition, self._shared.partitions)

    @property
    def next_command(self) -> int:
        return self._shard.fold.validity.next_command

    async def run(
        self, new_generation: Callable[[], Awaitable[None]], still_member: Callable[[], Awaitable[bool]]
    ) -> None:
        """Owns, drops, claims again, until cancelled. `new_generation()` is awaited to cut a back-off short;
        `still_member()` tells after a stall whether the group still counts this process."""
        while True:
            try:
                await self._own()
            except (Dropped, SendFailed, Stalled, LogUnavailable) as error:
                why = f"{type(error).__name__}: {error}".rstrip(": ")
            finally:
                self._let_go()
            log.warning("%s partition %d dropped: %s", self._name, self.events.partition, why)
            telemetry.claims.add(1, {"decider": self._name, "reason": why.split(":")[0]})
            await self._back_off(new_generation)
            while not await still_member():
                await self._back_off(new_generation)

    def _let_go(self) -> None:
        self.owning = False
        self.event_inbox.close()
        self.command_inbox.close()

    async def _back_off(self, new_generation: Callable[[], Awaitable[None]]) -> None:
        low, high = BACKOFF_SECONDS
        longest = (low + (high - low) * self._parts.chance()) * 2**self._drops
        self._drops = min(self._drops + 1, 6)
        waiting = asyncio.ensure_future(new_generation())
        sleeping = asyncio.ensure_future(self._parts.tasks.sleep(min(longest, BACKOFF_SECONDS_MAX)))
        try:
            await asyncio.wait((waiting, sleeping), return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
            sleeping.cancel()

    # ---- taking the partition

    async def _own(self) -> None:
        parts = self._parts
        self._stalls = self._shared.pulse.stalls
        self._shard = self._fresh_shard()
        await self._restore()
        writer = parts.log.writer(f"{self._name}-{self.events.partition}")
        pipeline = Pipeline(writer, parts.clock, self._name)
        watching = parts.tasks.spawn(self._watch(pipeline), f"sends-{self.events.partition}")
        try:
            await _started(writer)
            await self._claim(pipeline)
            await self._decide_for_good(pipeline)
        except asyncio.CancelledError:
            await asyncio.shield(writer.stop())  # given up in order: what is decided may still land
            raise
        except Exception:
            parts.tasks.spawn(writer.stop(), f"abandoned-writer-{self.events.partition}")
            raise
        finally:
            watching.cancel()

    async def _watch(self, pipeline: Pipeline) -> None:
        """Wakes the owner when a send has failed, or has been under way for too long."""
        with suppress(SendFailed):
            while True:
                with suppress(TimeoutError):
                    async with asyncio.timeout(WATCH_SECONDS):
                        await pipeline.failed.wait()
                pipeline.check()
        self._arrived.set()

    async def _restore(self) -> None:
        _, end = await self._parts.log.bounds(self.events)
        self.event_inbox.seek(0)
        while self._shard.fold.position < end:
            await self._fold_waiting()

    async def _fold_waiting(self, up_to: bytes | None = None) -> None:
        """Folds what waits in the event inbox, in slices that leave the loop to others; waits when nothing does.

        Stops right behind the claim of owner `up_to`: another claim there is for `_confirm` to see.
        """
        if not len(self.event_inbox):
            await self._arrival()
        until = self._parts.clock.monotonic() + SLICE_SECONDS
        while (record := self.event_inbox.take()) is not None:
            self._shard.restore(record)
            self._ring()
            if self._shard.fold.validity.owner == up_to or self._parts.clock.monotonic() > until:
                break
        await self._parts.tasks.sleep(0)
        self._shared.pulse.check(self._stalls)

    async def _arrival(self) -> None:
        self._arrived.clear()
        if not len(self.event_inbox) and not len(self.command_inbox):
            await self._arrived.wait()

    async def _claim(self, pipeline: Pipeline) -> None:
        parts = self._parts
        owner = parts.entropy(ID_BYTES)
        if self._shard.fold.position == 0:
            await self._append(pipeline, Founding(parts.entropy(ID_BYTES)))
        begin, end = await parts.log.bounds(self.commands)
        await self._append(pipeline, Claim(owner, end))
        while self._shard.fold.validity.owner != owner:
            pipeline.check()
            await self._fold_waiting(owner)
        validity = self._shard.fold.validity
        check_bounds(self.commands, validity.next_command, begin, end)
        self._confirmed = Validity(
            validity.log_id, validity.claim_offset, owner, validity.commands_end, validity.next_command
        )
        self.command_inbox.seek(max(begin, validity.next_command - 1))
        telemetry.claims.add(1, {"decider": self._name, "reason": "claimed"})
        log.info(
            "%s partition %d owned: %d aggregates, next command %d, %d waiting",
            self._name,
            self.events.partition,
            len(self._shard.aggregates),
            validity.next_command,
            end - validity.next_command,
        )

    async def _append(self, pipeline: Pipeline, header: EventHeader) -> None:
        await pipeline.append(NewRecord(*self.events, None, b"", ((HEADER, pack(header)),)))

    # ---- owning it

    async def _decide_for_good(self, pipeline: Pipeline) -> None:
        beating = self._parts.tasks.spawn(self._beat(pipeline), f"heartbeat-{self.events.partition}")
        self.owning = True
        try:
            while True:
                await self._arrival()
                await self._work(pipeline)
        finally:
            beating.cancel()

    async def _beat(self, pipeline: Pipeline) -> None:
        with suppress(SendFailed):
            while True:
                await self._append(pipeline, Heartbeat(self._confirmed.owner))
                await self._parts.tasks.sleep(HEARTBEAT_SECONDS)

    async def _work(self, pipeline: Pipeline) -> None:
        """Looks at the tail first, then decides, in slices; raises at the first doubt."""
        until = self._parts.clock.monotonic() + SLICE_SECONDS
        while True:
            self._shared.pulse.check(self._stalls)
            pipeline.check()
            while (tailed := self.event_inbox.take()) is not None:
                self._confirm(tailed)
            command = self.command_inbox.take()
            if command is None:
                return
            await self._decide(command, pipeline)
            if self._parts.clock.monotonic() > until:
                await self._parts.tasks.sleep(0)
                until = self._parts.clock.monotonic() + SLICE_SECONDS

    def _confirm(self, record: Record) -> None:
        """Reads back what was appended: our own outcomes must count, and no other claim may stand behind ours."""
        judgement = self._confirmed.judge(record)
        match judgement.header:
            case Claim():
                raise Dropped("another claim stands behind ours")
            case OutcomeHeader(owner=owner) if owner == self._confirmed.owner:
                if judgement.verdict is not Verdict.VALID:
                    raise Dropped(f"an own outcome does not count: {judgement.why}")
                self._drops = 0
        if judgement.verdict not in (Verdict.VALID, Verdict.PROTOCOL):
            telemetry.records_ignored.add(1, {"decider": self._name, "verdict": judgement.verdict.value})

    async def _decide(self, record: Record, pipeline: Pipeline) -> None:
        shard, parts = self._shard, self._parts
        check_time(self.commands, record)
        expected = shard.fold.validity.next_command
        if record.offset < expected:
            check_last_command(self.commands, record, shard.last_command_id)
            return
        if record.offset > expected:
            raise Dropped(f"expected command offset {expected}, got {record.offset}")
        parent = telemetry.parse_traceparent(record.headers)
        span = telemetry.span(f"{self._name} decide", parent) if parent is not None else None
        at, now = parts.clock.log_time(record.timestamp), parts.time.now()
        decided = shard.decide(
            record, at, max(at, now), parts.entropy(32), telemetry.trace_parent(span) if span else None
        )
        header = ((HEADER, pack(decided.header)),)
        await pipeline.append(NewRecord(*self.events, decided.key, decided.value, header))
        if span is not None:
            span.set_attribute(telemetry.CODE, decided.code)
            span.end()
        telemetry.commands_decided.add(1, {"decider": self._name, "code": decided.code})
        telemetry.command_wait_ms.record(max(0, now - at), {"decider": self._name})
        self._ring()

    def _ring(self) -> None:
        for alarm in self._shard.alarms:
            log.error("%s", alarm)
            telemetry.alarms.add(1, {"kind": "shard"})
        self._shard.alarms.clear()


async def _started(writer: LogWriter) -> None:
    try:
        await writer.start()
    except Exception as error:
        raise SendFailed(f"the writer did not start: {type(error).__name__}") from error
