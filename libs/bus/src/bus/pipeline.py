"""One claim's sends: one writer, many under way, none older than eight seconds."""

import asyncio
from collections import deque
from contextlib import suppress

from bus import telemetry
from bus.clock import Clock
from bus.records import LogWriter, NewRecord

UNCONFIRMED_MAX = 2000
UNCONFIRMED_SECONDS_MAX = 8.0
WATCH_SECONDS = 1.0


class SendFailed(Exception):
    """A send failed or its result is not known: nothing after it may be believed."""


class Pipeline:
    """Appends in order and keeps watch over what is not confirmed yet. After one failure every call raises."""

    def __init__(self, writer: LogWriter, clock: Clock, name: str) -> None:
        self._writer = writer
        self._clock = clock
        self._unconfirmed: deque[tuple[float, asyncio.Future[object]]] = deque()
        self._attributes = {"decider": name}
        self._failure: str | None = None
        self.failed = asyncio.Event()

    async def append(self, record: NewRecord) -> None:
        """Hands the record to the writer; waits only while 2,000 are unconfirmed. Raises `SendFailed`."""
        self.check()
        while len(self._unconfirmed) >= UNCONFIRMED_MAX:
            await self._oldest()
        try:
            future = await self._writer.append(record)
        except Exception as error:
            self._fail(type(error).__name__)
            raise SendFailed(self._failure) from error
        self._unconfirmed.append((self._clock.monotonic(), future))
        future.add_done_callback(self._done)

    def _done(self, future: "asyncio.Future[object]") -> None:
        if future.cancelled() or future.exception() is not None:
            self._fail("cancelled" if future.cancelled() else type(future.exception()).__name__)
        if not self._unconfirmed or not self._unconfirmed[0][1].done():
            return
        sent_at, _ = self._unconfirmed[0]  # those that are confirmed together: the first has waited longest
        telemetry.outcome_confirm_ms.record((self._clock.monotonic() - sent_at) * 1000, self._attributes)
        while self._unconfirmed and self._unconfirmed[0][1].done():
            self._unconfirmed.popleft()

    def _fail(self, why: str) -> None:
        if self._failure is None:
            self._failure = why
            self.failed.set()

    async def _oldest(self) -> None:
        sent_at, future = self._unconfirmed[0]
        left = max(0.0, sent_at + UNCONFIRMED_SECONDS_MAX - self._clock.monotonic())
        await asyncio.wait((future,), timeout=left)
        self.check()

    def check(self) -> None:
        """Raises `SendFailed` after a failure, or when the oldest send is unconfirmed for eight seconds."""
        if self._unconfirmed and self._clock.monotonic() - self._unconfirmed[0][0] > UNCONFIRMED_SECONDS_MAX:
            self._fail(f"unconfirmed for {UNCONFIRMED_SECONDS_MAX:.0f} s")
        if self._failure is not None:
            raise SendFailed(self._failure)

    async def until_failed(self) -> None:
        """Returns when a send has failed, or has been under way for too long."""
        with suppress(SendFailed):
            while True:
                with suppress(TimeoutError):
                    async with asyncio.timeout(WATCH_SECONDS):
                        await self.failed.wait()
                self.check()


async def started(writer: LogWriter) -> None:
    """Starts the writer. Raises `SendFailed`."""
    try:
        await writer.start()
    except Exception as error:
        raise SendFailed(f"the writer did not start: {type(error).__name__}") from error
