"""Screens: what shows a private room to everybody who is in front of it, and can do nothing else."""

from collections.abc import Callable
from typing import Any

from redis.asyncio import Redis

from bus.clock import Clock
from gateway.bells import Bells
from gateway.identity import SCREEN_SECONDS
from gateway.room_codes import draw_code
from gateway.valkey import answering

SCREENS_MAX = 8
PAIRING_SECONDS = 24 * 60 * 60
ANSWER_SECONDS_MAX = 2.0
DRAWN_MAX = 4

# KEYS: the screen's room, the room's screens. ARGV: the screen, the code, now, until when, screens at most, seconds to
# keep. 0 when the room has too many.
_BIND = """
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[3])
local known = redis.call('ZSCORE', KEYS[2], ARGV[1])
if not known and redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[5]) then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[6])
redis.call('ZADD', KEYS[2], ARGV[4], ARGV[1])
redis.call('EXPIRE', KEYS[2], ARGV[6])
return 1
"""


class ScreensUnavailable(Exception):
    """Screens cannot be paired, nor their rooms known, just now."""


class TooManyScreens(Exception):
    """A room has eight screens at most."""


def room_bell(code: str) -> str:
    """Rung when a room is to be shown anew though nothing has happened in its log."""
    return f"room:{code}"


class Screens:
    """Which screen shows which room, in Valkey: as long as a screen's token is good, which is shorter than a code waits
    before it is used again."""

    def __init__(self, redis: Redis, bells: Bells, clock: Clock) -> None:
        self._redis: Any = redis
        self._bells = bells
        self._clock = clock
        self._bind: Any = redis.register_script(_BIND)

    async def room_of(self, screen: str) -> str | None:
        """The code of the room that `screen` shows. Raises `ScreensUnavailable`."""
        found = await self._answer(self._redis.get(_screen(screen)))
        return found.decode() if found is not None else None

    async def count(self, code: str) -> int:
        """How many screens are paired with the room; 0 too while that cannot be known."""
        try:
            return int(await self._answer(self._redis.zcount(_room(code), self._clock.wall(), "+inf")))
        except ScreensUnavailable:
            return 0

    async def wait_for_pairing(self, screen: str) -> str:
        """The code by which somebody in a room may pair `screen` within a day. Raises `ScreensUnavailable`."""
        for _ in range(DRAWN_MAX):
            pairing = draw_code()
            if await self._answer(self._redis.set(_pairing(pairing), screen, nx=True, ex=PAIRING_SECONDS)):
                return pairing
        raise ScreensUnavailable

    async def waiting(self, pairing: str) -> str | None:
        """The screen that waits under this code. Raises `ScreensUnavailable`."""
        found = await self._answer(self._redis.get(_pairing(pairing)))
        return found.decode() if found is not None else None

    async def pair(self, screen: str, code: str, pairing: str | None = None) -> None:
        """From now on `screen` shows the room. Raises `TooManyScreens` or `ScreensUnavailable`."""
        now = self._clock.wall()
        keys = [_screen(screen), _room(code)]
        arguments = [screen, code, now, now + SCREEN_SECONDS * 1000, SCREENS_MAX, SCREEN_SECONDS]
        if not await self._answer(self._bind(keys=keys, args=arguments)):
            raise TooManyScreens
        if pairing is not None:
            await self._answer(self._redis.delete(_pairing(pairing)))
        for bell in (_screen(screen), room_bell(code)):
            await self._answer(self._bells.ring(bell))

    def listen(self, screen: str, paired: Callable[[str], None]) -> None:
        """`paired` is called when `screen` may have been paired."""
        self._bells.listen(_screen(screen), paired)

    def leave(self, screen: str, paired: Callable[[str], None]) -> None:
        self._bells.leave(_screen(screen), paired)

    async def _answer(self, asked: Any) -> Any:
        async with answering(ANSWER_SECONDS_MAX, "screens cannot be looked up", ScreensUnavailable):
            return await asked


def _screen(screen: str) -> str:
    return f"screen:{screen}"


def _room(code: str) -> str:
    return f"screens-of:{code}"


def _pairing(pairing: str) -> str:
    return f"pairing:{pairing}"
