"""Mails leave by themselves: later when the mail server is away, and twice rather than never."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from tests.account.guests import GUEST, database_with_a_guest
from tests.account.letterbox import Letterbox, code_in
from tests.account.test_mail import server_that_says
from tests.gateway.running import free_port
from tests.memory_log import MemoryLog

from account.links import ask_for_link, find_link
from account.mail import send_mail, write_mail
from account.mail_address import read_address
from account.mail_queue import Mail, put_link, take_mail
from account.mail_sender import MailSender
from account.mail_settings import SmtpServer, read_smtp_url
from bus.parts import Parts
from bus.postgres import Database
from bus.postgres.database import every, now
from bus.tasks import end
from contracts.account_inner import SendLink

FROM = "Capicua <no-reply@capicua.example>"


@pytest.fixture
async def database(postgres_dsn: str) -> AsyncIterator[Database]:
    async with database_with_a_guest(postgres_dsn) as database:
        yield database


@asynccontextmanager
async def sending(database: Database, server: SmtpServer, by: str = FROM) -> AsyncIterator[MailSender]:
    sender = MailSender(database, server, by, Parts(MemoryLog()))
    loops = [asyncio.ensure_future(sender.run()) for _ in range(2)]
    yield sender
    await end(loops)


async def ask(database: Database, address: str) -> None:
    asked = SendLink(address=address, account=GUEST, region="eu", public_url="https://capicua.example")
    async with database.transaction() as connection:
        at = await now(connection)
        await put_link(connection, await ask_for_link(connection, asked, read_address(address), at), at)


async def due(database: Database) -> None:
    """Whatever waits is due now."""
    async with database.transaction() as connection:
        await connection.execute("UPDATE mails SET due_at = 0")


async def until(database: Database, wanted: Callable[[list[int]], bool]) -> None:
    """The tries of the mails that wait are as `wanted`."""
    async with asyncio.timeout(20):
        while True:
            async with database.transaction() as connection:
                if wanted([row["tries"] for row in await every(connection, "SELECT tries FROM mails")]):
                    return
            await asyncio.sleep(0.02)


async def test_a_mail_leaves_at_once_and_is_struck_off(database: Database, letterbox: Letterbox) -> None:
    async with sending(database, read_smtp_url(letterbox.url)) as sender:
        await ask(database, "at-once@example.org")
        sender.wake()
        await letterbox.mail_to("at-once@example.org")
        await until(database, lambda waiting: waiting == [])


async def test_what_another_process_has_left_behind_is_sent(database: Database, letterbox: Letterbox) -> None:
    await ask(database, "left@example.org")
    async with sending(database, read_smtp_url(letterbox.url)):
        await letterbox.mail_to("left@example.org")


async def test_a_mail_waits_for_the_mail_server(database: Database, letterbox: Letterbox) -> None:
    await ask(database, "waits@example.org")
    async with sending(database, SmtpServer("127.0.0.1", free_port(), "none")):
        await until(database, lambda waiting: waiting == [1])
    await due(database)
    async with sending(database, read_smtp_url(letterbox.url)):
        await letterbox.mail_to("waits@example.org")
        await until(database, lambda waiting: waiting == [])
    assert len(letterbox.mails_to("waits@example.org")) == 1


async def test_a_mail_that_nobody_takes_is_struck_off(database: Database) -> None:
    with server_that_says("550 no such mailbox") as server:
        async with sending(database, server) as sender:
            await ask(database, "nobody@example.org")
            sender.wake()
            await until(database, lambda waiting: waiting == [])


async def test_a_mail_that_cannot_be_written_keeps_no_other_waiting(
    database: Database, letterbox: Letterbox, caplog: pytest.LogCaptureFixture
) -> None:
    server = read_smtp_url(letterbox.url)
    async with sending(database, server, by="nobody") as sender:
        for name in ("one", "two", "three"):
            await ask(database, f"unwritten-{name}@example.org")
        sender.wake()
        await until(database, lambda waiting: waiting == [1, 1, 1])
    assert "by a mistake of ours" in caplog.text
    assert not any("unwritten" in record.getMessage() for record in caplog.records)


async def test_a_mail_that_was_sent_twice_has_two_codes_of_one_link(database: Database, letterbox: Letterbox) -> None:
    """Whoever sent it died before striking it off."""
    address, server = "twice@example.org", read_smtp_url(letterbox.url)
    await ask(database, address)
    async with database.transaction() as connection:
        mail = await take_mail(connection, await now(connection))
    assert isinstance(mail, Mail)
    first_try = write_mail("keep", "en", FROM, address, public_url=mail.public_url, code=mail.code, minutes=15)
    await send_mail(server, first_try)
    await due(database)
    async with sending(database, server):
        codes = [code_in(await letterbox.mail_to(address, number)) for number in (1, 2)]
    assert len(set(codes)) == 2
    async with database.transaction() as connection:
        first, second = [await find_link(connection, code) for code in codes]
    assert first.link == second.link
