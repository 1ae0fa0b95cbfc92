"""Sending commands to a decider: durable, or its result unknown."""

import asyncio

from bus.header import TraceParent
from bus.partitioning import partition_of
from bus.records import Log, LogWriter, NewRecord
from bus.telemetry import TRACEPARENT, format_traceparent
from contracts.envelope import CommandEnvelope

SEND_SECONDS_MAX = 5.0


class SendUnknown(Exception):
    """A command may or may not have reached the log: repeat it with the same id."""


class CommandSender:
    """Appends commands to `<decider>.commands`. Any number may be under way; after a failure the writer is replaced."""

    def __init__(self, log: Log, decider: str) -> None:
        self._log = log
        self._topic = f"{decider}.commands"
        self._name = f"{decider}-sender"
        self._partitions = 0
        self._writer: LogWriter | None = None
        self._replacing = asyncio.Lock()
        self._abandoned: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        self._partitions = await self._log.partition_count(self._topic)
        await self._fresh_writer()

    async def send(self, envelope: CommandEnvelope, trace: TraceParent | None = None) -> None:
        """Returns when the command is durable. Raises `SendUnknown`."""
        record = NewRecord(
            self._topic,
            partition_of(envelope.aggregate, self._partitions),
            envelope.aggregate.encode(),
            envelope.model_dump_json().encode(),
            ((TRACEPARENT, format_traceparent(trace)),) if trace else (),
        )
        writer: LogWriter | None = None
        try:
            async with asyncio.timeout(SEND_SECONDS_MAX):
                writer = self._writer or await self._fresh_writer()
                future = await writer.append(record)
                future.add_done_callback(_look_at)
                await asyncio.shield(future)
        except Exception as error:
            if writer is not None:
                self._abandon(writer)
            raise SendUnknown(f"{self._topic}: {type(error).__name__}") from error

    async def _fresh_writer(self) -> LogWriter:
        async with self._replacing:
            if self._writer is None:
                writer = self._log.writer(self._name)
                await writer.start()
                self._writer = writer
            return self._writer

    def _abandon(self, writer: LogWriter) -> None:
        if self._writer is writer:
            self._writer = None
            task = asyncio.get_running_loop().create_task(writer.stop())
            self._abandoned.add(task)
            task.add_done_callback(self._abandoned.discard)

    async def stop(self) -> None:
        if self._writer is not None:
            await self._writer.stop()


def _look_at(future: "asyncio.Future[object]") -> None:
    """Nobody may be waiting any more when a send fails; asyncio would complain about an error that no one saw."""
    if not future.cancelled():
        future.exception()
