"""What one gateway carries: sockets and their memory, views a second, people who come back, and new guests.

It is a process of the product, as are all others beside it; its people are one more process.
"""

import asyncio
import json
import sys
import tempfile
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from statistics import quantiles
from time import monotonic
from typing import Any, Self

from bench.gateway_tables import Tables, Written, append, heartbeats, newest_versions, openings, seats_at, tables_of
from bench.pace import cpu_seconds
from bench.telling import tell
from bus.kafka import KafkaLog
from bus.local import Home
from bus.local.process import OwnedProcess
from capicua.server.environment import process_environment
from capicua.server.processes import PROCESSES, Need
from capicua.server.stack import Stack
from gateway.open_files import raise_limit

SESSION_MS = 2000
IDLE, PLAYING, CUT, DRAINED = 5_000, 2_000, 1_000, 1_000
WARM = 100
"""Sockets that are open when memory is looked at first."""
MOVES = 60
GUESTS_AT_ONCE = 32
GUESTS_A_SECOND, GUEST_SECONDS = 50, 20
THINK_SECONDS = 2.0
PLAY_SECONDS = 10.0
SETTLE_SECONDS = 2.0
STALLED_SECONDS = 20.0
ORDER_SECONDS_MAX = 600.0
ANSWER_BYTES_MAX = 2**24
FILES_MIN = IDLE + WARM + 500
SETTINGS = {"CAPICUA_PROXIES": "1"}
"""People come from many addresses."""
ALONE = ("bots", "lobby", "table", "table-projector", "timer")
"""Not there while a gateway is measured alone."""


class Crowd:
    """The process of people: `bench.gateway_people` says what may be ordered."""

    def __init__(self, process: Process) -> None:
        self._process = process

    @classmethod
    @asynccontextmanager
    async def start(cls) -> AsyncIterator[Self]:
        argv = [sys.executable, "-m", "bench.gateway_people"]
        process = await asyncio.create_subprocess_exec(*argv, stdin=PIPE, stdout=PIPE, limit=ANSWER_BYTES_MAX)
        try:
            yield cls(process)
        finally:
            if process.returncode is None:
                process.terminate()
            await process.wait()

    async def order(self, do: str, **details: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": do, **details}).encode() + b"\n")
        async with asyncio.timeout(ORDER_SECONDS_MAX):
            line = await self._process.stdout.readline()
        if not line:
            raise SystemExit(f"expected an answer to {do}, got none")
        return json.loads(line)


async def measure() -> dict[str, float]:
    """One run; KiB, ms and seconds as each figure says. Nothing where too few files may be open."""
    if (files := raise_limit()) < FILES_MIN:
        tell(f"not measured: expected at least {FILES_MIN} open files a process, got {files}")
        return {}
    return await _alone() | await _played()


# ---- alone: what it carries


async def _alone() -> dict[str, float]:
    processes = [process for process in PROCESSES if process.name not in ALONE]
    with tempfile.TemporaryDirectory() as folder:
        stack = Stack(Home(Path(folder)), processes=processes, settings=SETTINGS)
        async with stack, Crowd.start() as crowd:
            log = KafkaLog(stack.servers[Need.KAFKA].address, SESSION_MS)
            figures, accounts = await _guests(stack, crowd)
            figures |= await _idle(stack, crowd, accounts)
            figures |= await _views(stack, crowd, log, tables_of(accounts[:PLAYING]))
            await log.close()
    return figures


async def _guests(stack: Stack, crowd: Crowd) -> tuple[dict[str, float], Sequence[str]]:
    tell("guests come")
    url = stack.gateway_url
    steady = await crowd.order("arrive_steadily", url=url, rate=GUESTS_A_SECOND, seconds=GUEST_SECONDS)
    cuts = quantiles(steady["ms"], n=100)
    many = await crowd.order("arrive", url=url, count=IDLE + WARM, at_once=GUESTS_AT_ONCE)
    return {
        f"guest made at {GUESTS_A_SECOND}/s, p50 ms": cuts[49],
        f"guest made at {GUESTS_A_SECOND}/s, p99 ms": cuts[98],
        "guests made/s, at most": len(many["accounts"]) / many["seconds"],
    }, many["accounts"]


async def _idle(stack: Stack, crowd: Crowd, accounts: Sequence[str]) -> dict[str, float]:
    tell(f"{IDLE} idle sockets")
    await stack.restart("gateway")
    await _connect(stack, crowd, accounts[:WARM])
    before = await _settled(stack)
    await _connect(stack, crowd, accounts[WARM : WARM + IDLE])
    after = await _settled(stack)
    told = await crowd.order("told")
    await crowd.order("part")
    return {
        "idle sockets": told["here"] - WARM,
        "resident KiB of each idle socket": (after - before) / IDLE / 1024,
    }


async def _views(stack: Stack, crowd: Crowd, log: KafkaLog, tables: Tables) -> dict[str, float]:
    """The log goes on as fast as the gateway reads it. Its own time of a core is what is left to get better."""
    tell(f"{2 * len(tables)} sockets see {MOVES} moves at each table")
    written = Written(tables, MOVES)
    await append(log, written.opening)
    owner = asyncio.create_task(heartbeats(log))
    await stack.restart("gateway")
    before = await _settled(stack)
    await crowd.order("connect", url=stack.gateway_url, seats=seats_at(tables), think_seconds=0)
    pid = stack.running["gateway"].pid
    shown = (await crowd.order("told"))["views"]
    cpu, began = cpu_seconds(pid), monotonic()
    writing = asyncio.create_task(append(log, written.playing))
    told = await _all_told(crowd, shown + written.views)
    views = told["views"] - shown
    seconds, cpu = told["last_at"] - began, cpu_seconds(pid) - cpu
    await writing
    after = await _settled(stack)
    tell(f"{views} views of {written.views} in {seconds:.1f} s")
    owner.cancel()
    await asyncio.gather(owner, return_exceptions=True)
    await crowd.order("part")
    return {
        "sockets of people at tables": told["here"],
        "resident KiB of each such socket, the tables too": (after - before) / told["here"] / 1024,
        "distinct seat views that came (want all)": views / written.views,
        "distinct seat views/s": views / seconds,
        "cores used by the gateway meanwhile": cpu / seconds,
        "sockets that ended (want 0)": sum(told["ends"].values()),
    }


async def _all_told(crowd: Crowd, views: int) -> Any:
    told, since = await crowd.order("told"), monotonic()
    while told["views"] < views and monotonic() - since < STALLED_SECONDS:
        await asyncio.sleep(0.25)
        before, told = told["views"], await crowd.order("told")
        if told["views"] > before:
            since = monotonic()
    return told


async def _connect(stack: Stack, crowd: Crowd, accounts: Sequence[str]) -> None:
    seats = [(account, None) for account in accounts]
    await crowd.order("connect", url=stack.gateway_url, seats=seats, think_seconds=0)


async def _settled(stack: Stack) -> int:
    """Resident bytes of the gateway, once what was just done is done."""
    await asyncio.sleep(SETTLE_SECONDS)
    return stack.resident_bytes("gateway")


# ---- with all others: who plays goes on


async def _played() -> dict[str, float]:
    processes = [process for process in PROCESSES if process.name != "bots"]
    with tempfile.TemporaryDirectory() as folder:
        stack = Stack(Home(Path(folder)), processes=processes, settings=SETTINGS)
        async with stack, Crowd.start() as crowd:
            arrived = await crowd.order("arrive", url=stack.gateway_url, count=CUT, at_once=GUESTS_AT_ONCE)
            tables = tables_of(arrived["accounts"])
            log = KafkaLog(stack.servers[Need.KAFKA].address, SESSION_MS)
            await append(log, openings(tables))
            await asyncio.sleep(SETTLE_SECONDS)
            tell(f"{CUT} people play")
            seats = seats_at(tables)
            await crowd.order("connect", url=stack.gateway_url, seats=seats, think_seconds=THINK_SECONDS)
            await asyncio.sleep(PLAY_SECONDS)
            figures = await _cut(crowd) | await _drained(stack, crowd, log, tables)
            await log.close()
    return figures


async def _cut(crowd: Crowd) -> dict[str, float]:
    tell("all are cut off")
    took = sorted((await crowd.order("cut"))["seconds"])
    await asyncio.sleep(PLAY_SECONDS)
    return {
        "people cut off at once": len(took),
        "answered by their tables again, median s": took[len(took) // 2],
        "answered by their tables again, the last s": took[-1],
    }


async def _drained(stack: Stack, crowd: Crowd, log: KafkaLog, tables: Tables) -> dict[str, float]:
    """One gateway is stopped as planned while all play; they go on at another."""
    tell("a gateway is drained")
    before = await crowd.order("told")
    async with second_gateway(stack) as url:
        await crowd.order("go_elsewhere", url=url)
        began = monotonic()
        await stack.running["gateway"].stop()
        seconds = monotonic() - began
        await asyncio.sleep(PLAY_SECONDS)
        await crowd.order("rest")
        await crowd.order("all_here")
        await asyncio.sleep(SETTLE_SECONDS)
        told = await crowd.order("told")
        newest = await newest_versions(log, tables)
    ends = {how: told["ends"][how] - before["ends"].get(how, 0) for how in told["ends"]}
    tell(f"sockets ended by {ends}")
    return {
        "sockets drained": ends.get("1001", 0),
        "sockets that ended otherwise (want 0)": sum(ends.values()) - ends.get("1001", 0),
        "seconds the drain took": seconds,
        "views missing before the goodbye (want 0)": told["gaps"] - before["gaps"],
        "commands without an answer in the end (want 0)": told["waiting"],
        "answers": told["answers"] - before["answers"],
        "tables seen whole once, not view by view": told["whole"] - before["whole"],
        "tables not at their newest version in the end (want 0)": sum(
            told["newest"][table] < version for table, version in newest.items()
        ),
    }


@asynccontextmanager
async def second_gateway(stack: Stack) -> AsyncIterator[str]:
    """``http://…``"""
    process = replace(stack.processes["gateway"], name="gateway-2")
    port = stack.home.port(process.name, variable="CAPICUA_SECOND_GATEWAY_PORT")
    told = process_environment(process, stack.home, stack.servers) | SETTINGS | {"CAPICUA_GATEWAY_PORT": str(port)}
    argv = [sys.executable, "-m", process.module]
    stack.running[process.name] = OwnedProcess.spawn(process.name, argv, stack.home, environment=told)
    try:
        await stack.wait_ready(process.name)
        yield f"http://127.0.0.1:{port}"
    finally:
        await stack.running.pop(process.name).stop()


if __name__ == "__main__":
    for name, value in asyncio.run(measure()).items():
        print(f"{name}: {value:,.2f}")
