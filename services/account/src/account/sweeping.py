"""What need not be remembered any more is forgotten, once a minute by each replica."""

import logging
from collections.abc import Awaitable, Callable, Sequence

from bus.health import Progress
from bus.parts import Parts
from bus.postgres import Connection, Database, DatabaseAway

log = logging.getLogger(__name__)

SWEEP_SECONDS = 60.0
Sweep = Callable[[Connection], Awaitable[object]]


class Sweeping:
    """Each of `sweeps` has a transaction of its own."""

    def __init__(self, database: Database, sweeps: Sequence[Sweep], parts: Parts) -> None:
        self._database = database
        self._sweeps = sweeps
        self._tasks = parts.tasks
        self.progress = Progress(parts.clock, seconds_max=3 * SWEEP_SECONDS)

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            self.progress.tick()
            for sweep in self._sweeps:
                try:
                    async with self._database.transaction() as connection:
                        await sweep(connection)
                except DatabaseAway as error:
                    log.warning("nothing was forgotten, the database is away: %s", error)
            await self._tasks.sleep(SWEEP_SECONDS)
