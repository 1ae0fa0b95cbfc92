"""One mail, written and handed to the mail server.

By aiosmtplib: the standard library's smtplib would hold up the loop for as long as the other side takes.
"""

import asyncio
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid

import aiosmtplib

from account.mail_settings import SmtpServer, read_sender
from account.mail_texts import BY_CODE, TEXTS, Purpose
from contracts.account import Language

SEND_SECONDS_MAX = 20.0
"""For the whole conversation with the mail server."""


class MailDelayed(Exception):
    """It could not be handed in just now. The text says how the server answered, and never quotes an address."""


class MailRefused(Exception):
    """The mail server will never take it. The text says how it answered, and never quotes an address."""


def write_mail(
    purpose: Purpose,
    language: Language,
    sender: str,
    to: str,
    *,
    public_url: str = "",
    code: str = "",
    minutes: int = 0,
) -> EmailMessage:
    """A mail in plain text. Without a `public_url` it has the code alone."""
    text = TEXTS[language][purpose]
    sent_by = read_sender(sender)
    message = EmailMessage(policy=SMTP)
    message["From"] = sent_by
    message["To"] = Address(addr_spec=to)
    message["Subject"] = text.subject
    message["Date"] = formatdate()
    message["Message-ID"] = make_msgid(domain=sent_by.domain)
    message["Auto-Submitted"] = "auto-generated"
    link = _link(public_url, code) if public_url else BY_CODE[language].format(code=code)
    message.set_content(text.body.format(link=link, code=code, minutes=minutes))
    return message


def _link(public_url: str, code: str) -> str:
    """What is behind `#` is told to no server, and so stands in none of their logs."""
    return f"{public_url.rstrip('/')}/recover#{code}"


async def send_mail(server: SmtpServer, message: EmailMessage) -> None:
    """Returns once the server has taken it. Raises `MailDelayed` or `MailRefused`."""
    try:
        async with asyncio.timeout(SEND_SECONDS_MAX):
            await aiosmtplib.send(
                message,
                hostname=server.host,
                port=server.port,
                username=server.username,
                password=server.password,
                use_tls=server.encryption == "tls",
                start_tls=server.encryption == "starttls",
                timeout=SEND_SECONDS_MAX,
            )
    except aiosmtplib.SMTPRecipientsRefused as error:
        codes = [refused.code for refused in error.recipients]
        raise (MailRefused if all(map(_is_final, codes)) else MailDelayed)(f"recipient refused: {codes}") from None
    except (aiosmtplib.SMTPRecipientRefused, aiosmtplib.SMTPDataError) as error:
        raise (MailRefused if _is_final(error.code) else MailDelayed)(f"{type(error).__name__} {error.code}") from None
    except (aiosmtplib.SMTPException, OSError, TimeoutError) as error:
        raise MailDelayed(type(error).__name__) from None


def _is_final(code: int) -> bool:
    """5xx of RFC 5321: the same again will have the same answer."""
    return 500 <= code <= 599
