"""Keeping an account by a mail address, and coming back into it."""

from fastapi import APIRouter, Request

from contracts.account_api import Access, LinkRequest, LinkSent, MailRequest, Recovered
from contracts.account_inner import SendLink, UseLink
from gateway.account_service import AccountService
from gateway.client_label import label_of
from gateway.http_identity import MAYBE_ENDED, MaybeAsker
from gateway.limits import LINKS, MAILS, MAILS_OF_ADDRESS, Limits, count_account, within_address
from gateway.links import Links
from gateway.merged import Merged


def mail_routes(service: AccountService, links: Links, region: str, merged: Merged) -> APIRouter:
    routes = APIRouter(prefix="/v1", tags=["mail"])

    @routes.post("/mail", status_code=202, dependencies=[within_address(MAILS_OF_ADDRESS)])
    async def send_a_link(wanted: MailRequest, asker: MaybeAsker, request: Request) -> LinkSent:
        """A link is mailed there. With a token it keeps your account, or moves the guest that you are to the account
        that has this address; without one it leads back into the account that has it, and moves nobody. The answer
        never says whether there is one."""
        if asker is not None:
            await count_account(request, asker.account, MAILS)
        limits: Limits = request.app.state.limits
        return await service.send_link(
            SendLink(
                address=wanted.address,
                language=wanted.language,
                account=asker.account if asker is not None else None,
                region=region,
                asked_from=limits.addresses.of(request),
                public_url=links.certain(request),
            )
        )

    @routes.post("/mail/use", dependencies=[within_address(LINKS), MAYBE_ENDED])
    async def use_a_link(wanted: LinkRequest, request: Request) -> Recovered:
        """What the code of a mailed link gives you, once: a new session of the kept account. Matches and styles of the
        guest that asked for the link with its token are that account's from then on, and the guest's session ends:
        whoever has heard no answer asks again as before, with the same `Idempotency-Key`, and gets the same one, or
        `link-used` if it is gone. Whose token this is asked with makes no difference. Where both have more than ten
        programs, nothing is done: end some, and use the link then."""
        label = wanted.label or label_of(request)
        entered = await service.use_link(UseLink(code=wanted.code, label=label))
        if entered.moved is not None:
            await merged.forget([entered.state.account])  # whoever comes now has the guest's seats
        signed = entered.signed
        access = Access(account=signed.account, session=signed.session, token=signed.token, seconds=signed.seconds)
        return Recovered(account=entered.state.account, secret=entered.secret, access=access, moved=entered.moved)

    return routes
