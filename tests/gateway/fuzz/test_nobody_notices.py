"""Connections that say nothing, half of something, or everything without ever reading: they end, and nobody notices."""

import asyncio
import sys
import time
from contextlib import suppress

import httpx
import pytest
from tests.gateway.fuzz.budget import LONG, long_enough
from tests.gateway.fuzz.planted import Planted, somewhere
from tests.gateway.fuzz.raw import connection, frame, upgrade
from tests.gateway.fuzz.silence import silent
from tests.gateway.running import Guest

from gateway.open_files import raise_limit

pytestmark = pytest.mark.servers
SILENT = 10_000 if LONG else 0
"""More than those who have been silent from the beginning."""
NEVER_READING = 20
FILES_ELSE = 500
ENDED_SECONDS_MAX, ASKING_SECONDS = 120.0, 2.0
NOTICED_SECONDS = 2.0


async def never_reading(url: str, token: str, table_id: str) -> None:
    """Asks for everything and reads nothing, until it is hung up on or cancelled."""
    async with connection(url) as (_, writer):
        writer.write(upgrade() + frame({"type": "hello", "token": token}))
        with suppress(ConnectionError):
            for number in range(1_000_000):
                writer.write(frame({"type": "watch", "table_id": table_id}))
                writer.write(frame({"type": "follow-room", "preset": "draw"}))
                writer.write(frame({"type": "ping", "id": f"p{number}"}))
                await asyncio.wait_for(writer.drain(), ENDED_SECONDS_MAX)


async def slowest_pong(guest: Guest, until: asyncio.Event) -> float:
    """Of somebody who asks something ten times a second: how long an answer took at most, in seconds."""
    slowest = 0.0
    while not until.is_set():
        began = time.monotonic()
        await guest.say(type="ping", id="p")
        await guest.hear("pong")
        slowest = max(slowest, time.monotonic() - began)
        with suppress(TimeoutError):
            await asyncio.wait_for(until.wait(), 0.1)
    return slowest


@long_enough
async def test_nobody_notices_who_says_nothing_half_or_reads_nothing(
    secret: Planted, early: list[asyncio.Task[bytes]]
) -> None:
    count = min(SILENT, raise_limit() - FILES_ELSE)
    ended = asyncio.Event()
    async with httpx.AsyncClient(base_url=secret.url, headers=somewhere(), timeout=20) as http:
        honest, bad = await Guest.arrive(http, secret.url), await Guest.arrive(http, secret.url)
        await honest.connect()
        pinging = asyncio.create_task(slowest_pong(honest, ended))
        asking = (never_reading(secret.url, bad.token, secret.table_id) for _ in range(NEVER_READING))
        deaf = [asyncio.create_task(each) for each in asking]
        async with silent(secret.url, count) as crowd, asyncio.timeout(ENDED_SECONDS_MAX):
            said = await asyncio.gather(*early, *crowd)
            await asyncio.wait(deaf, timeout=None if LONG else ASKING_SECONDS)
        ended.set()
        slowest = await pinging
        assert (await http.get("/v1/me", headers=honest.headers)).status_code == 200
        for task in deaf:
            task.cancel()
        results = await asyncio.gather(*deaf, return_exceptions=True)
        await honest.socket.close()
    sys.stderr.write(f"silent connections: {count + len(early)}, slowest answer {slowest:.2f} s\n")
    assert slowest < NOTICED_SECONDS
    assert b" 500 " not in b"".join(said)
    assert [each for each in results if isinstance(each, Exception)] == []
