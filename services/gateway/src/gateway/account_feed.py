"""What comes in from `account.events`, and who is told of it."""

import logging
from collections.abc import Awaitable, Callable, Iterable

from pydantic import ValidationError

from bus import telemetry
from bus.records import Record
from contracts.account import AccountState
from gateway.ended import Ended
from gateway.hub import Hub
from gateway.identity import AccessTokens
from gateway.newcomers import Arrivals
from gateway.outbox import SESSION_ENDED

log = logging.getLogger(__name__)
Forget = Callable[[Iterable[str]], Awaitable[None]]
Heard = Callable[[AccountState], None]


class AccountFeed:
    """The handler of `gateway.account_reading`. What was kept of an account goes when it changes: `forget` is called
    with those that did, `heard` before with each new state."""

    def __init__(
        self, ended: Ended, arrivals: Arrivals, access: AccessTokens, hub: Hub, forget: Forget, heard: Heard
    ) -> None:
        self._ended = ended
        self._arrivals = arrivals
        self._access = access
        self._hub = hub
        self._forget = forget
        self._heard = heard
        self._changed: dict[str, None] = {}

    def record(self, record: Record) -> None:
        account = (record.key or b"").decode(errors="replace")
        if record.value is None:
            self._ended.deleted(account, record.log_time)
            self._changed[account] = None
        elif (state := _state(record)) is not None:
            self._ended.take(state, record.log_time)
            self._arrivals.arrived(state.account)
            self._heard(state)
            if state.version > 1:
                self._changed[state.account] = None
            self._hub.merged(state.account, state.merged)
        self._let_go(account)

    async def flush(self) -> None:
        if self._changed:
            changed, self._changed = self._changed, {}
            await self._forget(changed)

    def missed(self) -> None:
        """Every socket is to prove itself again."""
        log.warning("what has happened to accounts could not be heard for too long: all sockets are closed")
        for account in list(self._hub.accounts):
            for session in list(self._hub.sessions_of(account)):
                if session.identity.session is not None:
                    session.finish(SESSION_ENDED)

    def _let_go(self, account: str) -> None:
        for session in list(self._hub.sessions_of(account)):
            if not self._access.still_good(session.identity):
                session.finish(SESSION_ENDED)


def _state(record: Record) -> AccountState | None:
    try:
        return AccountState.model_validate_json(record.value or b"")
    except ValidationError:
        where = f"{record.topic}:{record.partition}:{record.offset}"
        log.error("an account's state cannot be read", extra={"fields": {"kind": "malformed-account", "where": where}})
        telemetry.alarms.add(1, {"kind": "malformed-account"})
        return None
