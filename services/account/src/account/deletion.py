"""An account is deleted: what is personal goes at once, and history keeps an id that nobody can tell a person from.

With it go the guests that were merged into it, and its programs.
"""

from account.accounts import PEOPLE, Accounts, unknown_account
from account.refusals import Code, Refused
from account.reports import forget_people
from bus.postgres import Connection
from bus.postgres.database import every, now, one
from contracts.account_api import Deleted
from contracts.names import fallback_name

_LOCK = """
WITH people AS (SELECT account FROM accounts WHERE account = %(account)s OR merged_into = %(account)s)
SELECT account FROM accounts
WHERE account IN (TABLE people) OR owner IN (TABLE people)
ORDER BY account FOR UPDATE OF accounts
"""
_LINKS = (
    "SELECT link FROM links WHERE account = ANY(%(all)s) OR address_key IN"
    " (SELECT address_key FROM mail_addresses WHERE account = ANY(%(all)s))"
)
_FORGET = (
    # first the mails, as who sends them locks a mail and then its link
    f"DELETE FROM mails WHERE account = ANY(%(all)s) OR link IN ({_LINKS})",
    f"DELETE FROM links WHERE link IN ({_LINKS})",
    "DELETE FROM mail_addresses WHERE account = ANY(%(all)s)",
    "DELETE FROM sessions WHERE account = ANY(%(all)s)",
    "DELETE FROM ended_sessions WHERE account = ANY(%(all)s)",
    "DELETE FROM mutes WHERE account = ANY(%(all)s) OR other = ANY(%(all)s)",
)
_EMPTY = """
UPDATE accounts SET deleted_at = %(at)s, version = version + 1, name = NULL, avatar = DEFAULT, language = DEFAULT,
    owner = NULL, made_by = NULL, merged_into = NULL, all_ended_at = NULL
WHERE account = ANY(%(all)s)
"""
_LATELY = "SELECT account FROM accounts WHERE deleted_at BETWEEN %s AND %s"
AGAIN_MS = (60 * 1000, 10 * 60 * 1000)


async def delete_account(connection: Connection, accounts: Accounts, account: str) -> Deleted:
    """Repeated, it has the same answer and does nothing. Raises `Refused`.

    The row stays, without anything of the person, so that a command that comes again does not make the account anew.
    """
    everyone = await _lock(connection, account)
    row = await one(connection, "SELECT kind, merged_into, deleted_at FROM accounts WHERE account = %s", account)
    if row is None or row["merged_into"] is not None:
        raise unknown_account()
    if row["kind"] not in PEOPLE:
        raise Refused(Code.NOT_FOR_PROGRAMS, "account", "a person's account", "a program's")
    if row["deleted_at"] is None:
        await erase(connection, accounts, everyone)
    return Deleted(pseudonym=fallback_name(account))


async def erase(connection: Connection, accounts: Accounts, everyone: list[str]) -> None:
    """Who calls this holds the locks of all of them."""
    await forget_people(connection, everyone)
    for query in _FORGET:
        await connection.execute(query, {"all": everyone})
    await connection.execute(_EMPTY, {"all": everyone, "at": await now(connection)})
    await accounts.tell_deleted(connection, everyone)


async def tell_again(accounts: Accounts, connection: Connection) -> None:
    """Of accounts that were deleted one to ten minutes ago: a producer that was left behind may have brought an old
    state after the tombstone, and what comes last of an account stays in the topic."""
    at, (soonest, latest) = await now(connection), AGAIN_MS
    gone = await every(connection, _LATELY, at - latest, at - soonest)
    await accounts.tell_deleted(connection, [row["account"] for row in gone])


async def _lock(connection: Connection, account: str) -> list[str]:
    """Everything that is this person's, nobody else's to change until the commit.

    Asked twice: a guest may have moved in before the first time had the account's lock, and none can after it.
    """
    await connection.execute(_LOCK, {"account": account})
    locked = await connection.execute(_LOCK, {"account": account})
    return [row["account"] for row in await locked.fetchall()]
