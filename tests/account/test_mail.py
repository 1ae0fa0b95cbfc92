"""Mails as they are written, and as real mail servers take them or do not."""

from collections.abc import Iterator
from contextlib import contextmanager
from email import policy
from email.parser import BytesParser
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from tests.account.letterbox import Letterbox, code_in
from tests.gateway.running import free_port

from account.mail import MailDelayed, MailRefused, send_mail, write_mail
from account.mail_settings import SmtpServer, read_smtp_url

SENDER = "Capicua <no-reply@capicua.example>"
CODE = "c0de-" + "x" * 38


class Refusing:
    """A mail server's rules: it answers every recipient so."""

    def __init__(self, answer: str) -> None:
        self._answer = answer

    async def handle_RCPT(self, *_: Any) -> str:  # noqa: N802 - aiosmtpd's name
        return self._answer


@contextmanager
def server_that_says(answer: str) -> Iterator[SmtpServer]:
    port = free_port()
    controller = Controller(Refusing(answer), hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield SmtpServer("127.0.0.1", port, "none")
    finally:
        controller.stop()


def written(to: str = "ada@example.org", language: Any = "en") -> Any:
    return write_mail("recover", language, SENDER, to, public_url="https://capicua.example/", code=CODE, minutes=15)


def test_a_mail_says_who_sends_it_and_that_nobody_wrote_it() -> None:
    mail = written()
    assert (mail["From"], mail["To"]) == (SENDER, "ada@example.org")
    assert mail["Subject"] == "Your way back to Capicua"
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["Message-ID"].endswith("@capicua.example>")


def test_the_code_stands_behind_what_servers_log() -> None:
    assert f"https://capicua.example/recover#{CODE}\n" in written().get_content()
    assert f"capicua recover {CODE}\n" in written().get_content()


def test_where_no_address_is_certain_there_is_the_code_alone() -> None:
    text = write_mail("recover", "en", SENDER, "ada@example.org", code=CODE, minutes=15).get_content()
    assert f"Give this code where you play: {CODE}\n" in text
    assert f"capicua recover {CODE}\n" in text
    assert "://" not in text


@pytest.mark.parametrize("language", ["en", "de", "pl"])
def test_a_mail_survives_the_way_in_every_language(language: str) -> None:
    sent = written(language=language)
    received = BytesParser(policy=policy.default).parsebytes(sent.as_bytes())
    assert received["Subject"] == sent["Subject"]
    assert f"recover#{CODE}" in received.get_content()


def test_lines_fit_into_what_a_mail_server_takes() -> None:
    assert max(map(len, written(language="pl").as_bytes().splitlines())) <= 998


async def test_a_mail_lands_in_the_mailbox(letterbox: Letterbox) -> None:
    await send_mail(read_smtp_url(letterbox.url), written("lands@example.org", "de"))
    mail = await letterbox.mail_to("lands@example.org")
    assert mail.subject == "Dein Weg zurück zu Capicua"
    assert code_in(mail) == CODE


async def test_a_mail_server_that_is_not_there_is_tried_again() -> None:
    with pytest.raises(MailDelayed):
        await send_mail(SmtpServer("127.0.0.1", free_port(), "none"), written())


async def test_a_mail_that_is_refused_for_now_is_tried_again() -> None:
    with server_that_says("451 come again later") as server, pytest.raises(MailDelayed) as delayed:
        await send_mail(server, written())
    assert "ada" not in str(delayed.value)


async def test_a_mail_that_nobody_will_take_is_given_up() -> None:
    with server_that_says("550 no such mailbox: ada@example.org") as server, pytest.raises(MailRefused) as refused:
        await send_mail(server, written())
    assert "ada" not in str(refused.value)


async def test_mail_is_not_sent_in_the_clear_where_it_was_to_be_encrypted(letterbox: Letterbox) -> None:
    plain = read_smtp_url(letterbox.url)
    with pytest.raises(MailDelayed):
        await send_mail(SmtpServer(plain.host, plain.port, "starttls"), written("clear@example.org"))
    assert letterbox.mails_to("clear@example.org") == []
