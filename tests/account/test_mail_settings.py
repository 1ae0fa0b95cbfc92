import pytest
from pydantic import ValidationError

from account.mail_settings import MailSettings, SmtpServer, read_sender, read_smtp_url


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("smtp://127.0.0.1:8025", SmtpServer("127.0.0.1", 8025, "none")),
        ("smtp://relay", SmtpServer("relay", 25, "none")),
        ("smtp+starttls://me:p%40ss@relay:587", SmtpServer("relay", 587, "starttls", "me", "p@ss")),
        ("smtp+starttls://relay", SmtpServer("relay", 587, "starttls")),
        ("smtps://me:secret@relay", SmtpServer("relay", 465, "tls", "me", "secret")),
    ],
)
def test_an_address_says_where_and_how_mail_is_handed_in(url: str, server: SmtpServer) -> None:
    assert read_smtp_url(url) == server


@pytest.mark.parametrize("url", ["", "relay:25", "http://relay", "smtp://", "smtp://relay:99999", "smtp://relay/x"])
def test_what_is_no_address_of_a_mail_server_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="expected smtp://"):
        read_smtp_url(url)


def test_a_password_is_quoted_by_no_error_and_no_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMTP_URL", "http://me:hunter2@relay")
    with pytest.raises(ValidationError) as wrong:
        MailSettings()
    assert "hunter2" not in str(wrong.value.errors(include_input=False))
    monkeypatch.setenv("SMTP_URL", "smtps://me:hunter2@relay")
    settings = MailSettings()
    assert "hunter2" not in f"{settings!r} {settings.smtp_server!r}"


def test_without_a_mail_server_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SMTP_URL", raising=False)
    assert MailSettings().smtp_server is None


@pytest.mark.parametrize("text", ["no-reply@example.org", "Capicua <no-reply@example.org>", "Dominó <a@example.org>"])
def test_a_sender_is_an_address_with_or_without_a_name(text: str) -> None:
    assert read_sender(text).domain == "example.org"


@pytest.mark.parametrize("text", ["", "Capicua", "<>", "@example.org", "a@", "Capicua <no-reply>"])
def test_what_is_no_sender_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected a sender"):
        read_sender(text)
