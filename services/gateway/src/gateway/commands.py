"""Commands on their way to a decider's log, and their outcomes on the way back."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from opentelemetry.trace import SpanKind
from pydantic import BaseModel

from bus import telemetry
from bus.header import TraceParent
from bus.sender import SendUnknown
from contracts.envelope import CommandEnvelope, OutcomeBody
from gateway.answers import Answers, Asked
from gateway.identity import Identity


class Sender(Protocol):
    """`bus.sender.CommandSender`."""

    async def send(self, envelope: CommandEnvelope, trace: TraceParent | None = None) -> None: ...


class Unanswered(Exception):
    """No outcome in time: the command may or may not have had its effect. Repeat it with the same id."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command of `identity` to one aggregate of a decider; `body` is the message itself, `delay_ms` the measured
    delay of the socket that it came over, None over HTTP."""

    decider: str
    aggregate: str
    identity: Identity
    command_id: str
    body: BaseModel
    delay_ms: int | None = None

    @property
    def asked(self) -> Asked:
        return Asked(f"{self.decider}.events", self.aggregate, self.identity.account, self.command_id)

    def envelope(self) -> CommandEnvelope:
        return CommandEnvelope(
            id=self.command_id,
            principal=self.identity.account,
            aggregate=self.aggregate,
            command=self.body.model_dump(mode="json", exclude_none=True),
            human=not self.identity.bot,
            delay_ms=self.delay_ms,
        )


class Commands:
    """`senders` by decider. Waits for an outcome before it sends, so that none is missed."""

    def __init__(self, senders: Mapping[str, Sender], answers: Answers) -> None:
        self._senders = senders
        self._answers = answers

    async def ask(self, command: Command, seconds_max: float | None = None) -> OutcomeBody:
        """The outcome. Raises `Unanswered` when the log did not confirm the command, or after `seconds_max`."""
        name = command.body.model_dump(include={"type"}).get("type", "command")
        span = telemetry.span(f"ask {name}", None, SpanKind.PRODUCER, **{telemetry.AGGREGATE: command.aggregate})
        future = self._answers.expect(command.asked)
        try:
            async with asyncio.timeout(seconds_max):
                await self._senders[command.decider].send(command.envelope(), telemetry.trace_parent(span))
                return await future
        except (SendUnknown, TimeoutError):
            raise Unanswered from None
        finally:
            self._answers.forget(command.asked, future)
            span.end()
