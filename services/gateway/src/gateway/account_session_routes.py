"""Sessions: the token that one renews, and where else one is signed in."""

from typing import Annotated

from fastapi import APIRouter, Path, Request

from contracts.account import SessionId
from contracts.account_api import Access, RenewRequest, Sessions
from contracts.account_inner import Renew
from gateway.account_service import AccountService
from gateway.client_label import label_of
from gateway.http_identity import Asker
from gateway.limits import CHANGES, QUESTIONS, RENEWALS, within, within_address

InPath = Annotated[SessionId, Path(description="as the list has it")]


def session_routes(service: AccountService) -> APIRouter:
    routes = APIRouter(prefix="/v1", tags=["sessions"])

    @routes.post("/session/renew", dependencies=[within_address(RENEWALS)])
    async def renew_the_token(wanted: RenewRequest, request: Request) -> Access:
        """A fresh token for ten minutes, for the secret of a session or for a personal token. An answer of 401 is for
        ever: the session has ended."""
        signed = await service.renew(Renew(secret=wanted.secret, label=label_of(request)))
        return Access(account=signed.account, session=signed.session, token=signed.token, seconds=signed.seconds)

    @routes.get("/me/sessions", dependencies=[within(QUESTIONS)])
    async def my_sessions(asker: Asker) -> Sessions:
        """Where you are signed in, the newest used first: at fifty places at most, of which the oldest ends for a new
        one."""
        return await service.sessions(asker.account, asker.session)

    @routes.delete("/me/sessions", dependencies=[within(CHANGES)])
    async def sign_out_everywhere(asker: Asker, others: bool = False) -> Sessions:
        """Ends all your sessions, with `others` all but the one that asks. No access token and no socket of before is
        good within seconds: what is left, as personal tokens are, renews and goes on. Gives the sessions that are left.
        """
        but = asker.session if others else None
        await service.end_all(asker.account, but)
        if but is None:
            return Sessions(sessions=())
        return await service.sessions(asker.account, asker.session)

    @routes.delete("/me/sessions/{session}", dependencies=[within(CHANGES)])
    async def end_a_session(session: InPath, asker: Asker) -> Sessions:
        """Ends one session, your own too. Gives what is left."""
        await service.end_session(asker.account, session)
        return await service.sessions(asker.account, asker.session)

    return routes
