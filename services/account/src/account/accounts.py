"""Accounts as rows, and what others may know of them."""

from collections.abc import Mapping, Sequence
from typing import Any

from account.refusals import Code, Refused
from account.signing import TOKEN_SECONDS
from bus.header import TraceParent
from bus.postgres import Connection, Outbox
from bus.postgres.database import every, now, one
from bus.sender import Letter
from contracts.account import AccountState, EndedSession

EVENTS = "account.events"
PEOPLE = frozenset({"guest", "kept"})
"""The kinds of accounts that are persons' own."""
ENDED_KEPT_MS = (TOKEN_SECONDS + 60) * 1000
"""Longer than a token of an ended session can be good."""

_STATES = """
SELECT accounts.*,
       ARRAY(SELECT account FROM accounts AS guest
             WHERE guest.merged_into = accounts.account ORDER BY account) AS merged
FROM accounts
WHERE account = ANY(%s) AND deleted_at IS NULL
ORDER BY account
"""
_ENDED = """
SELECT account, session, ended_at FROM ended_sessions
WHERE account = ANY(%s) AND ended_at > %s
ORDER BY ended_at, session
"""


class Accounts:
    """What is told of an account is put into `outbox` in the transaction that changes it."""

    def __init__(self, outbox: Outbox) -> None:
        self.outbox = outbox

    async def lock(self, connection: Connection, account: str) -> dict[str, Any]:
        """The account's row, nobody else's to change until the commit; of two accounts the one with the smaller id is
        locked first. Raises `Refused` when there is none, and for a guest who is another account by now."""
        query = "SELECT * FROM accounts WHERE account = %s AND deleted_at IS NULL AND merged_into IS NULL FOR UPDATE"
        return _known(await one(connection, query, account))

    async def hold(self, connection: Connection, account: str) -> dict[str, Any]:
        """As `look`, and it is not deleted before the commit: for what is kept in other tables than its own."""
        query = "SELECT * FROM accounts WHERE account = %s AND deleted_at IS NULL FOR SHARE"
        return _known(await one(connection, query, account))

    async def look(self, connection: Connection, account: str) -> dict[str, Any]:
        """The account's row, without a lock. Raises `Refused` when there is none."""
        return _known(
            await one(connection, "SELECT * FROM accounts WHERE account = %s AND deleted_at IS NULL", account)
        )

    async def states(self, connection: Connection, accounts: Sequence[str]) -> list[AccountState]:
        """Those of them that there are, in the order of their ids."""
        rows = await every(connection, _STATES, list(accounts))
        since = await now(connection) - ENDED_KEPT_MS
        ended: dict[str, list[EndedSession]] = {}
        for row in await every(connection, _ENDED, list(accounts), since):
            ended.setdefault(row["account"], []).append(EndedSession(session=row["session"], at=row["ended_at"]))
        return [AccountState(**row, ended=tuple(ended.get(row["account"], ()))) for row in rows]

    async def state(self, connection: Connection, account: str) -> AccountState:
        """Raises `Refused` when there is none."""
        found = await self.states(connection, [account])
        if not found:
            raise unknown_account()
        return found[0]

    async def tell(
        self, connection: Connection, accounts: Sequence[str], traces: Mapping[str, TraceParent | None] | None = None
    ) -> list[AccountState]:
        """Their next versions, on their way to `account.events`. Who calls this holds their locks, or has made them.
        `traces`: what each of them is a part of, if it is not all the same."""
        await connection.execute("UPDATE accounts SET version = version + 1 WHERE account = ANY(%s)", [list(accounts)])
        states = await self.states(connection, accounts)
        traces = traces or {}
        letters = [
            Letter(EVENTS, state.account, state.model_dump_json().encode(), traces.get(state.account))
            for state in states
        ]
        await self.outbox.put(connection, letters)
        return states

    async def tell_deleted(self, connection: Connection, accounts: Sequence[str]) -> None:
        """Tombstones on their way to `account.events`."""
        await self.outbox.put(connection, [Letter(EVENTS, account, None) for account in accounts])


def unknown_account() -> Refused:
    return Refused(Code.UNKNOWN_ACCOUNT, "account", "an account", "an id without one")


def _known(row: dict[str, Any] | None) -> dict[str, Any]:
    if row is None:
        raise unknown_account()
    return row
