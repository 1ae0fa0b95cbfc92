"""All tables: which there are, and those that are watched here."""

import asyncio
import logging
from collections import OrderedDict

from bus.clock import BrokerTime, Clock
from bus.outages import Outages
from bus.outcomes import MalformedBody, Outcome
from bus.tasks import Tasks
from contracts.api import SocketError
from contracts.envelope import OutcomeBody
from gateway.codes import Code
from gateway.frames import socket_error
from gateway.history import PastUnavailable
from gateway.past import Past
from gateway.step import Change, Step, Unreadable
from gateway.watched import WatchedTable, Watcher, unreadable

log = logging.getLogger(__name__)
IDLE_SECONDS = 60.0
IDLE_MAX = 1000


class Tables:
    """Knows every table's newest version from the headers alone; keeps states only of those that are watched, and for a
    minute longer, for clients whose connection broke."""

    def __init__(self, past: Past, clock: Clock, time: BrokerTime, tasks: Tasks) -> None:
        self._past = past
        self._clock = clock
        self._time = time
        self._tasks = tasks
        self._versions: dict[str, int] = {}
        self._watched: dict[str, WatchedTable] = {}
        self._idle: OrderedDict[str, float] = OrderedDict()
        self._loading: dict[str, asyncio.Task[None]] = {}

    # ---- the log

    def note(self, outcome: Outcome) -> bool:
        """Takes note of an outcome by its header; True when it opened its table."""
        if not outcome.changes:
            return False
        if outcome.header.retires:
            self._versions.pop(outcome.aggregate, None)
            return False
        opened = outcome.aggregate not in self._versions
        self._versions[outcome.aggregate] = outcome.header.to_version
        return opened

    def wants(self, table_id: str) -> bool:
        return table_id in self._watched

    def take(self, outcome: Outcome, body: OutcomeBody) -> None:
        """The next outcome of a table that is wanted."""
        table = self._watched[outcome.aggregate]
        if not outcome.changes:
            return
        if outcome.header.retires:
            table.give_up(_retired(table.table_id))
            self._forget(table.table_id)
            return
        try:
            table.take(Change.of(outcome, body))
        except Unreadable as trouble:
            self._give_up(table, trouble)

    async def outage_ended(self, outages: Outages) -> None:
        """`outages` of one partition have one more: whoever watches a table whose deadline it puts off is told."""
        for table in list(self._watched.values()):
            newest = table.newest
            if newest is not None and newest.outages is outages and table.outage_ended():
                await self._tasks.sleep(0)

    def cannot_read(self, table_id: str) -> None:
        """The next outcome of a table that is wanted has no readable body."""
        self._give_up(self._watched[table_id], Unreadable("an outcome without a readable body"))

    # ---- people

    def __contains__(self, table_id: str) -> bool:
        return table_id in self._versions

    def newest(self, table_id: str) -> Step | None:
        """The table as it is, if it is in memory."""
        table = self._watched.get(table_id)
        return table.newest if table is not None else None

    def watch(self, table_id: str, watcher: Watcher, version: int) -> None:
        """From now on `watcher` gets every view of a known table, and first what it misses."""
        self._idle.pop(table_id, None)
        table = self._watched.get(table_id)
        if table is None:
            table = self._watched[table_id] = WatchedTable(table_id, self._time)
            self._loading[table_id] = self._tasks.spawn(self._load(table), f"load-{table_id}")
        table.add(watcher, version)

    def unwatch(self, table_id: str, watcher: Watcher) -> None:
        table = self._watched.get(table_id)
        if table is None:
            return
        table.remove(watcher)
        if not table.watched:
            self._idle[table_id] = self._clock.monotonic()
            self.evict()

    def evict(self) -> None:
        """Forgets what nobody has watched for a minute, and the oldest beyond a thousand."""
        oldest_kept = self._clock.monotonic() - IDLE_SECONDS
        while self._idle and (len(self._idle) > IDLE_MAX or next(iter(self._idle.values())) < oldest_kept):
            table_id, _ = self._idle.popitem(last=False)
            self._forget(table_id)

    async def stop(self) -> None:
        for task in self._loading.values():
            task.cancel()
        await asyncio.gather(*self._loading.values(), return_exceptions=True)

    # ---- first steps

    async def _load(self, table: WatchedTable) -> None:
        try:
            table.begin(await self._past.steps(table.table_id, self._versions.get(table.table_id, 0)))
        except (Unreadable, MalformedBody) as trouble:
            self._give_up(table, Unreadable(str(trouble)))
        except PastUnavailable as error:
            log.warning("a table's past cannot be read now", extra={"fields": {"error": str(error)}})
            table.give_up(_unavailable(table.table_id))
            self._forget(table.table_id)
        finally:
            if self._loading.get(table.table_id) is asyncio.current_task():
                del self._loading[table.table_id]

    def _give_up(self, table: WatchedTable, trouble: Unreadable) -> None:
        """A later watch tries again: by then another version of this program may run."""
        table.give_up(unreadable(table.table_id, trouble))
        self._forget(table.table_id)

    def _forget(self, table_id: str) -> None:
        self._watched.pop(table_id, None)
        self._idle.pop(table_id, None)
        loading = self._loading.pop(table_id, None)
        if loading is not None and loading is not asyncio.current_task():
            loading.cancel()


def _retired(table_id: str) -> SocketError:
    expected, got = "the id of a table", "one that was over long ago"
    return socket_error(Code.UNKNOWN_TABLE, f"table {table_id}", expected, got, table_id=table_id)


def _unavailable(table_id: str) -> SocketError:
    expected, got = "an answer of its log", "none: try again"
    return socket_error(Code.TABLE_UNAVAILABLE, f"table {table_id}", expected, got, table_id=table_id)
