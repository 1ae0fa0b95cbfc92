"""Whose talk somebody does not want to hear."""

from account.accounts import Accounts
from account.refusals import Code, Refused
from bus.postgres import Connection
from bus.postgres.database import every, one
from contracts.account_inner import MutedAccounts

MUTES_MAX = 200


class AccountMutes:
    """Nothing is told of a mute: who has muted whom is those two people's affair, and gateways have bells for it."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts

    async def of(self, connection: Connection, account: str) -> MutedAccounts:
        """Raises `Refused` when there is no such account."""
        await self._accounts.look(connection, account)
        rows = await every(connection, "SELECT other FROM mutes WHERE account = %s ORDER BY other", account)
        return MutedAccounts(accounts=tuple(row["other"] for row in rows))

    async def mute(self, connection: Connection, account: str, other: str) -> MutedAccounts:
        """Raises `Refused`, also when there would be too many."""
        await self._accounts.lock(connection, account)
        query = "INSERT INTO mutes (account, other) VALUES (%s, %s) ON CONFLICT DO NOTHING"
        await connection.execute(query, [account, other])
        row = await one(connection, "SELECT count(*) AS muted FROM mutes WHERE account = %s", account)
        if row is not None and row["muted"] > MUTES_MAX:
            raise Refused(Code.TOO_MANY_MUTES, "mutes", f"at most {MUTES_MAX}", "one more")
        return await self.of(connection, account)

    async def hear_again(self, connection: Connection, account: str, other: str) -> MutedAccounts:
        """Raises `Refused` when there is no such account."""
        await connection.execute("DELETE FROM mutes WHERE account = %s AND other = %s", [account, other])
        return await self.of(connection, account)
