"""Where a watched table's first step comes from: the live cache if it is good, else the log itself."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from bus.outages import Outages, no_outages
from bus.records import TopicPartition
from gateway.history import History, Logged
from gateway.live_cache import LiveCache
from gateway.step import Change, Step, fold


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a table's events stand, and the founding id (hex) and the outages of that partition as this process has
    read it."""

    partition: TopicPartition
    log_id: str | None
    outages: Outages = field(default_factory=no_outages)


class Past:
    """`origin_of` knows the origin of a table id."""

    def __init__(self, cache: LiveCache, history: History, origin_of: Callable[[str], Origin]) -> None:
        self._cache = cache
        self._history = history
        self._origin_of = origin_of

    async def steps(self, table_id: str, version: int) -> list[Step]:
        """The table's steps up to `version` at least, maybe the newest alone.

        Raises `Unreadable`, and what `History.of` raises.
        """
        cached = await self._cache.find(table_id)
        origin = self._origin_of(table_id)
        if cached is not None and cached.version >= version and cached.log_id == origin.log_id:
            return [cached.step(origin.outages)]
        logged = await self._history.of(origin.partition, table_id)
        return fold(replace(Change.of(outcome, body), outages=origin.outages) for outcome, body in logged)

    async def outcomes(self, table_id: str) -> list[Logged]:
        """All that ever changed the table. Raises what `History.of` raises."""
        return await self._history.of(self._origin_of(table_id).partition, table_id)
