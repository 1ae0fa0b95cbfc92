"""From a player's move to the sockets of the other seats: through gateway, log, table, log and gateway again."""

import asyncio
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from statistics import quantiles

from bus.local import Home
from capicua.client import Client
from capicua.errors import Refused
from capicua.server.stack import Stack
from capicua.table import Table
from capicua.view import TableView

TABLES = 40
RATES = (50, 200)
WARM_UP_SECONDS = 5.0
SECONDS = 30.0


class Rally:
    """Tables of two whose moves are played at a fixed rate, in turn, and timed until the other seat sees them."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._to_move: asyncio.Queue[tuple[Table, TableView]] = asyncio.Queue()
        self._sent: dict[tuple[str, int], float] = {}
        self._moves: set[asyncio.Task[int]] = set()
        self._people: set[asyncio.Task[None]] = set()
        self.latencies_ms: list[float] = []
        self.starved = 0

    async def start(self) -> None:
        for _ in range(2 * TABLES):
            self._people.add(asyncio.create_task(self._person()))
        while self._to_move.qsize() < TABLES // 2:
            await asyncio.sleep(0.05)

    async def stop(self) -> None:
        for person in self._people:
            person.cancel()
        await asyncio.gather(*self._people, *self._moves, return_exceptions=True)

    async def _person(self) -> None:
        async with Client(self._url) as client:
            while True:
                await client.queue(preset="draw", seats=2, target=150)
                await self._play(await client.next_table())

    async def _play(self, table: Table) -> None:
        await table.sit()
        last_turn = 0
        async for view in table.views():
            for event in view.events:
                if event["type"] == "tile-played" and event["seat"] != view.you:
                    sent = self._sent.pop((table.id, last_turn), None)
                    if sent is not None:
                        self.latencies_ms.append((time.monotonic() - sent) * 1000)
            last_turn = view.turn
            if view.my_turn:
                self._to_move.put_nowait((table, view))
            elif view.status == "pausing" and not view.seats[(view.you or 1) - 1].ready:
                with suppress(Refused):  # the other seat may have been the last one to be waited for
                    await table.ready()

    async def play_at(self, rate: int, seconds: float) -> list[float]:
        """Moves for `seconds` at `rate` a second; the latencies in ms of those that the other seat saw."""
        self.latencies_ms = []
        began = time.monotonic()
        for number in range(int(rate * seconds)):
            await asyncio.sleep(max(0.0, began + number / rate - time.monotonic()))
            self.starved += self._to_move.empty()
            table, view = await self._to_move.get()
            self._sent[table.id, view.turn] = time.monotonic()
            move = asyncio.create_task(table.play(view.legal[0], turn=view.turn))
            self._moves.add(move)
            move.add_done_callback(self._moves.discard)
        return self.latencies_ms


async def measure() -> dict[str, float]:
    """Percentiles in ms at each rate, and the resident memory of every process in MiB after that."""
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        async with Stack(Home(Path(folder))) as stack:
            rally = Rally(stack.gateway_url)
            await rally.start()
            for rate in RATES:
                await rally.play_at(rate, WARM_UP_SECONDS)
                cuts = quantiles(await rally.play_at(rate, SECONDS), n=100)
                figures[f"move to the other seat's socket, p50 ms at {rate}/s"] = cuts[49]
                figures[f"move to the other seat's socket, p99 ms at {rate}/s"] = cuts[98]
            figures["moments without a table to move at (want 0)"] = rally.starved
            names = [*(server.name for server in stack.servers.values()), *stack.processes]
            resident_mib = {name: stack.resident_bytes(name) / 2**20 for name in names}
            figures |= {f"resident MiB of {name}": size for name, size in resident_mib.items()}
            figures["resident MiB in all"] = sum(resident_mib.values())
            await rally.stop()
    return figures


if __name__ == "__main__":
    for name, value in asyncio.run(measure()).items():
        print(f"{name}: {value:,.2f}")
