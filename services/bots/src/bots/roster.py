"""Who of the house stands by: when one is given a table, another takes its place."""

import asyncio
import logging
from random import Random

from bots.house_bot import BotState, House, HouseBot, NotLabelled
from bus.health import Progress
from capicua import CapicuaError

log = logging.getLogger(__name__)

BOTS_PER_STANDING = 8
"""So many bots at most for each that stands by: a bound on what one process plays."""
LOOK_SECONDS = 1.0
TRY_AGAIN_SECONDS = 1.0
WITHDRAW_SECONDS_MAX = 2.0


class Roster:
    """Keeps `standing` bots standing by; bots are numbered from 1 and the lowest free number starts next."""

    def __init__(self, house: House, standing: int, randomness: Random, progress: Progress) -> None:
        self._house = house
        self._standing = standing
        self._randomness = randomness
        self._progress = progress
        self._bots: dict[int, HouseBot] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._changed = asyncio.Event()

    @property
    def bots_max(self) -> int:
        return self._standing * BOTS_PER_STANDING

    @property
    def bots(self) -> list[HouseBot]:
        return list(self._bots.values())

    @property
    def ready(self) -> bool:
        """Connected and standing by, or everybody is at a table."""
        standing = [bot for bot in self._bots.values() if bot.state is BotState.STANDING_BY and bot.is_connected]
        playing = [bot for bot in self._bots.values() if bot.state is BotState.PLAYING]
        return len(standing) > 0 or len(playing) >= self.bots_max

    async def run(self) -> None:
        """Until cancelled; `stop` follows."""
        for number in range(1, self.bots_max + 1):
            await self._take_back(number)
        while True:
            self._progress.tick()
            self._fill_up()
            self._changed.clear()
            await self._until_changed()

    async def stop(self) -> None:
        """Nobody stands by any more, so that no table gets a bot that is not there; seats are kept."""
        await asyncio.gather(*(self._withdraw(bot) for bot in self._bots.values()))
        await self.end()

    async def end(self) -> None:
        """Ends every bot as it stands, seats and places in the lobby included."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _withdraw(self, bot: HouseBot) -> None:
        try:
            async with asyncio.timeout(WITHDRAW_SECONDS_MAX):
                await bot.withdraw()
        except (CapicuaError, TimeoutError) as error:
            log.warning("house bot %s still stands by: %s", bot.number, type(error).__name__)

    def _fill_up(self) -> None:
        free = (number for number in range(1, self.bots_max + 1) if number not in self._bots)
        while self._waiting_count() < self._standing:
            number = next(free, None)
            if number is None:
                return
            self._start(number)

    def _waiting_count(self) -> int:
        return sum(bot.state is not BotState.PLAYING for bot in self._bots.values())

    async def _take_back(self, number: int) -> None:
        """A bot that was at a table when the last process ended goes on there; the others start afresh."""
        self._progress.tick()
        bot = self._new(number)
        try:
            has_seat = await bot.resume_or_withdraw()
        finally:
            await bot.close()
        if has_seat:
            self._start(number)

    def _new(self, number: int) -> HouseBot:
        return HouseBot(number, self._house, Random(self._randomness.random()), self._changed.set)

    def _start(self, number: int) -> None:
        bot = self._new(number)
        self._bots[number] = bot
        self._tasks[number] = asyncio.create_task(self._live(bot), name=f"house bot {number}")

    async def _live(self, bot: HouseBot) -> None:
        """Whatever happens to one bot, the others go on."""
        try:
            await bot.run(stays=lambda: self._waiting_count() <= self._standing)
        except NotLabelled as error:
            log.error("house bot %s does not play: %s", bot.number, error)
            await asyncio.sleep(TRY_AGAIN_SECONDS)
        except CapicuaError as error:
            log.warning("house bot %s starts again: %s", bot.number, error)
            await asyncio.sleep(TRY_AGAIN_SECONDS)
        except Exception:
            log.exception("house bot %s starts again", bot.number)
            await asyncio.sleep(TRY_AGAIN_SECONDS)
        finally:
            self._bots.pop(bot.number, None)
            self._tasks.pop(bot.number, None)
            self._changed.set()

    async def _until_changed(self) -> None:
        try:
            async with asyncio.timeout(LOOK_SECONDS):
                await self._changed.wait()
        except TimeoutError:
            pass
