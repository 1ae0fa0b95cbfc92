"""`/started`, `/live`, `/ready` and `/metrics` of every process: different questions on one small port.

Started: have its parts come up, so that the loops run? Until then nobody asks whether they turn. Live: does the poll
loop still turn? It touches no dependency. Ready: are the dependencies there and the state caught up, asked with a time
limit? Metrics: the process's own Prometheus page.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping

from prometheus_client import REGISTRY, generate_latest

from bus.clock import Clock

READY_SECONDS_MAX = 2.0
REQUEST_SECONDS_MAX = 5.0
REQUEST_BYTES_MAX = 4096
Check = Callable[[], Awaitable[bool]]


class Progress:
    """The time of the last turn of a loop. `stalled` after `seconds_max` without one; 10 s unless said otherwise."""

    def __init__(self, clock: Clock, seconds_max: float = 10.0) -> None:
        self._clock = clock
        self._seconds_max = seconds_max
        self._last = clock.monotonic()

    def tick(self) -> None:
        self._last = self._clock.monotonic()

    @property
    def stalled(self) -> bool:
        return self._clock.monotonic() - self._last > self._seconds_max


class HealthServer:
    """Answers on 127.0.0.1 (or `host`); `checks` are the parts of readiness by name."""

    def __init__(self, progress: Mapping[str, Progress], checks: Mapping[str, Check]) -> None:
        self._progress = progress
        self._checks = checks
        self._server: asyncio.Server | None = None
        self.started = False

    async def start(self, port: int, host: str = "127.0.0.1") -> None:
        self._server = await asyncio.start_server(self._serve, host, port, limit=REQUEST_BYTES_MAX)

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(REQUEST_SECONDS_MAX):
                head = await reader.readuntil(b"\r\n\r\n")
                path = head.split(b" ", 2)[1].decode(errors="replace") if head.count(b" ") >= 2 else ""
                status, kind, body = await self._answer(path)
                start = f"HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\n"
                writer.write(start.encode() + b"connection: close\r\n\r\n" + body)
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError):
            pass  # whoever asked has gone, or did not ask in HTTP
        finally:
            writer.close()

    async def _answer(self, path: str) -> tuple[str, str, bytes]:
        match path.split("?")[0]:
            case "/started":
                return self._report({"started": self.started})
            case "/live":
                return self._report({name: not progress.stalled for name, progress in self._progress.items()})
            case "/ready":
                answers = await asyncio.gather(*map(self._passes, self._checks.values()))
                return self._report(dict(zip(self._checks, answers, strict=True)))
            case "/metrics":
                return "200 OK", "text/plain; version=0.0.4; charset=utf-8", generate_latest(REGISTRY)
        return "404 Not Found", "text/plain", b"expected /started, /live, /ready or /metrics\n"

    async def _passes(self, check: Check) -> bool:
        try:
            async with asyncio.timeout(READY_SECONDS_MAX):
                return await check()
        except Exception:  # noqa: BLE001 - whatever a dependency raises, it is not ready
            return False

    def _report(self, parts: dict[str, bool]) -> tuple[str, str, bytes]:
        status = "200 OK" if all(parts.values()) else "503 Service Unavailable"
        return status, "application/json", json.dumps(parts).encode() + b"\n"
