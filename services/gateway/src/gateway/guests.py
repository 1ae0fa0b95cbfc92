"""Guests: the way in, and where one is."""

from fastapi import APIRouter, Request

from bus.clock import BrokerTime
from contracts.api import Guest, GuestRequest, Me
from gateway.client_label import label_of
from gateway.codes import Code
from gateway.http_identity import Asker
from gateway.limits import GUESTS, QUESTIONS, count_address, within, within_address
from gateway.merged import Merged
from gateway.newcomers import Newcomers, WrongHouseKey
from gateway.problems import problem
from gateway.whereabouts import Whereabouts


def guest_routes(newcomers: Newcomers, whereabouts: Whereabouts, merged: Merged, time: BrokerTime) -> APIRouter:
    routes = APIRouter(prefix="/v1", tags=["guests"])

    @routes.post("/guests", status_code=201, dependencies=[within_address()])
    async def become_a_guest(wanted: GuestRequest, request: Request) -> Guest:
        """A new account, a token that proves it for ten minutes, and the secret by which you get the next one. A
        program declares itself with `bot`."""
        if wanted.house_key is None and wanted.house_bot is None:
            await count_address(request, GUESTS)
            return await newcomers.guest(bot=wanted.bot, language=wanted.language, label=label_of(request))
        try:
            return await newcomers.house_bot(wanted.house_key, wanted.house_bot)
        except WrongHouseKey:
            expected = "the key of this house"
            raise problem(403, Code.WRONG_HOUSE_KEY, "house_key", expected, "another one") from None

    @routes.get("/me", dependencies=[within(QUESTIONS)])
    async def me(asker: Asker) -> Me:
        """Your account, the region in which it queues, and the open tables at which you have a seat, with those of the
        guests that you were among them."""
        tables = whereabouts.tables_of(*await merged.players(asker))
        return Me(account=asker.account, region=asker.region, bot=asker.bot, tables=tables, server_time=time.now())

    return routes
