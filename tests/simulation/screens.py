"""A screen: it shows a private room to everybody who is in front of it."""

import random
from contextlib import suppress
from typing import TYPE_CHECKING

from tests.simulation.gateways import REGION
from tests.simulation.processes import elapse
from tests.simulation.seeking import ASK_SECONDS

from gateway.identity import Identity
from gateway.problems import ProblemError

if TYPE_CHECKING:
    from tests.simulation.world import World


class Screen:
    """Looks at the room that it is paired with, and sometimes still at the one before."""

    def __init__(self, world: "World", chance: random.Random) -> None:
        self._world = world
        self._chance = chance
        self._identity = Identity("screen", REGION, screen=True)

    async def live(self) -> None:
        shown: str | None = None
        while True:
            await elapse(0.2 + self._chance.random())
            if shown is None or self._chance.random() < 0.8:
                shown = self._world.valkey.paired
            if shown is not None and not self._world.quiet:
                await self._look(shown)

    async def _look(self, code: str) -> None:
        gateway = await self._world.gateway()
        ask = gateway.requests["look_at_a_room"](code, self._identity, None)
        with suppress(ProblemError, TimeoutError):
            await gateway.within(ask, ASK_SECONDS)
