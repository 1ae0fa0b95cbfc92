"""Folds event headers into alarms, and sends each timeout the moment it is due."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Sequence

from pydantic import ValidationError

from bus import telemetry
from bus.health import Progress
from bus.judging import describe
from bus.outcomes import FoldOf, MalformedBody, Outcome
from bus.parts import Parts
from bus.records import TopicPartition
from bus.sender import RETRY_SECONDS, RETRY_SECONDS_MAX, Letter, LetterSender, command_letter
from bus.tasks import end
from contracts.envelope import CommandEnvelope, TimeOut
from timer.alarms import Alarm, Alarms, decider_of
from timer.gauges import show
from timer.shelf import Shelf

log = logging.getLogger(__name__)

PRINCIPAL = "timer"
SENDING_MAX = 250
"""At once, and to one partition, from which on no more are taken: fewer than fill a writer's batch, so that a partition
which takes nothing does not hold up what is sent to others."""
IDLE_SECONDS_MAX = 5.0
SHOW_SECONDS = 5.0
SAY_SECONDS = 10.0
REST_SECONDS = 0.002
"""What falls due within it is sent together."""

Restored = Callable[[TopicPartition], Shelf | None]
Sending = tuple[Alarm, Letter]


class Clockwork:
    """What the timer's tail tells it (`bus.tail.OutcomeHandler`), and the loop that rings. `restored` gives what a
    snapshot says of a partition that is gained, `fold_of` the place of the reader in it.

    Bodies are read only where a timeout is on its way, to see it refused as too early. This machine's wall clock is
    never asked: before a fresh record has told the broker's time, it is known to be no earlier than what was heard.
    """

    def __init__(self, parts: Parts, sender: LetterSender, alarms: Alarms, restored: Restored, fold_of: FoldOf) -> None:
        self._parts = parts
        self._sender = sender
        self._alarms = alarms
        self._restored = restored
        self._fold_of = fold_of
        self._least_ahead: float | None = None
        self._moved = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._sending: Counter[TopicPartition] = Counter()
        self._gained_at: dict[TopicPartition, float] = {}
        self._said_at = self._shown_at = parts.clock.monotonic()
        self.progress = Progress(parts.clock, 3 * IDLE_SECONDS_MAX)

    # ---- folding

    async def gained(self, partition: TopicPartition) -> None:
        self._gained_at[partition] = self._parts.clock.monotonic()
        self._alarms.gain(partition, self._restored(partition))

    def outcome(self, outcome: Outcome) -> None:
        source, aggregate, deadline = outcome.source, outcome.aggregate, outcome.header.deadline
        sent = self._alarms.sent(source, aggregate)
        if sent is not None and sent.deadline == deadline:
            self._see_refusal(sent, outcome)
        self._alarms.set(source, aggregate, deadline, outcome.outages)

    def _see_refusal(self, sent: Alarm, outcome: Outcome) -> None:
        try:
            body = outcome.body()
        except MalformedBody as error:
            log.error("%s", error)
            return
        early = body.refusal is not None and body.refusal.code == "too-early"
        if early and body.principal == PRINCIPAL and body.command_id == sent.command_id:
            telemetry.timeouts_too_early.add(1, {"decider": decider_of(sent.source)})
            self._alarms.too_early(sent, outcome.logged_at, self._now() or outcome.logged_at)

    async def flush(self, partition: TopicPartition, position: int) -> None:
        self._moved.set()
        now = self._parts.clock.monotonic()
        if partition in self._gained_at and now - self._said_at > SAY_SECONDS:
            self._said_at = now
            log.info("%s:%d: read up to %d, %d alarms so far", *partition, position, len(self._alarms))

    async def caught_up(self, partition: TopicPartition) -> None:
        outages = self._fold_of(partition).validity.outages
        if outages.heard_at is not None:
            ahead = outages.heard_at - self._parts.clock.monotonic() * 1000
            self._least_ahead = ahead if self._least_ahead is None else max(ahead, self._least_ahead)
        self._alarms.ready(partition, outages)
        seconds = self._parts.clock.monotonic() - self._gained_at.pop(partition)
        telemetry.timer_restore_seconds.record(seconds, {"decider": decider_of(partition)})
        self._moved.set()

    async def lost(self, partition: TopicPartition) -> None:
        self._gained_at.pop(partition, None)
        self._alarms.lose(partition)

    # ---- ringing

    def _now(self) -> int | None:
        """Broker time in ms, or the least that it can be; None before anything was heard."""
        if self._parts.time.known:
            return self._parts.time.now()
        if self._least_ahead is None:
            return None
        return int(self._least_ahead + self._parts.clock.monotonic() * 1000)

    async def run(self) -> None:
        """Until cancelled: sleeps until the next alarm is due or something has changed."""
        while True:
            self.progress.tick()
            self._moved.clear()
            now = self._now()
            if now is not None:
                self._show(now)
                self._ring(self._alarms.take_due(now, SENDING_MAX))
            try:
                async with asyncio.timeout(self._seconds_to_sleep()):
                    await self._moved.wait()
            except TimeoutError:
                pass  # the alarm is due, or it is time to show that this loop still turns

    def _seconds_to_sleep(self) -> float:
        next_look, now = self._alarms.next_look, self._now()
        if next_look is None or now is None:
            return IDLE_SECONDS_MAX
        return min(max((next_look + 1 - now) / 1000, REST_SECONDS), IDLE_SECONDS_MAX)

    def _show(self, now: int) -> None:
        monotonic = self._parts.clock.monotonic()
        if monotonic - self._shown_at > SHOW_SECONDS:
            self._shown_at = monotonic
            show(self._alarms, now)

    def _ring(self, alarms: Sequence[Alarm]) -> None:
        letters = [(alarm, letter) for alarm in alarms if (letter := _sendable(alarm)) is not None]
        if letters:
            self._hold(letters, 1)
            task = self._parts.tasks.spawn(self._send(letters), f"timeouts-{letters[0][0].aggregate}")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _send(self, letters: list[Sending]) -> None:
        """Sends until the result is known, always under the same id, unless the deadline is no longer the newest."""
        pause = RETRY_SECONDS
        try:
            while letters := self._keep(letters, [self._alarms.on_its_way(alarm) for alarm, _ in letters]):
                durable = await self._sender.send_all([letter for _, letter in letters])
                self._count([alarm for (alarm, _), known in zip(letters, durable, strict=True) if known])
                letters = self._keep(letters, [not known for known in durable])
                if letters:
                    log.warning("%d timeouts are sent again after an unknown result", len(letters))
                    await self._parts.tasks.sleep(pause)
                    pause = min(2 * pause, RETRY_SECONDS_MAX)
        finally:
            self._keep(letters, [False] * len(letters))

    def _keep(self, letters: list[Sending], wanted: Sequence[bool]) -> list[Sending]:
        """Those that are still to be sent; the others make room for more."""
        self._hold([each for each, is_wanted in zip(letters, wanted, strict=True) if not is_wanted], -1)
        return [each for each, is_wanted in zip(letters, wanted, strict=True) if is_wanted]

    def _hold(self, letters: Sequence[Sending], change: int) -> None:
        """So many more, or fewer, are being sent: of partitions with very many no alarms are taken for now."""
        for source, count in Counter(alarm.source for alarm, _ in letters).items():
            self._sending[source] += change * count
            shelf = self._alarms.shelf(source)
            if shelf is not None:
                shelf.held = self._sending[source] >= SENDING_MAX
        if letters and change < 0:  # else this loop would never rest, and send one by one
            self._moved.set()

    def _count(self, sent: Sequence[Alarm]) -> None:
        now = self._now() or 0
        by_kind: Counter[tuple[str, str]] = Counter()
        for alarm in sent:
            decider = decider_of(alarm.source)
            by_kind[decider, alarm.deadline.kind] += 1
            telemetry.timeout_lateness_ms.record(max(0, now - alarm.due_at), {"decider": decider})
        for (decider, kind), count in by_kind.items():
            telemetry.timeouts_sent.add(count, {"decider": decider, "kind": kind})

    async def stop(self) -> None:
        """Ends what is still being sent; whoever takes over sends it again."""
        await end(self._tasks)


def _sendable(alarm: Alarm) -> Letter | None:
    """None where a header names what no command can be for: whatever rings with it must not suffer."""
    try:
        return letter_of(alarm)
    except ValidationError as error:
        log.error("%s:%d: a deadline has no timeout: %s", *alarm.source, describe(error))
        return None


def letter_of(alarm: Alarm) -> Letter:
    deadline = alarm.deadline
    command = TimeOut(kind=deadline.kind, ref=deadline.ref).model_dump()
    envelope = CommandEnvelope(id=alarm.command_id, principal=PRINCIPAL, aggregate=alarm.aggregate, command=command)
    return command_letter(decider_of(alarm.source), envelope)
