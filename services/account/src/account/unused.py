"""Guests to whom nobody can come back: the gateway that asked for them gave no answer, and nobody has their secret."""

from account.accounts import Accounts
from bus.postgres import Connection
from bus.postgres.database import every, now

KEPT_MS = 24 * 60 * 60 * 1000
"""Longer than any gateway waits for a guest, however slow it is."""
AT_ONCE_MAX = 500
_FORGET = """
WITH unused AS MATERIALIZED (
    SELECT account FROM sessions JOIN accounts USING (account)
    WHERE unused AND sessions.made_at < %s AND kind = 'guest' AND version = 1
    ORDER BY sessions.made_at LIMIT %s
    FOR UPDATE SKIP LOCKED
)
DELETE FROM accounts USING unused WHERE accounts.account = unused.account
RETURNING accounts.account
"""
"""The row goes too: as long as its command can come again, the inbox knows that it has been carried out."""


class UnusedGuests:
    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts

    async def forget(self, connection: Connection) -> None:
        """Those whose one session was not used for a day after it was made. Whoever uses it just now is passed by."""
        gone = await every(connection, _FORGET, await now(connection) - KEPT_MS, AT_ONCE_MAX)
        await self._accounts.tell_deleted(connection, [row["account"] for row in gone])
