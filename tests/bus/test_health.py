"""The health port, asked over a real socket."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bus.clock import SystemClock
from bus.health import READY_SECONDS_MAX, Check, HealthServer, Progress
from bus.local.ports import HOST, choose_port


@asynccontextmanager
async def serving(progress: Progress, checks: dict[str, Check]) -> AsyncIterator[tuple[HealthServer, int]]:
    server, port = (
        HealthServer({"loop": progress}, checks),
        choose_port("CAPICUA_TEST_PORT", remembered=None, preferred=None, avoid=()),
    )
    await server.start(port, HOST)
    yield server, port
    await server.stop()


async def ask(port: int, path: str) -> tuple[int, bytes]:
    reader, writer = await asyncio.open_connection(HOST, port)
    writer.write(f"GET {path} HTTP/1.1\r\nhost: here\r\n\r\n".encode())
    answer = await reader.read()
    writer.close()
    head, body = answer.split(b"\r\n\r\n", 1)
    return int(head.split()[1]), body


async def yes() -> bool:
    return True


async def never() -> bool:
    await asyncio.Event().wait()
    return True


async def test_a_process_is_live_before_it_has_started() -> None:
    async with serving(Progress(SystemClock()), {}) as (server, port):
        assert (await ask(port, "/started"))[0] == 503
        assert (await ask(port, "/live"))[0] == 200
        server.started = True
        assert (await ask(port, "/started"))[0] == 200


async def test_a_loop_that_stands_still_is_not_live_and_says_which() -> None:
    async with serving(Progress(SystemClock(), seconds_max=-1), {"broker": yes}) as (_, port):
        status, body = await ask(port, "/live")
        assert (status, json.loads(body)) == (503, {"loop": False})
        assert (await ask(port, "/ready"))[0] == 200


async def test_readiness_ends_in_time_however_many_dependencies_hang() -> None:
    async with serving(Progress(SystemClock()), {"broker": never, "cache": never, "fold": yes}) as (_, port):
        began = asyncio.get_running_loop().time()
        status, body = await ask(port, "/ready")
        assert (status, json.loads(body)) == (503, {"broker": False, "cache": False, "fold": True})
        assert asyncio.get_running_loop().time() - began < READY_SECONDS_MAX * 1.5


async def test_another_path_is_told_what_there_is() -> None:
    async with serving(Progress(SystemClock()), {}) as (_, port):
        assert await ask(port, "/") == (404, b"expected /started, /live, /ready or /metrics\n")
