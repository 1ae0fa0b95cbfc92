"""Commands that are repeated under their id until they are durable, and the wait for their answer."""

import asyncio
import itertools
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from bench.gameday.watch import Watch, watching
from bus.kafka import KafkaLog
from bus.sender import CommandSender, SendUnknown
from contracts.envelope import CommandEnvelope, OutcomeBody
from contracts.message import Message

AGAIN_SECONDS = 0.05
ANSWER_SECONDS_MAX = 60.0


class NoAnswer(Exception):
    """A durable command has had no valid outcome for a minute."""


@dataclass(frozen=True, slots=True)
class Answer:
    """`sent_at` and `answered_at` are monotonic seconds: from the first attempt to send to the outcome being read."""

    body: OutcomeBody
    sent_at: float
    answered_at: float

    @property
    def code(self) -> str:
        """`accepted`, or why not."""
        trouble = self.body.fault or self.body.refusal
        return trouble.code if trouble else "accepted"


@dataclass
class Asking:
    """`durable`: the identities of all commands that the brokers have acknowledged: none of them may be missing."""

    sender: CommandSender
    watch: Watch
    durable: set[tuple[str, str]] = field(default_factory=set)
    repeated: int = 0
    _numbers: "itertools.count[int]" = field(default_factory=itertools.count)

    async def ask(self, aggregate: str, principal: str, command: Message) -> Answer:
        """Raises `NoAnswer`."""
        command_id = f"g{next(self._numbers)}"
        envelope = CommandEnvelope(
            id=command_id, principal=principal, aggregate=aggregate, command=command.model_dump(mode="json"), human=True
        )
        sent_at = time.monotonic()
        answered = self.watch.wait_for(principal, command_id)
        try:
            await self._send(envelope)
            self.durable.add((principal, command_id))
            async with asyncio.timeout(ANSWER_SECONDS_MAX):
                body, answered_at = await answered
        except TimeoutError:
            raise NoAnswer(f"{principal} {command_id} to {aggregate}") from None
        finally:
            self.watch.forget(principal, command_id)
        return Answer(body, sent_at, answered_at)

    async def _send(self, envelope: CommandEnvelope) -> None:
        while True:
            try:
                await self.sender.send(envelope)
            except SendUnknown:
                self.repeated += 1
                await asyncio.sleep(AGAIN_SECONDS)
            else:
                return


@asynccontextmanager
async def asking_over(log: KafkaLog) -> AsyncIterator[Asking]:
    """Asks the tables of that log, and watches it for the answers, until left."""
    async with watching(log) as watch:
        sender = CommandSender(log, "table")
        await sender.start()
        try:
            yield Asking(sender, watch)
        finally:
            await sender.stop()
