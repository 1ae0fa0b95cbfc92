"""Public tables open and close while people watch their room's list: from a change's log time to every follower."""

import asyncio
import json
import sys
import tempfile
import time
from asyncio.subprocess import PIPE, Process
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from heapq import heappop, heappush
from pathlib import Path
from typing import Any

from bench.lobby_log import EVENTS, SESSION_MS, command
from bench.pace import cpu_seconds
from bus.kafka import KafkaLog
from bus.local import Home
from bus.outcomes import Outcome, PartitionFold
from bus.records import LogReader, LogWriter
from capicua.server.processes import PROCESSES, Need
from capicua.server.stack import Stack
from contracts.message import Message
from contracts.region import OfferTable, Pool, ReleaseTable, TakeSeat

TABLES = 5_000
TABLES_A_SECOND = 100
FOLLOWERS = 1_000
OPEN_SECONDS, RUN_SECONDS = 2.0, 3.0
"""How long each table has a free seat, and how long it then runs."""
POOL = Pool(preset="draw", seats=2, target=100)
TICK_SECONDS = 0.01
REST_SECONDS = 3.0
RUNNING, GONE = 100, 101
"""Stages of a table, beside the number of people at an open one."""
STAGE = {"table-offered": 1, "match-made": RUNNING, "table-released": GONE}


class Evening:
    """Two people for each table: one offers it, the other sits down, and after a while it is released, as if its match
    were over. `changes` has the log time of each table's stages, in ms."""

    def __init__(self, log: KafkaLog) -> None:
        self._log = log
        self._fold = PartitionFold(EVENTS)
        self._due: list[tuple[float, int, str, Message]] = []
        self._commands = 0
        self.released = 0
        self.changes: dict[tuple[str, int], int] = {}

    async def run(self) -> None:
        began = time.monotonic() + TICK_SECONDS
        for number in range(TABLES):
            self._plan(began + number / TABLES_A_SECOND, f"host-{number}", OfferTable(pool=POOL))
        writer, reader = self._log.writer("bench-list"), self._log.reader("bench-list")
        await writer.start()
        await reader.start([EVENTS])
        reader.seek(EVENTS, (await self._log.bounds(EVENTS))[0])
        sending = asyncio.create_task(self._send(writer))
        await self._read(reader)
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
        await reader.stop()
        await writer.stop()

    def _plan(self, at: float, principal: str, message: Message) -> None:
        self._commands += 1
        heappush(self._due, (at, self._commands, principal, message))

    async def _send(self, writer: LogWriter) -> None:
        while True:
            while self._due and self._due[0][0] <= time.monotonic():
                _, number, principal, message = heappop(self._due)
                await writer.append(command(principal, message, number))
            await asyncio.sleep(TICK_SECONDS)

    async def _read(self, reader: LogReader) -> None:
        while self.released < TABLES:
            for records in (await reader.poll(50)).values():
                for outcome in self._fold.all(records):
                    self._take(outcome)

    def _take(self, outcome: Outcome) -> None:
        body = outcome.body()
        if body.refusal is not None:
            raise SystemExit(body.refusal.message)
        for event in body.events:
            stage = STAGE.get(event["type"])
            if stage is None:
                continue
            table_id = event["table_id"]
            self.changes[table_id, stage] = outcome.logged_at
            if stage == 1:
                guest = event["host"].replace("host", "guest")
                self._plan(time.monotonic() + OPEN_SECONDS, guest, TakeSeat(table_id=table_id))
            elif stage == RUNNING:
                self._plan(time.monotonic() + RUN_SECONDS, "lobby", ReleaseTable(table_id=table_id))
            else:
                self.released += 1


async def measure() -> dict[str, float]:
    """Of all changes at all followers, in ms, and who used how much of the CPU. Lobby and gateway are processes of the
    product, as are broker and Valkey; nobody plays at the tables."""
    processes = [process for process in PROCESSES if process.name in ("lobby", "gateway", "account")]
    with tempfile.TemporaryDirectory() as folder:
        async with Stack(Home(Path(folder)), processes=processes) as stack, following(stack.gateway_url) as followers:
            log = KafkaLog(stack.servers[Need.KAFKA].address, SESSION_MS)
            pids = {name: process.pid for name, process in stack.running.items()} | {"followers": followers.pid}
            before = {name: cpu_seconds(pid) for name, pid in pids.items()}
            began, evening = time.monotonic(), Evening(log)
            await evening.run()
            seconds = time.monotonic() - began
            cores = {name: (cpu_seconds(pid) - before[name]) / seconds for name, pid in pids.items()}
            await asyncio.sleep(REST_SECONDS)
            heard = await _heard(followers)
            await log.close()
    figures = _lateness(evening.changes, heard["heard"])
    figures["followers who were lost (want 0)"] = heard["lost"]
    return figures | {f"cores used by {name}": used for name, used in cores.items()}


@asynccontextmanager
async def following(url: str) -> AsyncIterator[Process]:
    """A process of followers who all have the list."""
    argv = [sys.executable, "-m", "bench.lobby_followers", url, POOL.preset, str(FOLLOWERS)]
    process = await asyncio.create_subprocess_exec(*argv, stdin=PIPE, stdout=PIPE)
    assert process.stdout is not None
    try:
        if await process.stdout.readline() != b"following\n":
            raise SystemExit("expected all people to follow the list, got an error")
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def _heard(followers: Process) -> dict[str, Any]:
    text, _ = await followers.communicate(b"\n")
    found: dict[str, Any] = json.loads(text)
    return found


def _lateness(
    changes: dict[tuple[str, int], int], heard: Iterable[tuple[str, list[tuple[int, int]]]]
) -> dict[str, float]:
    """A change has come with the first message that shows its table at that stage or a later one."""
    left = dict(changes)
    late: Counter[int] = Counter()
    messages = 0
    for text, times in sorted(heard, key=lambda each: each[1][0]):
        messages += 1
        logged = Counter(left.pop(change) for change in _shown(json.loads(text)) if change in left)
        for at, changed in logged.items():
            for heard_at, sockets in times:
                late[heard_at - at] += changed * sockets
    return {
        "tables": TABLES,
        "changes": len(changes),
        "changes that were heard of (want all)": (len(changes) - len(left)) / len(changes),
        "of these by each follower (want all)": late.total() / (len(changes) - len(left)) / FOLLOWERS,
        "messages to each follower": messages,
        "log to follower, p50 ms": _percentile(late, 0.50),
        "log to follower, p99 ms": _percentile(late, 0.99),
        "log to follower, at most ms": max(late),
    }


def _shown(message: dict[str, Any]) -> Iterable[tuple[str, int]]:
    """Changes that a list or news of one tell, with those before them."""
    for entry in [*message.get("tables", ()), *message.get("changed", ())]:
        stages = (1, RUNNING) if entry["state"] == "running" else (1,)
        yield from ((entry["table_id"], stage) for stage in stages)
    for table_id in message.get("gone", ()):
        yield from ((table_id, stage) for stage in (1, RUNNING, GONE))


def _percentile(late: Counter[int], share: float) -> float:
    left = share * late.total()
    for ms in sorted(late):
        left -= late[ms]
        if left <= 0:
            return ms
    return max(late)


if __name__ == "__main__":
    for name, value in asyncio.run(measure()).items():
        print(f"{name}: {value:,.2f}")
