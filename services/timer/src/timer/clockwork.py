"""Folds event headers into alarms, and sends each timeout the moment it is due."""

import asyncio
import logging

from bus import telemetry
from bus.health import Progress
from bus.outcomes import MalformedBody, Outcome
from bus.parts import Parts
from bus.records import TopicPartition
from bus.sender import LetterSender, command_letter
from bus.tasks import end
from contracts.envelope import CommandEnvelope, TimeOut
from timer.alarms import Alarm, Alarms

log = logging.getLogger(__name__)

PRINCIPAL = "timer"
SENDING_MAX = 1000
IDLE_SECONDS_MAX = 5.0


class Clockwork:
    """What the timer's tail tells it (`bus.tail.OutcomeHandler`), and the loop that rings.

    Bodies are read only where a timeout is on its way, to see it refused as too early.
    """

    def __init__(self, parts: Parts, sender: LetterSender) -> None:
        self._parts = parts
        self._sender = sender
        self._alarms = Alarms()
        self._moved = asyncio.Event()
        self._sending: set[asyncio.Task[None]] = set()
        self.progress = Progress(parts.clock, 3 * IDLE_SECONDS_MAX)

    # ---- folding

    async def gained(self, partition: TopicPartition) -> None:
        self._alarms.gain(partition)

    def outcome(self, outcome: Outcome) -> None:
        sent = self._alarms.sent(outcome.source, outcome.aggregate)
        if sent is not None and sent.deadline == outcome.deadline:
            self._see_refusal(sent, outcome)
        self._alarms.set(outcome.source, outcome.aggregate, outcome.deadline, outcome.outages)

    def _see_refusal(self, sent: Alarm, outcome: Outcome) -> None:
        try:
            body = outcome.body()
        except MalformedBody as error:
            log.error("%s", error)
            return
        early = body.refusal is not None and body.refusal.code == "too-early"
        if early and body.principal == PRINCIPAL and body.command_id == sent.command_id:
            self._alarms.too_early(sent, outcome.logged_at, self._parts.time.now())

    async def flush(self, _partition: TopicPartition, _position: int) -> None:
        self._moved.set()

    async def caught_up(self, partition: TopicPartition) -> None:
        self._alarms.ready(partition)
        self._moved.set()

    async def lost(self, partition: TopicPartition) -> None:
        self._alarms.lose(partition)

    # ---- ringing

    async def run(self) -> None:
        """Until cancelled: sleeps until the next alarm is due or something has changed."""
        while True:
            self.progress.tick()
            self._moved.clear()
            for alarm in self._alarms.take_due(self._parts.time.now(), SENDING_MAX - len(self._sending)):
                self._ring(alarm)
            try:
                async with asyncio.timeout(self._seconds_to_sleep()):
                    await self._moved.wait()
            except TimeoutError:
                pass  # the alarm is due, or it is time to show that this loop still turns

    def _seconds_to_sleep(self) -> float:
        next_due = self._alarms.next_due
        if next_due is None or len(self._sending) >= SENDING_MAX:
            return IDLE_SECONDS_MAX
        return min(max(0, next_due + 1 - self._parts.time.now()) / 1000, IDLE_SECONDS_MAX)

    def _ring(self, alarm: Alarm) -> None:
        task = self._parts.tasks.spawn(self._send(alarm), f"timeout-{alarm.aggregate}")
        self._sending.add(task)
        task.add_done_callback(self._sent)

    def _sent(self, task: asyncio.Task[None]) -> None:
        self._sending.discard(task)
        self._moved.set()

    async def _send(self, alarm: Alarm) -> None:
        """Sends until the result is known, always under the same id, unless the deadline is no longer the newest."""
        decider = alarm.source.topic.removesuffix(".events")
        time_out = TimeOut(kind=alarm.deadline.kind, ref=alarm.deadline.ref)
        letter = command_letter(
            decider,
            CommandEnvelope(
                id=alarm.command_id, principal=PRINCIPAL, aggregate=alarm.aggregate, command=time_out.model_dump()
            ),
        )
        if await self._sender.send_until_durable(letter, self._parts.tasks, lambda: self._alarms.on_its_way(alarm)):
            lateness_ms = max(0, self._parts.time.now() - alarm.deadline.due_at)
            telemetry.timeouts_sent.add(1, {"decider": decider, "kind": alarm.deadline.kind})
            telemetry.timeout_lateness_ms.record(lateness_ms, {"decider": decider})

    async def stop(self) -> None:
        """Ends what is still being sent; whoever takes over sends it again."""
        await end(self._sending)
