"""Links by mail: who may be sent one, and what a link's code is worth.

The database never has a code. It is drawn when its mail is sent, and again when sending has to be repeated; what is
kept is its hash. That an address is known is found out when the mail is sent, not when it is asked for: the answer and
the time it takes are the same for every address.
"""

from dataclasses import dataclass

from psycopg import sql

from account.ids import hash_of, new_secret
from account.mail_address import MailAddress
from account.refusals import Code, Refused
from bus.postgres.database import Connection, now, one
from contracts.account_inner import SendLink

MINUTE_MS = 60 * 1000
DAY_MS = 24 * 60 * MINUTE_MS
LINK_MS = 15 * MINUTE_MS
ASKED_KEPT_MS = DAY_MS
LIMITS = ((15 * MINUTE_MS, 3), (DAY_MS, 10))
"""So many links at most in so many ms, for an account, and for a mailbox of which one network address has asked."""
MAILBOX_LIMITS = ((15 * MINUTE_MS, 10), (DAY_MS, 30))
"""For a mailbox, whoever has asked: more than one stranger can use up from one network address."""
_HOLDER = "SELECT account FROM mail_addresses WHERE address_key = %s"
_ASK = """
INSERT INTO links (account, address, address_key, mailbox, origin, language, region, public_url, asked_at)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)
RETURNING link
"""
_FIND = """
SELECT link, account, address, expires_at
FROM links JOIN link_codes USING (link)
WHERE hash = %s
"""
_VOID = (
    # first the mails, as who sends them locks a mail and then its link
    "DELETE FROM mails WHERE link IN (SELECT link FROM links WHERE account = %(account)s AND used_at IS NULL)",
    "UPDATE links SET used_at = %(at)s WHERE account = %(account)s AND used_at IS NULL",
)


@dataclass(frozen=True, slots=True)
class Link:
    """`account`: who asked for it, none: somebody without a session. `expires_at`: of
    the code that was found, in ms."""

    link: int
    account: str | None
    address: str
    expires_at: int


def bad_link() -> Refused:
    return Refused(Code.BAD_LINK, "code", "the code of a link that was sent", "another one")


async def ask_for_link(connection: Connection, asked: SendLink, address: MailAddress, at: int) -> int:
    """Notes the link that is to be sent, in the transaction of `connection`, and returns its number. Who calls this
    holds the address's lock. Raises `Refused`."""
    await connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 3))", [address.mailbox])
    origin = hash_of(f"{address.mailbox} {asked.asked_from}")
    holder = await one(connection, _HOLDER, address.key)
    if holder is None or holder["account"] != asked.account:  # what strangers ask for is nothing to the account itself
        await _check(connection, "origin", origin, at, LIMITS)
        await _check(connection, "mailbox", address.mailbox, at, MAILBOX_LIMITS)
    if asked.account is not None:
        await connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 1))", [asked.account])
        await _check(connection, "account", asked.account, at, LIMITS)
    addressed = (asked.account, address.sent_to, address.key, address.mailbox, origin)
    row = await one(connection, _ASK, *addressed, asked.language, asked.region, asked.public_url or "", at)
    assert row is not None
    link: int = row["link"]
    return link


async def lock_address(connection: Connection, address: MailAddress) -> None:
    """Until the transaction's end: who has this address is decided by one at a time. Taken before any account's row."""
    await connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [address.key])


async def _check(connection: Connection, column: str, whose: str, at: int, limits: tuple[tuple[int, int], ...]) -> None:
    query = sql.SQL("SELECT asked_at FROM links WHERE {} = %s AND asked_at > %s ORDER BY asked_at DESC")
    found = await connection.execute(query.format(sql.Identifier(column)), [whose, at - ASKED_KEPT_MS])
    asked = [row["asked_at"] for row in await found.fetchall()]
    for within_ms, links_max in limits:
        if len(asked) >= links_max and (free_at := asked[links_max - 1] + within_ms) > at:
            seconds = -(-(free_at - at) // 1000)
            expected = f"at most {links_max} links in {within_ms // MINUTE_MS} minutes"
            raise Refused(Code.TOO_MANY_LINKS, "address", expected, "one more", retry_seconds=seconds)


async def add_code(connection: Connection, link: int, at: int) -> str:
    """A new code of a link, good from now on for as long as links are; earlier ones of it stay good for their time."""
    code = new_secret()
    await connection.execute(
        "INSERT INTO link_codes (hash, link, expires_at) VALUES (%s, %s, %s)", [hash_of(code), link, at + LINK_MS]
    )
    return code


async def find_link(connection: Connection, code: str) -> Link:
    """As it stands, without a lock. Raises `Refused`."""
    row = await one(connection, _FIND, hash_of(code))
    if row is None:
        raise bad_link()
    return Link(**row)


async def take_link(connection: Connection, link: Link, at: int) -> None:
    """From here on it is used. Raises `Refused`."""
    row = await one(connection, "SELECT used_at FROM links WHERE link = %s FOR UPDATE", link.link)
    if row is None:
        raise bad_link()
    if row["used_at"] is not None:
        raise Refused(Code.LINK_USED, "code", "a link that has not been used", "one that has")
    if at >= link.expires_at:
        raise Refused(Code.LINK_EXPIRED, "code", f"a link of the last {LINK_MS // MINUTE_MS} minutes", "an older one")
    await connection.execute("UPDATE links SET used_at = %s WHERE link = %s", [at, link.link])


async def void_links(connection: Connection, account: str) -> None:
    """Those on their way that a session of this account has asked for: whoever is signed out by its owner comes back by
    none of them. Who calls this holds the account's lock."""
    for query in _VOID:
        await connection.execute(query, {"account": account, "at": await now(connection)})


async def forget_old_links(connection: Connection) -> None:
    """What no limit counts any more, with its codes and mails."""
    await connection.execute("DELETE FROM links WHERE asked_at <= %s", [await now(connection) - ASKED_KEPT_MS])
