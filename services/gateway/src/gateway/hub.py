"""The sockets that are open here, by account."""

import asyncio
from collections.abc import Callable, Collection, Iterable
from itertools import islice

from bus import telemetry
from contracts.api import MatchCalledOff, YourTable
from gateway.outbox import GOING_AWAY, TOO_MANY
from gateway.session import Session

SOCKETS_MAX = 32
"""Of one account, at one gateway."""


class Hub:
    """Who opens one socket too many loses the oldest. `chance` gives numbers from 0 to 1: on leaving, sockets are
    closed at random moments, so that clients do not all come to the next gateway at once."""

    def __init__(self, chance: Callable[[], float]) -> None:
        self._chance = chance
        self._sessions: dict[str, dict[Session, None]] = {}
        self._listeners: list[Callable[[str], None]] = []
        self._closing = False

    def when_gone(self, listener: Callable[[str], None]) -> None:
        """`listener` is called with the account of whoever's last socket is gone."""
        self._listeners.append(listener)

    def join(self, session: Session) -> None:
        sessions = self._sessions.setdefault(session.account, {})
        sessions[session] = None
        for oldest in islice(sessions, max(0, len(sessions) - SOCKETS_MAX)):
            oldest.finish(TOO_MANY)
        telemetry.sockets.add(1)
        if self._closing:
            session.finish(GOING_AWAY)

    def leave(self, session: Session) -> None:
        sessions = self._sessions[session.account]
        sessions.pop(session, None)
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

    def tell(self, accounts: Iterable[str], message: YourTable | MatchCalledOff) -> None:
        text = message.model_dump_json()
        for account in accounts:
            for session in self._sessions.get(account, ()):
                session.push(text)

    async def close_all(self, seconds: float) -> None:
        """Closes every socket with 1001, spread over `seconds`."""
        self._closing = True
        sessions = [session for of_account in self._sessions.values() for session in of_account]
        await asyncio.gather(*(self._close(session, self._chance() * seconds) for session in sessions))

    async def _close(self, session: Session, seconds: float) -> None:
        await asyncio.sleep(seconds)
        session.finish(GOING_AWAY)
