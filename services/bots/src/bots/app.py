"""The parts of the house bots' process."""

import logging
from random import Random

from bots.house_bot import House
from bots.roster import Roster
from bots.settings import BotsSettings
from bus.clock import SystemClock
from bus.health import Progress
from bus.process import Process
from capicua import Thinker


def build(settings: BotsSettings) -> Process:
    logging.getLogger("httpx").setLevel(logging.WARNING)  # it has a line for every request
    progress = Progress(SystemClock(), seconds_max=30.0)
    randomness = Random(settings.seed)
    thinker = Thinker(budget_ms=settings.budget_ms, randomness=Random(randomness.random()))
    house = House(settings.gateway_url, settings.house_key.get_secret_value(), settings.pace_ms, thinker)
    roster = Roster(house, settings.standing, randomness, progress)

    async def standing_by() -> bool:
        return roster.ready

    return Process(
        name="bots",
        loops=(roster.run,),
        stop=(roster.stop,),
        progress={"roster": progress},
        checks={"standing-by": standing_by},
    )
