"""Mails that wait: taken by one, due again, given up, struck off."""

import asyncio
from collections.abc import AsyncIterator
from itertools import pairwise

import pytest
from tests.account.guests import GUEST, database_with_a_guest

from account.links import ask_for_link
from account.mail_address import read_address
from account.mail_queue import (
    AGAIN_MS,
    AGAIN_MS_MAX,
    GIVE_UP_MS,
    Mail,
    Nothing,
    put_link,
    put_notice,
    strike_off,
    take_mail,
)
from bus.postgres import Connection, Database
from contracts.account_inner import SendLink

NOW = 1_800_000_000_000


@pytest.fixture(scope="module")
async def database(postgres_dsn: str) -> AsyncIterator[Database]:
    async with database_with_a_guest(postgres_dsn) as database:
        yield database


@pytest.fixture
async def connection(database: Database) -> AsyncIterator[Connection]:
    """In a transaction that is forgotten."""
    async with database.transaction() as connection, connection.transaction(force_rollback=True):
        yield connection


async def link(connection: Connection, account: str | None = GUEST, at: int = NOW) -> None:
    asked = SendLink(address="ada@example.org", account=account, region="eu", public_url="https://capicua.example")
    await put_link(connection, await ask_for_link(connection, asked, read_address(asked.address), at), at)


async def taken(connection: Connection, at: int) -> Mail:
    mail = await take_mail(connection, at)
    assert isinstance(mail, Mail)
    return mail


async def test_there_is_nothing_to_send(connection: Connection) -> None:
    assert await take_mail(connection, NOW) is None


async def test_a_mail_is_taken_and_due_again_later_and_later(connection: Connection) -> None:
    await link(connection)
    at, waits, codes = NOW, [], set()
    while not isinstance(mail := await take_mail(connection, at), Nothing):
        if mail is None:
            at += 1000
            continue
        waits.append(at)
        codes.add(mail.code)
    pauses = [after - before for before, after in pairwise(waits)]
    assert pauses[:4] == [AGAIN_MS, 2 * AGAIN_MS, 4 * AGAIN_MS, 8 * AGAIN_MS]
    assert max(pauses) == AGAIN_MS_MAX
    assert (mail.why, at >= NOW + GIVE_UP_MS) == ("given-up", True)
    assert len(codes) == len(waits)
    assert await take_mail(connection, at + AGAIN_MS_MAX) is None


async def test_what_has_been_sent_is_struck_off(connection: Connection) -> None:
    await link(connection)
    await strike_off(connection, (await taken(connection, NOW)).mail)
    assert await take_mail(connection, NOW + GIVE_UP_MS) is None


async def test_a_link_to_an_address_that_nobody_has_is_not_sent(connection: Connection) -> None:
    await link(connection, account=None)
    assert await take_mail(connection, NOW) == Nothing("no-account")
    assert await take_mail(connection, NOW + GIVE_UP_MS) is None


async def test_what_a_link_is_for_is_found_out_when_it_is_sent(connection: Connection) -> None:
    await link(connection)
    assert (await taken(connection, NOW)).purpose == "keep"
    await connection.execute("INSERT INTO mail_addresses VALUES (%s, 'Ada@example.org', 'ada@example.org', 0)", [GUEST])
    mail = await taken(connection, NOW + AGAIN_MS)
    assert (mail.purpose, mail.address, mail.tries) == ("recover", "Ada@example.org", 2)


async def test_a_notice_has_no_link(connection: Connection) -> None:
    await put_notice(connection, GUEST, "ada@example.org", "pl", NOW)
    mail = await taken(connection, NOW)
    assert (mail.purpose, mail.language, mail.code, mail.public_url) == ("changed", "pl", "", "")


async def test_the_oldest_comes_first(connection: Connection) -> None:
    for at, address in ((NOW + 2, "second@example.org"), (NOW + 1, "first@example.org")):
        await put_notice(connection, GUEST, address, "en", at)
    assert (await taken(connection, NOW + 3)).address == "first@example.org"


async def test_several_replicas_take_a_mail_once(database: Database) -> None:
    async with database.transaction() as connection:
        for number in range(5):
            await put_notice(connection, GUEST, f"{number}@example.org", "en", NOW)

    async def take() -> Mail | Nothing | None:
        async with database.transaction() as connection:
            return await take_mail(connection, NOW)

    found = await asyncio.gather(*(take() for _ in range(8)))
    addresses = sorted(mail.address for mail in found if isinstance(mail, Mail))
    assert addresses == [f"{number}@example.org" for number in range(5)]


def test_a_mail_that_gets_into_a_log_says_nothing() -> None:
    assert repr(Mail(7, "keep", "ada@example.org", "en", 1, "https://capicua.example", "c0de")) == "Mail(7)"
