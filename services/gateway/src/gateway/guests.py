"""Guests: the way in, and where one is."""

from fastapi import APIRouter, Request

from bus.clock import BrokerTime
from contracts.api import Guest, GuestRequest, Me
from gateway.codes import Code
from gateway.http_identity import Asker
from gateway.identity import Tokens, WrongHouseKey
from gateway.limits import GUESTS, QUESTIONS, count_address, within, within_address
from gateway.problems import problem
from gateway.whereabouts import Whereabouts


def guest_routes(tokens: Tokens, whereabouts: Whereabouts, time: BrokerTime) -> APIRouter:
    routes = APIRouter(prefix="/v1", tags=["guests"])

    @routes.post("/guests", status_code=201, dependencies=[within_address()])
    async def become_a_guest(wanted: GuestRequest, request: Request) -> Guest:
        """A new account and the token that proves it for 30 days. A program declares itself with `bot`."""
        if wanted.house_key is None:
            await count_address(request, GUESTS)
        try:
            if wanted.house_key is None and wanted.house_bot is None:
                identity, token = tokens.guest(bot=wanted.bot)
            else:
                identity, token = tokens.house_bot(wanted.house_key, wanted.house_bot)
        except WrongHouseKey:
            expected = "the key of this house"
            raise problem(403, Code.WRONG_HOUSE_KEY, "house_key", expected, "another one") from None
        return Guest(account=identity.account, token=token, bot=identity.bot)

    @routes.get("/me", dependencies=[within(QUESTIONS)])
    async def me(asker: Asker) -> Me:
        """Your account, the region in which it queues, and the open tables at which you have a seat."""
        tables = whereabouts.tables_of(asker.account)
        return Me(account=asker.account, region=asker.region, bot=asker.bot, tables=tables, server_time=time.now())

    return routes
