"""Sending to topics that are not one's own: durable, or its result unknown."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bus.header import TraceParent
from bus.partitioning import partition_of
from bus.records import Log, LogWriter, NewRecord, TopicPartition
from bus.tasks import Tasks
from bus.telemetry import TRACEPARENT, format_traceparent
from contracts.envelope import CommandEnvelope

log = logging.getLogger(__name__)

SEND_SECONDS_MAX = 5.0
RETRY_SECONDS = 0.1
RETRY_SECONDS_MAX = 3.0


class SendUnknown(Exception):
    """A record may or may not have reached the log: repeat it, a command with the same id."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A record to send; its partition follows from `topic` and `key`. Without a value it is a tombstone."""

    topic: str
    key: str
    value: bytes | None
    trace: TraceParent | None = None


def command_letter(decider: str, envelope: CommandEnvelope, trace: TraceParent | None = None) -> Letter:
    """A command on its way to `<decider>.commands`."""
    return Letter(
        f"{decider}.commands", envelope.aggregate, envelope.model_dump_json(exclude_none=True).encode(), trace
    )


class LetterSender:
    """Appends letters to `topics`. Any number may be under way; after a failure the writer is replaced."""

    def __init__(self, log: Log, name: str, topics: Sequence[str]) -> None:
        self._log = log
        self._name = name
        self._topics = topics
        self._partitions: dict[str, int] = {}
        self._writer: LogWriter | None = None
        self._replacing = asyncio.Lock()
        self._putting_away: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        for topic in self._topics:
            self._partitions[topic] = await self._log.partition_count(topic)
        await self._fresh_writer()

    def target(self, letter: Letter) -> TopicPartition:
        """Where the letter goes."""
        return TopicPartition(letter.topic, partition_of(letter.key, self._partitions[letter.topic]))

    async def send(self, letter: Letter) -> None:
        """Returns when the letter is durable. Raises `SendUnknown`."""
        writer: LogWriter | None = None
        try:
            async with asyncio.timeout(SEND_SECONDS_MAX):
                writer = self._writer or await self._fresh_writer()
                await asyncio.shield(await writer.append(self._record_of(letter)))
        except Exception as error:
            if writer is not None:
                self._abandon(writer)
            raise SendUnknown(f"{letter.topic}: {type(error).__name__}") from error

    async def send_all(self, letters: Sequence[Letter]) -> list[bool]:
        """Sends them one behind the other and waits for them together; whether each is durable, else its result is
        unknown."""
        return await self.append_all([self._record_of(letter) for letter in letters])

    async def append_all(self, records: Sequence[NewRecord]) -> list[bool]:
        """As `send_all`, of records whose partition is known."""
        writer: LogWriter | None = None
        sending: list[asyncio.Future[object]] = []
        try:
            async with asyncio.timeout(SEND_SECONDS_MAX):
                writer = self._writer or await self._fresh_writer()
                for record in records:
                    sending.append(await writer.append(record))
                await asyncio.wait(sending)
        except Exception as error:  # noqa: BLE001 - whatever it is, the results say what is durable
            log.warning("%d records under way: %s", len(records), type(error).__name__)
        durable = [_is_durable(future) for future in sending] + [False] * (len(records) - len(sending))
        if writer is not None and not all(durable):
            self._abandon(writer)
        return durable

    def _record_of(self, letter: Letter) -> NewRecord:
        headers = ((TRACEPARENT, format_traceparent(letter.trace)),) if letter.trace else ()
        return NewRecord(*self.target(letter), letter.key.encode(), letter.value, headers)

    async def send_until_durable(self, letter: Letter, tasks: Tasks, wanted: Callable[[], bool] = lambda: True) -> bool:
        """Sends the letter again after each unknown result, for as long as it is `wanted`; whether it is durable."""
        pause = RETRY_SECONDS
        while wanted():
            try:
                await self.send(letter)
            except SendUnknown as error:
                log.warning("sent again after an unknown result: %s", error)
                await tasks.sleep(pause)
                pause = min(2 * pause, RETRY_SECONDS_MAX)
            else:
                return True
        return False

    async def _fresh_writer(self) -> LogWriter:
        async with self._replacing:
            if self._writer is None:
                writer = self._log.writer(self._name)
                try:
                    await writer.start()
                except BaseException:
                    self._put_away(writer)
                    raise
                self._writer = writer
            return self._writer

    def _abandon(self, writer: LogWriter) -> None:
        if self._writer is writer:
            self._writer = None
            self._put_away(writer)

    def _put_away(self, writer: LogWriter) -> None:
        task = asyncio.get_running_loop().create_task(writer.stop())
        self._putting_away.add(task)
        task.add_done_callback(self._putting_away.discard)

    async def stop(self) -> None:
        if self._writer is not None:
            await self._writer.stop()


def _is_durable(sending: "asyncio.Future[object]") -> bool:
    return sending.done() and not sending.cancelled() and sending.exception() is None


class CommandSender:
    """Sends commands to one decider."""

    def __init__(self, log: Log, decider: str) -> None:
        self._decider = decider
        self._sender = LetterSender(log, f"{decider}-sender", [f"{decider}.commands"])

    async def start(self) -> None:
        await self._sender.start()

    async def send(self, envelope: CommandEnvelope, trace: TraceParent | None = None) -> None:
        """Returns when the command is durable. Raises `SendUnknown`."""
        await self._sender.send(command_letter(self._decider, envelope, trace))

    async def stop(self) -> None:
        await self._sender.stop()
