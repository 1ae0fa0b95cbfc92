"""One house bot: an ordinary client of the public API that stands by, plays where it is asked, and stands by again."""

import asyncio
import contextlib
import logging
import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from random import Random

from capicua import Client, Refused, Table, Thinker
from capicua.player import play_match

log = logging.getLogger(__name__)

PACE_VARIES = (0.6, 1.4)
ASK_AGAIN_SECONDS = 0.5


class BotState(Enum):
    STARTING = "starting"
    STANDING_BY = "standing-by"
    PLAYING = "playing"


class NotLabelled(Exception):
    """The server does not show this account as a bot, so it must not play."""


@dataclass(frozen=True, slots=True, repr=False)
class House:
    """What all house bots share: the gateway, the house's secret key, the pace of their play, the mind."""

    url: str
    key: str
    pace_ms: int
    thinker: Thinker


class HouseBot:
    """Number `number` of the house. `changed` is called whenever `state` has changed."""

    def __init__(self, number: int, house: House, randomness: Random, changed: Callable[[], None]) -> None:
        self.number = number
        self.state = BotState.STARTING
        self._house = house
        self._client = Client(house.url, patience_seconds=math.inf, randomness=randomness)
        self._randomness = randomness
        self._changed = changed

    @property
    def is_connected(self) -> bool:
        return self._client.is_connected

    async def run(self, stays: Callable[[], bool]) -> None:
        """Stands by and plays, for as long as `stays` says so after a match. Raises `NotLabelled`."""
        async with self._client as client:
            await self._enter(client)
            while True:
                table = await self._stand_by(client)
                self._become(BotState.PLAYING)
                await self._play(table)
                self._become(BotState.STARTING)
                if not stays():
                    return

    async def resume_or_withdraw(self) -> bool:
        """After a restart: True when this bot still has a seat somewhere; else it no longer stands by."""
        await self._enter(self._client)
        if (await self._client.me()).tables:
            return True
        await self._leave()
        return False

    async def withdraw(self) -> None:
        """Stands by no more; a seat at a table is kept."""
        if self.state is not BotState.PLAYING and self._client.token is not None:
            await self._leave()

    async def close(self) -> None:
        await self._client.close()

    async def _leave(self) -> None:
        with contextlib.suppress(Refused):
            await self._client.leave_queue()

    async def _enter(self, client: Client) -> None:
        if client.token is None:
            guest = await client.guest(bot=True, house_key=self._house.key, house_bot=self.number)
            if not guest.bot:
                raise NotLabelled(f"expected account {guest.account} to be labelled as a bot")

    async def _stand_by(self, client: Client) -> Table:
        """A seat may be waiting already; and just after a match the lobby may still take the last one for current."""
        seat = asyncio.ensure_future(client.next_table())
        try:
            while not await self._accepted(client) and not seat.done():
                await asyncio.wait([seat], timeout=ASK_AGAIN_SECONDS)
            self._become(BotState.STANDING_BY)
            return await seat
        finally:
            seat.cancel()

    async def _accepted(self, client: Client) -> bool:
        try:
            await client.stand_by()
        except Refused as refusal:
            if refusal.code == "already-seated":
                return False
            if refusal.code != "already-queued":
                raise
        return True

    async def _play(self, table: Table) -> None:
        try:
            last = await play_match(table, self._house.thinker.choose, self._think)
        except Refused as refusal:
            log.warning("house bot %s gave up a table: %s", self.number, refusal.code)
            return
        finally:
            await table.close()
        if last.my_seat is not None and not last.my_seat.bot:
            raise NotLabelled(f"expected seat {last.you} of table {table.id} to be labelled as a bot")

    async def _think(self) -> None:
        await asyncio.sleep(self._randomness.uniform(*PACE_VARIES) * self._house.pace_ms / 1000)

    def _become(self, state: BotState) -> None:
        self.state = state
        self._changed()
