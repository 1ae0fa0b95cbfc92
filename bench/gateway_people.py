"""People at gateways, all in one process: `python -m bench.gateway_people`. Reads one order a line, as JSON, and
answers each with one line; times are seconds, and ms where the name says so."""

import asyncio
import json
import secrets
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import httpx
import uvloop

from bench.gateway_seat import Body, Seat
from gateway.open_files import raise_limit

CONNECTING_MAX = 50
FRESH_SECONDS = 240
"""A token that is older is renewed before it is used: they are good for ten minutes."""
RETURN_TO_SEAT = {"type": "return-to-seat"}


@dataclass(slots=True)
class _Guest:
    """`since`: when its token was signed, in seconds of this process's clock."""

    token: str
    secret: str
    since: float


class People:
    """Each order is a method."""

    def __init__(self) -> None:
        self._guests: dict[str, _Guest] = {}
        self._seats: list[Seat] = []
        self._running: list[asyncio.Task[None]] = []
        self._url = ""

    async def arrive(self, url: str, count: int, at_once: int) -> Body:
        """Makes guests, so many of them at once."""
        asking = asyncio.Semaphore(at_once)

        async def one(http: httpx.AsyncClient) -> str:
            async with asking:
                return await self._guest(http)

        async with _client(url, at_once) as http:
            began = time.monotonic()
            accounts = await asyncio.gather(*(one(http) for _ in range(count)))
            return {"accounts": accounts, "seconds": time.monotonic() - began}

    async def arrive_steadily(self, url: str, rate: float, seconds: float) -> Body:
        """Makes guests, each at its time whether or not those before have been answered; how long each took."""

        async def one(http: httpx.AsyncClient, due: float) -> float:
            await self._guest(http)
            return (time.monotonic() - due) * 1_000

        async with _client(url, 1_000) as http:
            await self._guest(http)
            began, tasks = time.monotonic(), []
            for number in range(int(rate * seconds)):
                due = began + number / rate
                await asyncio.sleep(due - time.monotonic())
                tasks.append(asyncio.create_task(one(http, due)))
            return {"ms": await asyncio.gather(*tasks)}

    async def _guest(self, http: httpx.AsyncClient) -> str:
        guest = (await http.post("/v1/guests", json={}, headers=_from_somewhere())).raise_for_status().json()
        self._guests[guest["account"]] = _Guest(guest["token"], guest["secret"], time.monotonic())
        return str(guest["account"])

    async def _renew(self, url: str, accounts: Iterable[str]) -> None:
        """The tokens of those who have been here for a while."""
        old = [self._guests[each] for each in accounts if time.monotonic() - self._guests[each].since > FRESH_SECONDS]
        asking = asyncio.Semaphore(CONNECTING_MAX)

        async def one(http: httpx.AsyncClient, guest: _Guest) -> None:
            async with asking:
                answer = await http.post("/v1/session/renew", json={"secret": guest.secret}, headers=_from_somewhere())
            guest.token, guest.since = answer.raise_for_status().json()["token"], time.monotonic()

        async with _client(url, CONNECTING_MAX) as http:
            await asyncio.gather(*(one(http, guest) for guest in old))

    async def connect(self, url: str, seats: Sequence[tuple[str, str | None]], think_seconds: float) -> Body:
        """Sockets of these accounts, at these tables; answers when all are welcomed and see them."""
        self._url = url
        await self._renew(url, [account for account, _ in seats])
        seated = [
            Seat(lambda: self._url, account, self._guests[account].token, table, think_seconds)
            for account, table in seats
        ]
        for start in range(0, len(seated), CONNECTING_MAX):
            some = seated[start : start + CONNECTING_MAX]
            self._running += [asyncio.create_task(seat.run()) for seat in some]
            await asyncio.gather(*(seat.here.wait() for seat in some))
        self._seats += seated
        return {}

    async def part(self) -> Body:
        """Ends all sockets."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        self._running, self._seats = [], []
        return {}

    async def told(self) -> Body:
        """What all seats together have been told; `newest` is the newest version of a table that both have."""
        newest: dict[str, int] = {}
        ends: Counter[str] = Counter()
        for seat in self._seats:
            ends += seat.ends
            if seat.table_id is not None:
                newest[seat.table_id] = min(seat.version, newest.get(seat.table_id, seat.version))
        counts = {
            name: sum(getattr(seat, name) for seat in self._seats) for name in ("views", "gaps", "whole", "answers")
        }
        waiting, here = sum(len(seat.waiting) for seat in self._seats), sum(seat.here.is_set() for seat in self._seats)
        return counts | {
            "waiting": waiting,
            "here": here,
            "ends": ends,
            "newest": newest,
            "last_at": max((seat.last_at for seat in self._seats), default=0.0),
        }

    async def cut(self) -> Body:
        """Breaks all connections at once; how long each seat took until its table had answered it again."""
        began = time.monotonic()
        for seat in self._seats:
            seat.cut()
        await asyncio.sleep(0)

        async def again(seat: Seat) -> float:
            seat.answered.clear()
            await seat.here.wait()
            await seat.ask(RETURN_TO_SEAT)
            await seat.answered.wait()
            return time.monotonic() - began

        for seat in self._seats:
            seat.here.clear()
        return {"seconds": await asyncio.gather(*(again(seat) for seat in self._seats))}

    async def go_elsewhere(self, url: str) -> Body:
        """Whoever loses its socket from now on comes to another gateway."""
        self._url = url
        return {}

    async def rest(self) -> Body:
        """Nobody plays on."""
        for seat in self._seats:
            seat.rest()
        return {}

    async def all_here(self) -> Body:
        """Answers when everybody has a socket and nobody waits for an answer."""
        while not all(seat.here.is_set() and not seat.waiting for seat in self._seats):
            await asyncio.sleep(0.05)
        return {}


def _from_somewhere() -> dict[str, str]:
    return {"X-Forwarded-For": ".".join(str(secrets.randbelow(254) + 1) for _ in range(4))}


def _client(url: str, connections: int) -> httpx.AsyncClient:
    limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections)
    return httpx.AsyncClient(base_url=url, timeout=60, limits=limits)


async def main() -> None:
    people, lines = People(), asyncio.StreamReader(limit=2**24)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    while line := await lines.readline():
        order: dict[str, Any] = json.loads(line)
        answer = await getattr(people, order.pop("do"))(**order)
        print(json.dumps(answer), flush=True)
    await people.part()


if __name__ == "__main__":
    raise_limit()
    uvloop.run(main())
