"""The sockets that are open here, by account."""

import asyncio
from collections.abc import Callable, Collection, Iterable
from itertools import islice

from bus import telemetry
from contracts.api import MatchCalledOff, YourTable
from gateway.codes import Code
from gateway.outbox import GOING_AWAY, NO_ROOM, TOO_MANY
from gateway.session import Session

SOCKETS_MAX = 32
"""Of one account, at one gateway."""


class Hub:
    """Who opens one socket too many loses the oldest. `chance` gives numbers from 0 to 1: on leaving, sockets are
    closed at random moments, so that clients do not all come to the next gateway at once.

    While `is_nearly_full`, whoever comes without a seat (`has_seat`) is sent away, and for whoever comes with one the
    socket without one that is open for longest is.
    """

    def __init__(self, chance: Callable[[], float], has_seat: Callable[[str], bool] = lambda _: True) -> None:
        self._chance = chance
        self._has_seat = has_seat
        self.is_nearly_full: Callable[[], bool] = lambda: False
        self._order: dict[Session, None] = {}
        self._sessions: dict[str, dict[Session, None]] = {}
        self._by_guest: dict[str, dict[Session, None]] = {}
        self._listeners: list[Callable[[str], None]] = []
        self._closing = False
        self._nobody = asyncio.Event()
        self._nobody.set()

    def when_gone(self, listener: Callable[[str], None]) -> None:
        """`listener` is called with the account of whoever's last socket is gone."""
        self._listeners.append(listener)

    def join(self, session: Session) -> None:
        sessions = self._sessions.setdefault(session.account, {})
        sessions[session] = self._order[session] = None
        self._note_guests(session)
        self._nobody.clear()
        for oldest in islice(sessions, max(0, len(sessions) - SOCKETS_MAX)):
            oldest.finish(TOO_MANY)
        telemetry.sockets.add(1)
        if self._closing:
            session.finish(GOING_AWAY)
        elif self.is_nearly_full():
            self._make_room(session)

    def _make_room(self, newest: Session) -> None:
        for session in [newest, *self._order]:
            if not any(map(self._has_seat, session.accounts)) and not session.finished:
                session.finish(NO_ROOM)
                telemetry.requests_refused.add(1, {telemetry.CODE: Code.GATEWAY_FULL})
                return

    def leave(self, session: Session) -> None:
        sessions = self._sessions[session.account]
        sessions.pop(session, None)
        self._order.pop(session, None)
        for guest in session.accounts[1:]:
            of_guest = self._by_guest[guest]
            of_guest.pop(session, None)
            if not of_guest:
                del self._by_guest[guest]
        if not self._order:
            self._nobody.set()
        if not sessions:
            del self._sessions[session.account]
            for listener in self._listeners:
                listener(session.account)
        telemetry.sockets.add(-1)

    @property
    def accounts(self) -> Collection[str]:
        """Everybody who has a socket here."""
        return self._sessions.keys()

    def sessions_of(self, account: str) -> Collection[Session]:
        return self._sessions.get(account, ())

    def merged(self, account: str, guests: Iterable[str]) -> None:
        """These guests are `account` by now: who is here with it sits where they sit."""
        told = frozenset(guests)
        for session in self._sessions.get(account, ()) if told else ():
            session.merged(told)
            self._note_guests(session)

    def _note_guests(self, session: Session) -> None:
        for guest in session.accounts[1:]:
            self._by_guest.setdefault(guest, {})[session] = None

    def tell(self, accounts: Iterable[str], message: YourTable | MatchCalledOff) -> None:
        text = message.model_dump_json()
        told: dict[Session, None] = {}
        for account in accounts:
            told |= self._sessions.get(account, {}) | self._by_guest.get(account, {})
        for session in told:
            session.push(text)

    async def close_all(self, seconds: float) -> None:
        """Closes every socket with 1001, spread over `seconds`."""
        self._closing = True
        sessions = [session for of_account in self._sessions.values() for session in of_account]
        await asyncio.gather(*(self._close(session, self._chance() * seconds) for session in sessions))

    async def gone(self) -> None:
        """Waits until nobody has a socket here."""
        await self._nobody.wait()

    async def _close(self, session: Session, seconds: float) -> None:
        await asyncio.sleep(seconds)
        session.finish(GOING_AWAY)
