import smtplib
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tests.gateway.running import free_port

from bus.local import Home, LocalError, Server, start_mail
from bus.local.mailbox import NAME, smtp_answers

MAIL = "From: a@example.org\r\nTo: b@example.org\r\nSubject: {}\r\n\r\nHello\r\n"


@pytest.fixture
async def mailbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[Home, Server]]:
    monkeypatch.delenv("SMTP_URL", raising=False)
    home = Home(tmp_path)
    server = await start_mail(home)
    yield home, server
    await server.stop()


def send(server: Server, subject: str) -> None:
    address = urlsplit(server.address)
    with smtplib.SMTP(address.hostname or "", address.port or 0) as smtp:
        smtp.sendmail("a@example.org", ["b@example.org"], MAIL.format(subject))


def subjects(home: Home) -> list[str]:
    texts = [path.read_text() for path in home.data(NAME).glob("new/*")]
    return sorted(line for text in texts for line in text.splitlines() if line.startswith("Subject"))


async def test_what_is_sent_lies_in_the_home_and_stays_there(mailbox: tuple[Home, Server]) -> None:
    home, server = mailbox
    send(server, "one")
    await server.stop()
    again = await start_mail(home)
    try:
        send(again, "two")
        assert subjects(home) == ["Subject: one", "Subject: two"]
        assert again.address == server.address
    finally:
        await again.stop()


async def test_a_server_in_the_environment_is_used(
    mailbox: tuple[Home, Server], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, server = mailbox
    monkeypatch.setenv("SMTP_URL", server.address)
    found = await start_mail(Home(tmp_path / "another"))
    assert (found.address, found.pid) == (server.address, None)


@pytest.mark.parametrize("url", ["smtp://127.0.0.1:{port}", "smtps://127.0.0.1:{port}"])
async def test_a_server_that_is_not_there_is_told_without_its_address(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMTP_URL", url.format(port=free_port()))
    with pytest.raises(LocalError, match="No mail server answers at the address in SMTP_URL"):
        await start_mail(Home(tmp_path))


@pytest.mark.parametrize("url", ["nonsense", "smtp://", "http://relay", "smtp://relay:99999"])
async def test_what_is_no_address_is_told_with_an_example(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMTP_URL", url)
    with pytest.raises(LocalError, match="SMTP_URL is no address: expected one such as smtp"):
        await start_mail(Home(tmp_path))


async def test_whoever_does_not_speak_smtp_is_no_mail_server(mailbox: tuple[Home, Server], redis_url: str) -> None:
    assert await smtp_answers(mailbox[1].address)
    assert not await smtp_answers(f"smtp://{urlsplit(redis_url).hostname}:{urlsplit(redis_url).port}")
