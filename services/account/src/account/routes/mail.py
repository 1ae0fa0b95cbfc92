"""Links by mail: asked for, and used."""

from fastapi import APIRouter

from account.accounts import Accounts
from account.links import LINK_MS, ask_for_link, lock_address
from account.mail_address import read_address
from account.mail_queue import put_link
from account.mail_sender import MailSender
from account.recovery import Recovery, may_have_mail
from account.refusals import Code, Refused
from bus.postgres import Database
from bus.postgres.database import now
from contracts.account_api import LinkSent
from contracts.account_inner import Entered, SendLink, UseLink


def mail_routes(database: Database, accounts: Accounts, recovery: Recovery, sender: MailSender | None) -> APIRouter:
    """`sender`: none where there is no mail server."""
    routes = APIRouter(prefix="/mail", tags=["mail"])

    @routes.post("/links")
    async def send_link(wanted: SendLink) -> LinkSent:
        """A link is on its way. Whether anybody has the address is not told, and is not known yet."""
        if sender is None:
            raise Refused(Code.MAIL_UNAVAILABLE, "mail", "a mail server", "none")
        address = read_address(wanted.address)
        async with database.transaction() as connection:
            await lock_address(connection, address)  # before any account, as who uses a link does
            if wanted.account is not None and not may_have_mail(await accounts.hold(connection, wanted.account)):
                raise Refused(Code.NOT_FOR_PROGRAMS, "account", "a person's account", "a program's")
            at = await now(connection)
            link = await ask_for_link(connection, wanted, address, at)
            await put_link(connection, link, at)
        sender.wake()
        return LinkSent(seconds=LINK_MS // 1000)

    @routes.post("/links/use")
    async def use_link(wanted: UseLink) -> Entered:
        """A session of the account that is kept by the link's address."""
        async with database.transaction() as connection:
            entered = await recovery.use(connection, wanted)
        if sender is not None:
            sender.wake()
        return entered

    return routes
