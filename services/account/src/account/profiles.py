"""How people look to others, and what they have chosen."""

from collections.abc import Sequence

from account.accounts import Accounts
from account.mail_address import MailAddress
from account.names import NameRule
from bus.postgres import Connection
from bus.postgres.database import every, one
from contracts.account import AccountState
from contracts.account_api import Profile
from contracts.account_inner import ChangeProfile, PublicProfile, TheseAre
from contracts.names import fallback_name

_LOOK = """
SELECT asked.account, now.name, now.avatar, now.bot,
       ARRAY(SELECT account FROM accounts AS guest WHERE guest.merged_into = asked.account ORDER BY account) AS merged
FROM accounts AS asked
JOIN accounts AS now ON now.account = coalesce(asked.merged_into, asked.account)
WHERE asked.account = ANY(%s) AND now.deleted_at IS NULL AND asked.deleted_at IS NULL
"""
_PROGRAMS = "SELECT account FROM accounts WHERE owner = %s AND deleted_at IS NULL ORDER BY made_at, account"
_CHANGE = "UPDATE accounts SET avatar = coalesce(%s, avatar), language = coalesce(%s, language) WHERE account = %s"


class Profiles:
    def __init__(self, accounts: Accounts, names: NameRule) -> None:
        self._accounts = accounts
        self._names = names

    async def public(self, connection: Connection, accounts: Sequence[str]) -> TheseAre:
        """A merged guest looks like the account that it is now."""
        rows = await every(connection, _LOOK, list(accounts))
        return TheseAre(profiles={row["account"]: PublicProfile(**row) for row in rows})

    async def own(self, connection: Connection, account: str) -> Profile:
        """Raises `Refused` when there is no such account."""
        row = await self._accounts.look(connection, account)
        mail = await one(connection, "SELECT address FROM mail_addresses WHERE account = %s", account)
        programs = [program["account"] for program in await every(connection, _PROGRAMS, account)]
        return Profile(
            account=account,
            kind=row["kind"],
            name=row["name"] or fallback_name(account),
            avatar=row["avatar"],
            language=row["language"],
            mail=MailAddress(mail["address"]).hidden if mail else None,
            programs=tuple(programs),
        )

    async def change(self, connection: Connection, account: str, wanted: ChangeProfile) -> Profile:
        """Raises `Refused` when there is no such account."""
        before = await self._accounts.lock(connection, account)
        if any(value is not None and before[field] != value for field, value in wanted):
            await connection.execute(_CHANGE, [wanted.avatar, wanted.language, account])
            await self._accounts.tell(connection, [account])
        return await self.own(connection, account)

    async def choose_name(self, connection: Connection, account: str, text: str) -> AccountState:
        """Raises `Refused`."""
        before = await self._accounts.lock(connection, account)
        name = self._names.check(text, program=before["kind"] == "program")
        if before["name"] == name:
            return await self._accounts.state(connection, account)
        await connection.execute("UPDATE accounts SET name = %s WHERE account = %s", [name, account])
        (state,) = await self._accounts.tell(connection, [account])
        return state
