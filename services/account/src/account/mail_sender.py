"""Sends the mails that are due: none of them within a request, each until it is sent or nobody waits for it."""

import asyncio
import contextlib
import logging
from email.message import EmailMessage

from account.links import LINK_MS, MINUTE_MS
from account.mail import MailDelayed, MailRefused, send_mail, write_mail
from account.mail_queue import Mail, Nothing, strike_off, take_mail
from account.mail_settings import SmtpServer
from bus import telemetry
from bus.health import Progress
from bus.parts import Parts
from bus.postgres.database import Database, DatabaseAway, now

log = logging.getLogger(__name__)

SENDERS = 4
"""Mails under way at once: a slow conversation holds up the next mail, and not all."""
LOOK_SECONDS = 5.0
AGAIN_SECONDS = 0.5


class MailSender:
    """Looks when it is woken, and every five seconds for what is due again or was left behind. Several replicas share
    the work: who takes a mail has it alone for half a minute, which is longer than sending may take."""

    def __init__(self, database: Database, server: SmtpServer, sender: str, parts: Parts) -> None:
        self._database = database
        self._server = server
        self._sender = sender
        self._tasks = parts.tasks
        self._woken = asyncio.Event()
        self.progress = Progress(parts.clock, seconds_max=60.0)

    def wake(self) -> None:
        """There is a mail to be sent."""
        self._woken.set()

    async def run(self) -> None:
        """One mail after the other, until cancelled; several of these send several at once."""
        while True:
            self.progress.tick()
            self._woken.clear()
            try:
                if await self._send_next():
                    continue
            except DatabaseAway as error:
                log.warning("the mails to be sent cannot be read: %s", error)
                await self._tasks.sleep(AGAIN_SECONDS)
                continue
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._woken.wait()

    async def _send_next(self) -> bool:
        """Whether there was one. Raises `DatabaseAway`."""
        async with self._database.transaction() as connection:
            mail = await take_mail(connection, await now(connection))
        match mail:
            case None:
                return False
            case Nothing(why):
                telemetry.mails.add(1, {telemetry.CODE: why})
            case Mail():
                result = await self._try(mail)
                telemetry.mails.add(1, {telemetry.CODE: result})
                if result != "delayed":
                    async with self._database.transaction() as connection:
                        await strike_off(connection, mail.mail)
        return True

    async def _try(self, mail: Mail) -> str:
        try:
            await send_mail(self._server, self._written(mail))
        except MailDelayed as error:
            if mail.tries == 1:
                log.warning("mail %d could not be sent, and will be tried again: %s", mail.mail, error)
            return "delayed"
        except MailRefused as error:
            log.warning("mail %d will not be sent: %s", mail.mail, error)
            return "refused"
        except Exception:  # a mistake of ours in one mail must not keep all others from being sent
            log.exception("mail %d could not be sent by a mistake of ours", mail.mail)
            return "delayed"
        return "sent"

    def _written(self, mail: Mail) -> EmailMessage:
        return write_mail(
            mail.purpose,
            mail.language,
            self._sender,
            mail.address,
            public_url=mail.public_url,
            code=mail.code,
            minutes=LINK_MS // MINUTE_MS,
        )
