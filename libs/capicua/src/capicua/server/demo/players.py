"""The clients: each queues, plays its match at the pace of quick people, and tells how it ended."""

import asyncio
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from capicua.client import Client
from capicua.player import play_match
from capicua.server.demo.plan import THINK_SECONDS, TURNS_BEFORE_SILENCE, Plan, is_short
from capicua.view import TableView
from contracts.api import Replay
from contracts.region import Pool


@dataclass(frozen=True, slots=True)
class Ending:
    """What one client saw last. `silent`: it stopped to act early on."""

    table_id: str
    last: TableView
    silent: bool
    connections: int


class Players:
    """All clients of the demonstration, in this process. `replays` can be asked for after `play`."""

    def __init__(self, url: str, plan: Plan, randomness: Random, say: Callable[[str], None]) -> None:
        self._plan = plan
        self._randomness = randomness
        self._say = say
        self._short: dict[str, int] = {}
        self._clients = [
            Client(url, patience_seconds=math.inf, randomness=Random(randomness.random()))
            for _ in range(plan.clients_count)
        ]
        self._finished: set[str] = set()

    async def play(self) -> list[Ending]:
        """Everybody plays to the end of the match."""
        pools = [pool for pool in self._plan.pools for _ in range(pool.seats)]
        self._randomness.shuffle(pools)
        async with asyncio.TaskGroup() as tasks:
            playing = [
                tasks.create_task(self._one(client, pool)) for client, pool in zip(self._clients, pools, strict=True)
            ]
        return [task.result() for task in playing]

    async def replays(self, endings: Sequence[Ending]) -> dict[str, Replay]:
        """Every match once, each asked for by somebody who played in it."""
        asking = {ending.table_id: client for ending, client in zip(endings, self._clients, strict=True)}
        return {table_id: await client.replay(table_id) for table_id, client in asking.items()}

    async def close(self) -> None:
        await asyncio.gather(*(client.close() for client in self._clients))

    async def _one(self, client: Client, pool: Pool) -> Ending:
        await client.guest(bot=True)
        await client.queue(**pool.model_dump())
        table = await client.next_table()
        silent = is_short(pool) and self._is_silent(await table.first_view())
        last = await play_match(table, think=self._think, turns_max=TURNS_BEFORE_SILENCE if silent else None)
        self._note_end(last)
        return Ending(table.id, last, silent, client.connections_count)

    def _is_silent(self, view: TableView) -> bool:
        """The last seat of the tables that the plan says."""
        number = self._short.setdefault(view.table_id, len(self._short))
        return number in self._plan.silent and view.you == len(view.seats)

    def _note_end(self, last: TableView) -> None:
        autopilot = ", one seat by the autopilot" if any(seat.autopilot for seat in last.seats) else ""
        if last.table_id not in self._finished:
            self._finished.add(last.table_id)
            what = f"{last.ruleset['preset']}, {len(last.seats)} seats, {last.round} rounds{autopilot}"
            self._say(f"match {len(self._finished)} of {len(self._plan.pools)} over: {what}")

    async def _think(self) -> None:
        await asyncio.sleep(self._randomness.uniform(*THINK_SECONDS))
