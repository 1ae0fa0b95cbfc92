"""The owner of one partition: restore, claim, decide, and drop everything at the first doubt."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Generic

from bus import telemetry
from bus.backoff import Backoff
from bus.confirmed import Confirmed
from bus.continuity import check_bounds, check_last_command, check_time
from bus.decider import C, Decider, E, S
from bus.header import HEADER, ID_BYTES, Claim, CommandsSkipped, EventHeader, Founding, Heartbeat, OutcomeHeader, pack
from bus.hearing import Hearing
from bus.inbox import Inbox
from bus.outcomes import key_of
from bus.parts import Parts
from bus.pipeline import Pipeline, SendFailed, started
from bus.pulse import Pulse, Stalled
from bus.records import LogReader, LogUnavailable, NewRecord, Record, TopicPartition
from bus.restoring import Restoring, bounds_reaching, ring
from bus.shard import Shard
from bus.slice_metrics import SliceMetrics
from bus.snapshots import Snapshot, SnapshotWriter, UnreadableSnapshot
from bus.snapshots.writing import Owned
from bus.suspicion import Suspicion
from bus.validity import Verdict

log = logging.getLogger(__name__)

SLICE_SECONDS = 0.002
HEARTBEAT_SECONDS = 1.0
OWNED = "%s partition %d owned after %.1f s: %d aggregates, next command %d, %d waiting"
FOREIGN = "claimed by somebody while it was ours: does anybody but the group's members write to its events?"


class Dropped(Exception):
    """The owner no longer believes that the partition is its own. Carries why."""


class ForeignClaim(Dropped):
    """Somebody else has claimed the partition."""


@dataclass(frozen=True, slots=True)
class Shared(Generic[S, C, E]):
    """What all owners of a decider's process share. `snapshot_seconds` is None where no snapshots are kept; `court`
    is held by the one owner whose partition may hold a command that kills."""

    decider: Decider[S, C, E]
    partitions: int
    events: LogReader
    commands: LogReader
    pulse: Pulse
    snapshot_seconds: float | None = None
    court: asyncio.Lock = field(default_factory=asyncio.Lock)


class Owner(Generic[S, C, E]):
    """Owns one partition from the moment it is started until its task is cancelled."""

    def __init__(self, parts: Parts, shared: Shared[S, C, E], partition: int) -> None:
        self._parts = parts
        self._shared = shared
        self._name = shared.decider.name
        self.events = TopicPartition(f"{self._name}.events", partition)
        self.commands = TopicPartition(f"{self._name}.commands", partition)
        self._arrived = asyncio.Event()
        self._hearing = Hearing(parts.clock)
        self.event_inbox = Inbox(shared.events, self.events, self._arrived, self._hearing.read)
        self.command_inbox = Inbox(shared.commands, self.commands, self._arrived, self._hearing.read)
        self._shard = self._fresh_shard()
        self._confirmed = Confirmed(self.events)
        self._settling = False
        self._trusts_snapshots = True
        self._backoff = Backoff(parts)
        self._metrics = SliceMetrics(self._name)
        self._suspicion = Suspicion(shared.court, self.commands)
        self._stalls = 0
        self.owning = False

    def _fresh_shard(self) -> Shard[S, C, E]:
        return Shard(self._shared.decider, self.events.partition, self._shared.partitions)

    @property
    def next_command(self) -> int:
        """The first command of which the log has shown no outcome yet."""
        return self._confirmed.validity.next_command

    async def run(
        self, new_generation: Callable[[], Awaitable[None]], still_member: Callable[[], Awaitable[bool]]
    ) -> None:
        """Owns, drops, claims again, until cancelled. `new_generation()` is awaited to cut a back-off short;
        `still_member()` tells after a stall whether the group still counts this process."""
        while True:
            try:
                await self._own()
            except (Dropped, SendFailed, Stalled, LogUnavailable, UnreadableSnapshot) as error:
                self._trusts_snapshots = not isinstance(error, UnreadableSnapshot)
                why, foreign = f"{type(error).__name__}: {error}".rstrip(": "), isinstance(error, ForeignClaim)
            finally:
                self._let_go()
            log.warning("%s partition %d dropped: %s", self._name, self.events.partition, why)
            telemetry.claims.add(1, {"decider": self._name, "reason": why.split(":")[0]})
            undisturbed = await self._backoff.wait(new_generation)
            while not await still_member():
                undisturbed = False
                await self._backoff.wait(new_generation)
            if foreign and undisturbed:  # it was ours all the time: who claimed it was no member of the group
                log.error("%s partition %d: %s", self._name, self.events.partition, FOREIGN)
                telemetry.alarms.add(1, {"kind": "foreign-claim"})

    def _let_go(self) -> None:
        self.owning = False
        self._suspicion.dropped()
        self._hearing.dropped()
        self.event_inbox.close()
        self.command_inbox.close()

    # ---- taking the partition

    async def _own(self) -> None:
        parts = self._parts
        self._stalls = self._shared.pulse.stalls
        self._shard = self._fresh_shard()
        restoring = Restoring(
            parts, self._shared.decider, self._shard, self.event_inbox, self._arrival, self._check_pulse
        )
        if self._shared.snapshot_seconds is not None:
            await restoring.load(trusted=self._trusts_snapshots)
        await restoring.fold()
        alone = await self._suspicion.weigh(self._shard.fold.validity)
        self._check_pulse()
        writer = parts.log.writer(f"{self._name}-{self.events.partition}")
        pipeline = Pipeline(writer, parts.clock, self._name)
        watching = parts.tasks.spawn(self._watch(pipeline), f"sends-{self.events.partition}")
        try:
            await started(writer)
            await self._claim(pipeline, restoring, alone=alone)
            await self._decide_for_good(pipeline, restoring.snapshot)
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
        await pipeline.until_failed()
        self._arrived.set()

    def _check_pulse(self) -> None:
        self._shared.pulse.check(self._stalls)

    async def _arrival(self) -> None:
        """Waits for records of the log, and for commands when this owner may decide."""
        self._arrived.clear()
        if not len(self.event_inbox) and (self._waits_for_the_log() or not len(self.command_inbox)):
            await self._arrived.wait()

    async def _claim(self, pipeline: Pipeline, restoring: Restoring[S, C, E], *, alone: bool) -> None:
        parts = self._parts
        owner = parts.entropy(ID_BYTES)
        if self._shard.fold.position == 0:
            await self._append(pipeline, Founding(parts.entropy(ID_BYTES)))
            await restoring.read_back(pipeline.check)  # a log that began with a claim could never be told from another
        begin, end = await parts.log.bounds(self.commands)
        await self._append(pipeline, Claim(owner, end, alone))
        await restoring.read_back(pipeline.check, owner)
        shard, validity = self._shard, self._shard.fold.validity
        if validity.next_command > end:  # the owner before has gone on deciding until our claim
            begin, end = await bounds_reaching(parts, self.commands, validity.next_command)
        check_bounds(self.commands, validity.next_command, begin, end)
        await restoring.check_digest()
        self._trusts_snapshots = True
        own = validity.copy()
        self._confirmed = Confirmed(self.events, own, shard.fold.position, shard.digest, shard.last_command_id)
        validity.outages = own.outages  # what the tail shows from now on counts for decisions
        self._hearing.claimed(own.commands_end)
        self.command_inbox.seek(max(begin, validity.next_command - 1))
        telemetry.claims.add(1, {"decider": self._name, "reason": "claimed"})
        what = (len(shard.aggregates), validity.next_command, end - validity.next_command)
        log.info(OWNED, self._name, self.events.partition, restoring.seconds, *what)

    async def _append(self, pipeline: Pipeline, header: EventHeader) -> None:
        await pipeline.append(NewRecord(*self.events, None, b"", ((HEADER, pack(header)),)))

    # ---- owning it

    async def _decide_for_good(self, pipeline: Pipeline, snapshot: Snapshot) -> None:
        spawn, number = self._parts.tasks.spawn, self.events.partition
        beside = [spawn(self._beat(pipeline), f"heartbeat-{number}")]
        if self._shared.snapshot_seconds is not None:
            writer = SnapshotWriter(self._parts, self._shared.decider, number, self._owned(), snapshot)
            beside.append(spawn(writer.run(self._shared.snapshot_seconds), f"snapshots-{number}"))
        self.owning = True
        try:
            while True:
                await self._arrival()
                await self._work(pipeline)
        finally:
            for task in beside:
                task.cancel()

    def _owned(self) -> Owned[S]:
        shard, decider, confirmed = self._shard, self._shared.decider, self._confirmed
        return Owned(
            aggregates=shard.aggregates,
            retired=shard.retired,
            take_changed=shard.take_changed,
            mark=lambda: confirmed.mark(decider.rules_version, decider.snapshot_version),
            settle=self._settle,
        )

    def _settle(self, wanted: bool) -> None:
        self._settling = wanted
        self._arrived.set()

    def _waits_for_the_log(self) -> bool:
        """Whether no more may be decided until the tail has shown something."""
        return self._settling or self._hearing.waits or self._suspicion.waits

    async def _beat(self, pipeline: Pipeline) -> None:
        with suppress(SendFailed):
            while True:
                await self._append(pipeline, Heartbeat(self._confirmed.validity.owner, self._hearing.tell()))
                await self._parts.tasks.sleep(HEARTBEAT_SECONDS)

    async def _work(self, pipeline: Pipeline) -> None:
        """Looks at the tail first, then decides, in slices; raises at the first doubt."""
        until = self._parts.clock.monotonic() + SLICE_SECONDS
        while True:
            self._check_pulse()
            pipeline.check()
            while (tailed := self.event_inbox.take()) is not None:
                self._confirm(tailed)
            command = None if self._waits_for_the_log() else self.command_inbox.take()
            if command is None:
                return self._metrics.hand_over()
            await self._decide(command, pipeline)
            if self._parts.clock.monotonic() > until:
                self._metrics.hand_over()
                await self._parts.tasks.sleep(0)
                until = self._parts.clock.monotonic() + SLICE_SECONDS

    def _confirm(self, record: Record) -> None:
        """Reads back what was appended: our own outcomes must count, and no other claim may stand behind ours."""
        judgement = self._confirmed.take(record)
        match judgement.header:
            case CommandsSkipped() if judgement.verdict is Verdict.VALID:
                raise Dropped("commands of ours were passed over")
            case Claim() as claim:
                late = self._hearing.may_be_late(claim)
                raise (Dropped if late else ForeignClaim)("another claim stands behind ours")
            case OutcomeHeader(owner=owner) as header if owner == self._confirmed.validity.owner:
                if judgement.verdict is not Verdict.VALID:
                    raise Dropped(f"an own outcome does not count: {judgement.why}")
                self._shard.confirm(key_of(record), header, record.offset)
                self._suspicion.decided()
                self._backoff.reset()
            case Heartbeat(owner=owner, jump=jump) if owner == self._confirmed.validity.owner:
                self._hearing.heard(jump)
            case _:
                pass
        self._hearing.silent(self._confirmed.validity.outages.untold)
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
        at = record.log_time
        now = self._hearing.now(at)
        trace = telemetry.trace_parent(span) if span else None
        poisoned = record.offset == self._suspicion.poisoned
        decided = shard.decide(record, at, now, parts.entropy(32), trace, poisoned=poisoned)
        header = ((HEADER, pack(decided.header)),)
        await pipeline.append(NewRecord(*self.events, decided.key, decided.value, header))
        self._suspicion.sent()
        if span is not None:
            span.set_attribute(telemetry.CODE, decided.code)
            span.end()
        self._metrics.decided(decided.code, now - at)
        if shard.alarms:
            ring(shard)
