"""Phones around a television: people in one private room, each with a browser of their own, and its screens."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from typing import Any

from tests.stories.story import Story
from tests.stories.town import Town

from capicua import Client, Room, ScreenClient, Table
from contracts.room import room_of
from contracts.room_api import PrivateRoom
from domino_rules.table import Pausing, Playing

WAIT_SECONDS = 30


class Phone:
    """One person's browser. It dies with `die`, and the same person comes back with `back`."""

    def __init__(self, url: str, token: str | None = None) -> None:
        self.url = url
        self.client = Client(url, token=token)
        self.room: Room
        self.table: Table

    @property
    def account(self) -> str:
        assert self.client.account is not None
        return self.client.account

    async def enter(self, link: str) -> None:
        """By what the QR code holds."""
        self.room = await self.client.room(link.rpartition("/")[2])
        await self.room.enter()

    async def take_seat(self) -> None:
        self.table = await self.client.next_table()
        await self.table.sit()

    async def die(self) -> None:
        await self.client.close()

    async def back(self, code: str) -> None:
        """The same session: the same person in the same seat."""
        self.client = Client(self.url, token=self.client.token)
        self.room = await self.client.room(code)
        self.table = await self.client.next_table()


class Evening:
    """A family's room, with its people in the order in which they came; the first one has opened it."""

    def __init__(self, town: Town, url: str, phones: list[Phone]) -> None:
        self.town = town
        self.url = url
        self.phones = phones
        self.dead: Phone | None = None
        self.story = Story(town, "of an evening")

    @property
    def host(self) -> Phone:
        return self.phones[0]

    @property
    def code(self) -> str:
        return self.host.room.code

    async def happened(self, tag: str, count: int = 1) -> dict[str, Any]:
        """The room's last event of this type, once there are `count`."""
        found = await self.town.watch.until(lambda: self.town.watch.events(room_of(self.code), tag)[count - 1 :])
        return found[-1]

    async def start(self) -> None:
        """The host starts a match, and everybody sits down."""
        await self.host.room.start()
        for phone in self.phones:
            await phone.take_seat()
        story = self.story
        story.table_id = self.host.table.id
        await self.town.watch.until(lambda: story.bodies)
        story.people = tuple(player.account for player in story.state.table.players)
        await self.town.watch.until(lambda: isinstance(story.state, Playing))

    async def play_while(self, wanted: Callable[[], bool]) -> None:
        """Whose turn it is plays on the own phone; for a dead one time runs out."""
        phones = {phone.account: phone for phone in self.phones if phone is not self.dead}
        story = self.story
        while isinstance(story.state, Playing) and wanted():
            phone = phones.get(story.mover)
            if phone is None:
                await story.run_out()
            else:
                await self.seen(await phone.table.play(story.legal[0], story.turn))

    async def seen(self, version: int) -> None:
        await self.town.watch.until(lambda: self.story.version >= version)

    async def play_round(self) -> int:
        """To its end; its number."""
        await self.play_while(lambda: True)
        return self.story.state.match.round_number

    async def end_pause(self, phone: Phone, ended_round: int) -> None:
        """The next round is there, and no time has passed."""
        before = self.town.time.now
        assert isinstance(self.story.state, Pausing)
        await phone.room.end_pause(ended_round)
        await self.town.watch.until(lambda: isinstance(self.story.state, Playing))
        assert self.story.state.match.round_number == ended_round + 1
        assert self.town.time.now == before


async def shown(room: Room | ScreenClient, wanted: Callable[[PrivateRoom], bool]) -> PrivateRoom:
    """The room as it is told, once it is so."""
    async with asyncio.timeout(WAIT_SECONDS), aclosing(room.views()) as views:
        async for view in views:
            if wanted(view):
                return view
    raise AssertionError("the room is closed")


@asynccontextmanager
async def evening(town: Town, url: str, ruleset: dict[str, Any], people: int) -> AsyncIterator[Evening]:
    """The host has opened the room; the others come in by its link, one after the other."""
    phones = [Phone(url) for _ in range(people)]
    async with AsyncExitStack() as stack:
        for phone in phones:
            stack.push_async_callback(phone.die)
        phones[0].room = await phones[0].client.open_room(ruleset)
        for phone in phones[1:]:
            await phone.enter(phones[0].room.link)
        yield Evening(town, url, phones)
