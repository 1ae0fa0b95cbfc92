"""A mail server that keeps every mail and sends none on: aiosmtpd, writing a Maildir.

aiosmtpd, of the GNU Mailman project, is a whole server with such a handler; MailHog and its like are no Python wheels.
"""

import asyncio
import contextlib
import importlib.util
import sys
from urllib.parse import urlsplit

from bus.local.embedded import EmbeddedServer
from bus.local.home import Home
from bus.local.ports import HOST
from bus.local.process import OwnedProcess, stop_left_over
from bus.local.server import LocalError

NAME = "mail"
ANSWER_SECONDS_MAX = 2.0
UNDER_TLS = "smtps"
PORTS = {"smtp": 25, "smtp+starttls": 587, UNDER_TLS: 465}


async def start_local_mailbox(home: Home) -> EmbeddedServer:
    """Start it on the mails of last time; raises LocalError."""
    if importlib.util.find_spec("aiosmtpd") is None:
        raise LocalError("aiosmtpd is not installed: install capicua[server], or set SMTP_URL.")
    await stop_left_over(NAME, home)
    port = home.port(NAME, variable="CAPICUA_MAIL_PORT")
    argv = [sys.executable, "-m", "aiosmtpd", "--nosetuid", "--listen", f"{HOST}:{port}"]
    argv += ["--class", "aiosmtpd.handlers.Mailbox", str(home.data(NAME))]
    process = OwnedProcess.spawn(NAME, argv, home)
    address = f"smtp://{HOST}:{port}"
    await process.wait_healthy(lambda: smtp_answers(address))
    return EmbeddedServer(address, process)


async def smtp_answers(url: str) -> bool:
    """True when a mail server greets, or, where it does that under TLS alone, when it takes connections. Raises
    ValueError for what is no address."""
    parts = urlsplit(url)
    if not parts.hostname:
        raise ValueError("no host")
    try:
        async with asyncio.timeout(ANSWER_SECONDS_MAX):
            reader, writer = await asyncio.open_connection(parts.hostname, parts.port or PORTS[parts.scheme])
            with contextlib.closing(writer):
                if parts.scheme == UNDER_TLS:
                    return True
                greeting = await reader.readline()
                writer.write(b"QUIT\r\n")
                await writer.drain()
                await reader.readline()
    except (OSError, TimeoutError):
        return False
    return greeting.startswith(b"220")
