"""Who has a place and no connection any more: noted away in the log, and back when there is one again."""

import asyncio
import math
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from itertools import islice
from typing import Protocol

from bus.clock import BrokerTime, Clock
from bus.tasks import Tasks
from contracts.message import AccountId
from gateway.hub import Hub
from gateway.places import Place
from gateway.presence import REFRESH_SECONDS, Presence, PresenceUnknown

LOOK_SECONDS = 1.0
GONE_SECONDS = 5.0
MISSED_SECONDS = 10.0
"""Longer than any gateway takes to say again whom it has, even to a Valkey that has lost everything."""
LOOKED_MAX = 500
NOTES_MAX = 200
AGAIN_SECONDS = 5.0


class Placed(Protocol):
    """`gateway.places.Places`, or whatever else people can be away from."""

    def __iter__(self) -> Iterator[AccountId]: ...

    def get(self, account: AccountId) -> Place | None: ...


Note = Callable[[AccountId, Place, bool], Awaitable[None]]


class Absences:
    """Every gateway looks after its own people, and after those whose gateway is gone. Two may note the same person:
    the decider takes it once. `note` sends that somebody is away (True) or back.

    Without Valkey nobody can be seen at other gateways: who leaves this one is noted away, and noted back by the
    gateway where that person is.
    """

    def __init__(
        self, places: Placed, hub: Hub, presence: Presence, note: Note, clock: Clock, time: BrokerTime, tasks: Tasks
    ) -> None:
        self._places = places
        self._hub = hub
        self._presence = presence
        self._note = note
        self._clock = clock
        self._time = time
        self._tasks = tasks
        self._said: dict[AccountId, float] = {}
        self._gone: OrderedDict[AccountId, float] = OrderedDict()
        self._missed: OrderedDict[AccountId, float] = OrderedDict()
        self._round: Iterator[AccountId] = iter(())
        self._noted_at: OrderedDict[tuple[AccountId, bool], float] = OrderedDict()
        self._notes: set[asyncio.Task[None]] = set()
        hub.when_gone(self._left)

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            await self.look()
            await self._tasks.sleep(LOOK_SECONDS)

    async def stop(self) -> None:
        for task in self._notes:
            task.cancel()
        await asyncio.gather(*self._notes, return_exceptions=True)

    async def look(self) -> None:
        """Says who is here, and notes who has gone, who is missed by everybody, and who is back."""
        now = self._clock.monotonic()
        await self._say_who_is_here(now)
        await self._look_for_gone(now)
        await self._look_for_missed(now)

    def _left(self, account: AccountId) -> None:
        self._gone[account] = self._clock.monotonic()

    # ---- here

    async def _say_who_is_here(self, now: float) -> None:
        here = {account: place for account in self._hub.accounts if (place := self._places.get(account)) is not None}
        for account, place in here.items():
            self._gone.pop(account, None)
            self._missed.pop(account, None)
            if place.away:
                self._send(account, place, away=False, now=now)
        no_more = [account for account in self._said if account not in here]
        for account in no_more:
            del self._said[account]
        anew = [account for account in here if now - self._said.get(account, -math.inf) >= REFRESH_SECONDS]
        try:
            for start in range(0, len(no_more), LOOKED_MAX):
                await self._presence.disconnected(no_more[start : start + LOOKED_MAX])
            for start in range(0, len(anew), LOOKED_MAX):
                await self._presence.connected(anew[start : start + LOOKED_MAX], self._time.now())
        except PresenceUnknown:
            pass
        self._said |= dict.fromkeys(anew, now)

    # ---- not here

    async def _look_for_gone(self, now: float) -> None:
        """People who were here until five seconds ago; who has no place is forgotten, whoever else waits for a look."""
        due = [account for account, since in self._gone.items() if now - since >= GONE_SECONDS]
        absent = self._absent(due)
        candidates, later = absent[:LOOKED_MAX], set(absent[LOOKED_MAX:])
        for account in due:
            if account not in later:
                del self._gone[account]
        try:
            elsewhere = await self._presence.elsewhere(candidates, self._time.now())
        except PresenceUnknown:
            elsewhere = set()
        self._note_away([account for account in candidates if account not in elsewhere], now)

    async def _look_for_missed(self, now: float) -> None:
        """Some of all others, in turn, and those again that no gateway had ten seconds ago."""
        due = [account for account, since in self._missed.items() if now - since >= MISSED_SECONDS][:LOOKED_MAX]
        candidates = self._absent([*due, *self._next()])
        try:
            elsewhere = await self._presence.elsewhere(candidates, self._time.now())
        except PresenceUnknown:
            self._missed.clear()
            return
        for account in due:
            del self._missed[account]
        missed = [account for account in candidates if account not in elsewhere]
        again = set(due)
        self._note_away([account for account in missed if account in again], now)
        self._missed |= {account: now for account in missed if account not in again}

    def _next(self) -> list[AccountId]:
        found = list(islice(self._round, LOOKED_MAX))
        if len(found) < LOOKED_MAX:
            self._round = iter(list(self._places))
        return [account for account in found if account not in self._missed and account not in self._gone]

    def _absent(self, accounts: list[AccountId]) -> list[AccountId]:
        """Those who have a place, are not here, and are not away in the log."""
        found = dict.fromkeys(account for account in accounts if account not in self._hub.accounts)
        return [account for account in found if (place := self._places.get(account)) is not None and not place.away]

    def _note_away(self, accounts: list[AccountId], now: float) -> None:
        for account in accounts:
            place = self._places.get(account)
            if place is not None and account not in self._hub.accounts:
                self._send(account, place, away=True, now=now)

    # ---- notes

    def _send(self, account: AccountId, place: Place, *, away: bool, now: float) -> None:
        """The same not again within five seconds, and so many at once at most; who is left out is found later."""
        key = account, away
        if len(self._notes) >= NOTES_MAX or now - self._noted_at.get(key, -math.inf) < AGAIN_SECONDS:
            return
        self._noted_at[key] = now
        self._noted_at.move_to_end(key)
        if len(self._noted_at) > 10 * NOTES_MAX:
            self._noted_at.popitem(last=False)
        task = self._tasks.spawn(self._tell(account, place, away), "note")
        self._notes.add(task)
        task.add_done_callback(self._notes.discard)

    async def _tell(self, account: AccountId, place: Place, away: bool) -> None:
        await self._note(account, place, away)
