"""A real mail server for tests, and what it has been given."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bus.local import Home
from bus.local.mailbox import NAME, start_local_mailbox
from capicua.server.mail import Mail, read_mails

_CODE = re.compile(r"/recover#([A-Za-z0-9_-]+)")


class Letterbox:
    """Mails as they lie in a Maildir; each test uses addresses of its own."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url = url
        self._folder = folder

    def mails_to(self, address: str) -> list[Mail]:
        """The oldest first."""
        return [mail for mail in read_mails(self._folder) if mail.to.lower() == address.lower()]

    async def mail_to(self, address: str, number: int = 1) -> Mail:
        """The mail of that number to an address, waited for."""
        async with asyncio.timeout(20):
            while len(mails := self.mails_to(address)) < number:  # noqa: ASYNC110 - nobody tells us
                await asyncio.sleep(0.02)
        return mails[number - 1]

    async def code_to(self, address: str, number: int = 1) -> str:
        """The code in its link."""
        return code_in(await self.mail_to(address, number))


def code_in(mail: Mail) -> str:
    found = _CODE.search(mail.text)
    assert found is not None, mail.text
    return found[1]


@asynccontextmanager
async def running_letterbox(home: Home) -> AsyncIterator[Letterbox]:
    server = await start_local_mailbox(home)
    try:
        yield Letterbox(server.address, home.data(NAME))
    finally:
        await server.stop()
