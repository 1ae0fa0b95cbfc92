"""What the product has sent: it lies in the home of the running product, and nobody tells of it."""

import asyncio

from tests.gateway.fuzz.planted import Planted

from bus.local.mailbox import NAME
from capicua.server.mail import Mail, read_mails

SECONDS_MAX = 30


async def mails_to(secret: Planted, name: str, count: int = 1) -> list[Mail]:
    """Those to addresses that begin so, once there are so many."""
    async with asyncio.timeout(SECONDS_MAX):
        while True:
            found = [mail for mail in await all_mails(secret) if mail.to.startswith(name)]
            if len(found) >= count:
                return found
            await asyncio.sleep(0.05)


async def all_mails(secret: Planted) -> list[Mail]:
    return await asyncio.to_thread(read_mails, secret.home.data(NAME))
