"""Mails that are still to be sent: noted in the transaction in which they become necessary, sent later.

A mail is taken for a while by writing down when it is due again. Whoever took it and died has given it back so.
"""

from dataclasses import dataclass

from account.links import add_code
from account.mail_texts import Purpose
from bus.postgres.database import Connection, one
from contracts.account import Language

AGAIN_MS = 30 * 1000
"""Until a mail is due again after its first try; longer than a try may take. Twice as long after each further one."""
AGAIN_MS_MAX = 5 * 60 * 1000
GIVE_UP_MS = 60 * 60 * 1000
"""After this time nobody waits for a link any more."""

_PUT_LINK = """
INSERT INTO mails (link, account, address, language, due_at, given_up_at)
SELECT link, account, address, language, %(now)s, %(give_up)s FROM links WHERE link = %(link)s
"""
_PUT_NOTICE = """
INSERT INTO mails (account, address, language, due_at, given_up_at) VALUES (%s, %s, %s, %s, %s)
"""
_TAKE = """
UPDATE mails SET tries = tries + 1, due_at = %(now)s + least(%(again)s * power(2, least(tries, 10)), %(again_max)s)
WHERE mail = (SELECT mail FROM mails WHERE due_at <= %(now)s ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING mail, link, address, language, tries, given_up_at
"""
_WHAT_FOR = """
SELECT links.public_url, holder.address AS kept_address, asker.account AS asker
FROM links
LEFT JOIN mail_addresses AS holder USING (address_key)
LEFT JOIN accounts AS asker ON asker.account = links.account AND asker.merged_into IS NULL AND asker.deleted_at IS NULL
WHERE links.link = %s
"""


@dataclass(frozen=True, slots=True)
class Mail:
    """To be sent now. `tries`: with this one. `code` and `public_url`: of a link's."""

    mail: int
    purpose: Purpose
    address: str
    language: Language
    tries: int
    public_url: str = ""
    code: str = ""

    def __repr__(self) -> str:
        return f"Mail({self.mail})"


@dataclass(frozen=True, slots=True)
class Nothing:
    """There was a mail that need not be sent: `why`."""

    why: str


async def put_link(connection: Connection, link: int, now: int) -> None:
    await connection.execute(_PUT_LINK, {"link": link, "now": now, "give_up": now + GIVE_UP_MS})


async def put_notice(connection: Connection, account: str, address: str, language: Language, now: int) -> None:
    """To `address`, by which `account` was kept until now."""
    await connection.execute(_PUT_NOTICE, [account, address, language, now, now + GIVE_UP_MS])


async def take_mail(connection: Connection, now: int) -> Mail | Nothing | None:
    """The mail that is due for the longest, for this process alone until it is due again; its code is good once the
    transaction is committed. `Nothing`: it has been struck off. None: no mail is due."""
    taking = await connection.execute(_TAKE, {"now": now, "again": AGAIN_MS, "again_max": AGAIN_MS_MAX})
    row = await taking.fetchone()
    if row is None:
        return None
    if row["given_up_at"] <= now:
        return await _strike_off(connection, row["mail"], "given-up")
    taken = {name: row[name] for name in ("mail", "address", "language", "tries")}
    if row["link"] is None:
        return Mail(purpose="changed", **taken)
    link = await one(connection, _WHAT_FOR, row["link"])
    assert link is not None
    if link["kept_address"] is None and link["asker"] is None:
        return await _strike_off(connection, row["mail"], "no-account")
    purpose: Purpose = "keep"
    if link["kept_address"] is not None:  # as its owner has written it: elsewhere another spelling is another mailbox
        purpose, taken["address"] = "recover", link["kept_address"]
    code = await add_code(connection, row["link"], now)
    return Mail(purpose=purpose, public_url=link["public_url"], code=code, **taken)


async def strike_off(connection: Connection, mail: int) -> None:
    """It has been sent, or never will be."""
    await connection.execute("DELETE FROM mails WHERE mail = %s", [mail])


async def _strike_off(connection: Connection, mail: int, why: str) -> Nothing:
    await strike_off(connection, mail)
    return Nothing(why)
