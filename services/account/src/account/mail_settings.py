"""By which server mail leaves, and in whose name."""

from dataclasses import dataclass
from email.errors import MessageError
from email.headerregistry import Address
from email.utils import parseaddr
from typing import Annotated, Literal
from urllib.parse import unquote, urlsplit

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings

Encryption = Literal["none", "starttls", "tls"]
_SCHEMES: dict[str, tuple[Encryption, int]] = {
    "smtp": ("none", 25),
    "smtp+starttls": ("starttls", 587),
    "smtps": ("tls", 465),
}


@dataclass(frozen=True, slots=True)
class SmtpServer:
    """Where mail is handed in."""

    host: str
    port: int
    encryption: Encryption
    username: str | None = None
    password: str | None = None

    def __repr__(self) -> str:
        return f"SmtpServer({self.host!r}, {self.port})"


def read_smtp_url(url: str) -> SmtpServer:
    """Raises ValueError, which does not quote the password."""
    try:
        parts = urlsplit(url)
        encryption, port = _SCHEMES[parts.scheme]
        if not parts.hostname or parts.path not in ("", "/"):
            raise KeyError
        username, password = ((unquote(text) if text else None) for text in (parts.username, parts.password))
        return SmtpServer(parts.hostname, parts.port or port, encryption, username, password)
    except (KeyError, ValueError):
        raise ValueError(
            f"expected {', '.join(f'{scheme}://USER:PASSWORD@HOST:PORT' for scheme in _SCHEMES)}"
        ) from None


def read_sender(text: str) -> Address:
    """Raises ValueError."""
    name, address = parseaddr(text)
    try:
        sender = Address(name, addr_spec=address)
    except (ValueError, IndexError, MessageError):
        sender = Address()
    if not (sender.username and sender.domain):
        raise ValueError("expected a sender such as Capicua <no-reply@example.org>, got something else")
    return sender


class MailSettings(BaseSettings):
    """`smtp_url`: none: no mail is sent, and links are refused. `mail_from`: the sender, as the mail server lets us."""

    smtp_url: SecretStr | None = Field(default=None, validation_alias="SMTP_URL")
    mail_from: Annotated[str, Field(min_length=3, pattern=r"^[^\r\n]+$")] = "Capicua <no-reply@localhost>"

    @field_validator("smtp_url")
    @classmethod
    def _is_a_server(cls, url: SecretStr | None) -> SecretStr | None:
        if url is not None:
            read_smtp_url(url.get_secret_value())
        return url

    @field_validator("mail_from")
    @classmethod
    def _is_a_sender(cls, sender: str) -> str:
        read_sender(sender)
        return sender

    @property
    def smtp_server(self) -> SmtpServer | None:
        return read_smtp_url(self.smtp_url.get_secret_value()) if self.smtp_url else None
