"""What the link of a mail does: an account is kept by the address, or somebody comes back to the account that has it.

Locks are taken in one order by everybody: the address, then accounts by their ids, then the link.
"""

from collections.abc import Iterable
from typing import Any

from account.accounts import PEOPLE, Accounts
from account.links import Link, bad_link, find_link, lock_address, take_link
from account.mail_address import MailAddress
from account.mail_queue import put_notice
from account.mutes import MUTES_MAX
from account.refusals import Code, Refused
from account.sessions import AccountSessions
from bus.postgres import Connection
from bus.postgres.database import every, now, one
from contracts.account_api import PROGRAMS_MAX
from contracts.account_inner import Entered, UseLink

Row = dict[str, Any]

_LOCK = "SELECT * FROM accounts WHERE account = ANY(%s) AND deleted_at IS NULL ORDER BY account FOR UPDATE"
_HOLDER = "SELECT account FROM mail_addresses WHERE address_key = %s"
_KEEP = """
INSERT INTO mail_addresses (account, address, address_key, kept_at) VALUES (%(account)s, %(address)s, %(key)s, %(at)s)
ON CONFLICT (account) DO UPDATE SET address = %(address)s, address_key = %(key)s, kept_at = %(at)s
"""
_MOVE_MUTES = """
INSERT INTO mutes (account, other)
SELECT %(kept)s, other FROM mutes WHERE account = %(guest)s AND other <> %(kept)s
EXCEPT SELECT account, other FROM mutes WHERE account = %(kept)s
ORDER BY other LIMIT greatest(0, %(mutes_max)s - (SELECT count(*) FROM mutes WHERE account = %(kept)s))
"""
"""Of more than there may be those are left out whose ids come last."""
_PROGRAMS_OF_BOTH = "SELECT count(*) AS declared FROM accounts WHERE owner IN (%s, %s)"
_MOVE_PROGRAMS = "UPDATE accounts SET owner = %s, made_by = NULL WHERE owner = %s RETURNING account"


def may_have_mail(row: Row) -> bool:
    """Whether an account is a person's own, and nobody else's by now."""
    return row["kind"] in PEOPLE and not row["bot"] and row["merged_into"] is None


def may_move(row: Row) -> bool:
    """Whether an account is a guest that can become somebody's kept account. A program and a house bot never is."""
    return row["kind"] == "guest" and may_have_mail(row)


class Recovery:
    """One link used, in one transaction."""

    def __init__(self, accounts: Accounts, sessions: AccountSessions) -> None:
        self._accounts = accounts
        self._sessions = sessions

    async def use(self, connection: Connection, wanted: UseLink) -> Entered:
        """A new session of the account that the link is for. Raises `Refused`."""
        link = await find_link(connection, wanted.code)
        address = MailAddress(link.address)
        await lock_address(connection, address)
        holder = await one(connection, _HOLDER, address.key)
        kept: str | None = holder["account"] if holder else link.account
        mover = link.account  # never whoever uses it: anybody may have been given a stranger's link
        rows = await _lock(connection, {kept, mover} - {None})
        if kept is None or kept not in rows or not may_have_mail(rows[kept]):
            raise bad_link()
        await take_link(connection, link, await now(connection))
        changed, moved = [kept], None
        if holder is None:
            await self._keep(connection, rows[kept], link)
        elif mover is not None and mover in rows and mover != kept and may_move(rows[mover]):
            moved = mover
            changed += [mover, *await self.move(connection, mover, kept)]
        secret, signed = await self._sessions.begin(connection, kept, wanted.label)
        states = {state.account: state for state in await self._accounts.tell(connection, changed)}
        return Entered(state=states[kept], secret=secret, signed=signed, moved=moved)

    async def move(self, connection: Connection, guest: str, kept: str) -> list[str]:
        """The guest's own become the kept account's, and the guest's sessions and tokens end; name and rating stay the
        kept account's. The programs that have another owner now. Who calls this holds both locks, and tells of them.
        Raises `Refused` where both have more programs than one may have: which are to go is for their owner to say.
        """
        row = await one(connection, _PROGRAMS_OF_BOTH, guest, kept)
        if row is not None and row["declared"] > PROGRAMS_MAX:
            expected = f"at most {PROGRAMS_MAX} of both accounts together"
            raise Refused(Code.TOO_MANY_PROGRAMS, "programs", expected, f"{row['declared']}")
        query = "UPDATE accounts SET merged_into = %s, name = NULL WHERE account = %s"
        await connection.execute(query, [kept, guest])
        await connection.execute(_MOVE_MUTES, {"guest": guest, "kept": kept, "mutes_max": MUTES_MAX})
        await connection.execute("DELETE FROM mutes WHERE account = %s", [guest])
        await connection.execute("DELETE FROM sessions WHERE account = %s AND scopes IS NOT NULL", [guest])
        await self._sessions.end_all(connection, guest)
        return [row["account"] for row in await every(connection, _MOVE_PROGRAMS, kept, guest)]

    async def _keep(self, connection: Connection, row: Row, link: Link) -> None:
        """Whoever had the account by another address is told there."""
        account, at = row["account"], await now(connection)
        before = await one(connection, "SELECT address FROM mail_addresses WHERE account = %s", account)
        if before is not None:
            await put_notice(connection, account, before["address"], row["language"], at)
        key = MailAddress(link.address).key
        await connection.execute(_KEEP, {"account": account, "address": link.address, "key": key, "at": at})
        await connection.execute("UPDATE accounts SET kind = 'kept' WHERE account = %s", [account])


async def _lock(connection: Connection, accounts: Iterable[str | None]) -> dict[str, Row]:
    """The rows of those that there are, nobody else's to change until the commit."""
    return {row["account"]: row for row in await every(connection, _LOCK, list(accounts))}
