"""One table that somebody here watches."""

import logging
from collections.abc import Iterable
from typing import Protocol

from bus import telemetry
from bus.clock import BrokerTime
from contracts.api import SocketError
from gateway.codes import Code
from gateway.frames import socket_error
from gateway.ring import Ring
from gateway.step import Change, Step, Unreadable, fold, follow

log = logging.getLogger(__name__)


class Watcher(Protocol):
    """One socket."""

    @property
    def account(self) -> str: ...

    @property
    def accounts(self) -> tuple[str, ...]:
        """As whom this person may sit at a table: itself first, then the guests that are it by now."""
        ...

    def push(self, text: str) -> None:
        """Takes a message for the client. Never waits."""
        ...


class WatchedTable:
    """Takes changes from the moment the first watcher came. They are kept until the table's first step is known, and
    folded and sent on from then on."""

    def __init__(self, table_id: str, time: BrokerTime) -> None:
        self.table_id = table_id
        self._time = time
        self._watchers: dict[Watcher, int] = {}
        self._early: list[Change] = []
        self._ring: Ring | None = None
        self._given_back = 0

    # ---- who watches

    def add(self, watcher: Watcher, version: int) -> None:
        """`version` is the newest that the watcher has, 0 for none."""
        self._watchers[watcher] = version
        if self._ring is not None:
            self._catch_up(self._ring, watcher, version)

    def remove(self, watcher: Watcher) -> None:
        self._watchers.pop(watcher, None)

    @property
    def watched(self) -> bool:
        return bool(self._watchers)

    @property
    def newest(self) -> Step | None:
        """The table as it is, None while it is not known yet."""
        return self._ring.newest if self._ring is not None else None

    # ---- what happens

    def begin(self, steps: Iterable[Step]) -> None:
        """The table's past, at least its newest step. What came meanwhile goes on top. Raises `Unreadable`."""
        first, *later = steps
        ring = Ring(first)
        for step in [*later, *fold(self._early, (later or [first])[-1])]:
            ring.push(step)
        self._ring, self._given_back = ring, ring.newest.given_back
        self._early.clear()
        for watcher, version in self._watchers.items():
            self._catch_up(ring, watcher, version)

    def take(self, change: Change) -> None:
        """The next change in log order. Raises `Unreadable`."""
        if self._ring is None:
            self._early.append(change)
            return
        if change.to_version <= self._ring.newest.version:
            return
        step = follow(self._ring.newest, change)
        self._ring.push(step)
        self._send(step)

    def outage_ended(self) -> bool:
        """An outage has ended in the table's partition. If it puts the deadline off, everybody gets the newest version
        once more, without events; returns whether it does."""
        newest = self.newest
        if newest is None or newest.given_back == self._given_back:
            return False
        self._send(newest.since(newest.version))
        return True

    def give_up(self, error: SocketError) -> None:
        """Tells everybody that no more views will come."""
        for watcher in self._watchers:
            watcher.push(error.model_dump_json())

    # ---- sending

    def _send(self, step: Step) -> None:
        """The step to everybody, rendered once per seat."""
        self._given_back = step.given_back
        now, texts = self._time.now(), dict[int | None, str]()
        for watcher in self._watchers:
            seat = step.seat_of(*watcher.accounts)
            if seat not in texts:
                texts[seat] = step.view(seat, now).model_dump_json()
            watcher.push(texts[seat])
        telemetry.views_sent.add(len(self._watchers))

    def _catch_up(self, ring: Ring, watcher: Watcher, version: int) -> None:
        for step in ring.since(version):
            watcher.push(step.view(step.seat_of(*watcher.accounts), self._time.now()).model_dump_json())
            telemetry.views_sent.add(1)


def unreadable(table_id: str, trouble: Unreadable) -> SocketError:
    """What watchers of a table are told that cannot be read by this version."""
    log.error("a table cannot be read", extra={"fields": {"table": table_id, "trouble": str(trouble)}})
    telemetry.alarms.add(1, {"kind": Code.TABLE_UNREADABLE})
    expected = "events that this version knows"
    return socket_error(Code.TABLE_UNREADABLE, f"table {table_id}", expected, str(trouble), table_id=table_id)
