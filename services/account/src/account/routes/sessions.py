"""Sessions: renewed, listed, ended; and house bots, which come in here."""

from typing import Annotated

from fastapi import APIRouter, Query

from account.accounts import Accounts
from account.house import HouseBots
from account.links import void_links
from account.refusals import Code, Refused
from account.sessions import AccountSessions
from bus.postgres import Database
from contracts.account import SessionId
from contracts.account_api import Sessions
from contracts.account_inner import Entered, EnterHouse, Renew, RenewSome, Signed, SignedSome
from contracts.message import AccountId


def session_routes(database: Database, accounts: Accounts, sessions: AccountSessions, house: HouseBots) -> APIRouter:
    routes = APIRouter()

    @routes.post("/sessions/renew")
    async def renew(wanted: Renew) -> Signed:
        async with database.connection() as connection:
            return await sessions.renew(connection, wanted)

    @routes.post("/sessions/renew-some")
    async def renew_some(wanted: RenewSome) -> SignedSome:
        async with database.connection() as connection:
            return SignedSome(signed=tuple(await sessions.renew_some(connection, wanted.renewals)))

    @routes.post("/house-bots")
    async def enter_house(wanted: EnterHouse) -> Entered:
        async with database.transaction() as connection:
            return await house.enter(connection, wanted)

    @routes.get("/accounts/{account}/sessions")
    async def sessions_of(account: AccountId, here: Annotated[SessionId | None, Query()] = None) -> Sessions:
        async with database.transaction() as connection:
            await accounts.look(connection, account)
            return await sessions.of(connection, account, here)

    @routes.delete("/accounts/{account}/sessions/{session}", status_code=204)
    async def end_session(account: AccountId, session: SessionId) -> None:
        async with database.transaction() as connection:
            await accounts.lock(connection, account)
            if not await sessions.end_session(connection, account, session):
                raise Refused(Code.UNKNOWN_SESSION, "session", "a session of this account", "another id")
            await void_links(connection, account)
            await accounts.tell(connection, [account])

    @routes.delete("/accounts/{account}/sessions", status_code=204)
    async def end_all_sessions(account: AccountId, but: Annotated[SessionId | None, Query()] = None) -> None:
        async with database.transaction() as connection:
            await accounts.lock(connection, account)
            await sessions.end_all(connection, account, but)
            await void_links(connection, account)
            await accounts.tell(connection, [account])

    return routes
