"""Two hundred people play at one gateway, and it is killed: everybody has the seat and the turn back, and plays on."""

import asyncio
from collections.abc import Sequence

import pytest
from tests.stories.crowd import crowd, each, watched

from capicua import Client, Table, TableView
from capicua.player import unless_refused
from capicua.server.stack import Stack
from contracts.region import Pool

PEOPLE = 200
POOL = Pool(preset="block", seats=2, target=150)
TURNS = 2
SECONDS_MAX = 60


class Player:
    """Plays at one table until cancelled. `seen` is its newest view, `turns` counts what it has done."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.table: Table
        self.turns = 0
        self.seen: TableView | None = None
        self._moved = asyncio.Event()

    @property
    def seat(self) -> tuple[str, int | None]:
        """Its table, and where it sits there."""
        assert self.seen is not None
        return self.table.id, self.seen.you

    @property
    def is_over(self) -> bool:
        return self.seen is not None and self.seen.over

    async def sit_down(self) -> None:
        await self.client.queue(**POOL.model_dump())
        self.table = await self.client.next_table()
        await self.table.sit()

    async def play(self) -> None:
        async for view in self.table.views():
            assert self.seen is None or view.version > self.seen.version or view.put_off
            self.seen = view
            if view.my_turn:
                await self.table.play(view.legal[0])
                self.turns += 1
            elif view.status == "pausing":
                await self.table.ready()
            self._moved.set()

    async def until(self, turns: int) -> None:
        """Returns when so many turns have been played, or the match is over."""
        while self.turns < turns and not self.is_over:
            self._moved.clear()
            await self._moved.wait()


async def play_on(players: Sequence[Player]) -> None:
    """Everybody has two turns more."""
    async with asyncio.timeout(SECONDS_MAX):
        await asyncio.gather(*(player.until(player.turns + TURNS) for player in players))


@pytest.mark.timeout(150)
async def test_two_hundred_people_play_on_when_their_gateway_was_killed(stack: Stack) -> None:
    async with watched(stack) as watch, crowd(stack.gateway_url, PEOPLE) as clients:
        players = [Player(client) for client in clients]
        await each(players, Player.sit_down)
        playing = [asyncio.create_task(player.play()) for player in players]
        await play_on(players)
        before = [(player.seat, player.client.connections_count, player.client.account) for player in players]

        stack.kill("gateway")
        await stack.restart("gateway")
        await play_on(players)

        for player, (seat, welcomed, account) in zip(players, before, strict=True):
            assert (player.seat, player.client.account) == (seat, account)
            assert player.client.connections_count > welcomed or player.is_over
        for table_id in {player.table.id for player in players}:
            assert watch.events(table_id, "autopilot-started") == []
        for task in playing:
            task.cancel()
        ended = await asyncio.gather(*playing, return_exceptions=True)
        assert [end for end in ended if isinstance(end, Exception)] == []
        await each([player for player in players if not player.is_over], resign)


async def resign(player: Player) -> None:
    """Its table is over for who comes after this test."""
    await unless_refused(player.table.resign())
