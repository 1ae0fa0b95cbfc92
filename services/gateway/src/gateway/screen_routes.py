"""Screens over HTTP: a token for one, and pairing it from either side."""

from fastapi import APIRouter, Request

from contracts.room_api import PairScreenRequest, PrivateRoom, Screen, ScreenRequest
from gateway.admission import Admission, codes_unavailable, unknown_code
from gateway.client_address import ClientAddress
from gateway.codes import Code
from gateway.http_identity import Asker
from gateway.identity import Identity, ScreenTokens
from gateway.limits import REQUESTS, SCREENS, within, within_address
from gateway.private_rooms import PrivateRooms
from gateway.problems import problem
from gateway.room_routes import CodeInPath
from gateway.screens import SCREENS_MAX, Screens, ScreensUnavailable, TooManyScreens


def screen_routes(
    screens: Screens,
    rooms: PrivateRooms,
    admission: Admission,
    tokens: ScreenTokens,
    addresses: ClientAddress,
) -> APIRouter:
    routes = APIRouter(prefix="/v1", tags=["screens"])

    async def pair(screen: str, code: str, pairing: str | None = None) -> None:
        try:
            await screens.pair(screen, code, pairing)
        except TooManyScreens:
            raise problem(409, Code.TOO_MANY_SCREENS, "screens", f"at most {SCREENS_MAX}", "one more") from None
        except ScreensUnavailable:
            raise codes_unavailable() from None

    @routes.post("/screens", status_code=201, dependencies=[within_address(SCREENS)])
    async def become_a_screen(wanted: ScreenRequest, request: Request) -> Screen:
        """A screen that shows a private room to everybody in front of it and can do nothing else: at once with the
        room's code, else as soon as the host has typed the screen's own."""
        address = addresses.of(request)
        if wanted.code is not None:
            found = rooms.find(wanted.code)
            await admission.use_code(None, address, wrong=found is None)
            if found is None:
                raise unknown_code()
        screen, token = tokens.screen()
        if wanted.code is not None:
            await pair(screen.account, wanted.code)
            return Screen(token=token, code=wanted.code)
        try:
            return Screen(token=token, pairing=await screens.wait_for_pairing(screen.account))
        except ScreensUnavailable:
            raise codes_unavailable() from None

    @routes.post("/private-rooms/{code}/screens", dependencies=[within(REQUESTS)])
    async def pair_a_screen(code: CodeInPath, wanted: PairScreenRequest, asker: Asker, request: Request) -> PrivateRoom:
        """The screen that shows this pairing code shows your room from now on."""
        address = addresses.of(request)
        room = await admission.admit_inside(asker, address, code)
        if room.host != asker.account:
            raise problem(403, Code.NOT_HOST, "account", "the host of this room", "somebody else")
        await pair(await _waiting(asker, address, wanted.pairing), code, wanted.pairing)
        return await rooms.shown(room)

    async def _waiting(asker: Identity, address: str, pairing: str) -> str:
        try:
            screen = await screens.waiting(pairing)
        except ScreensUnavailable:
            raise codes_unavailable() from None
        await admission.use_code(asker.account, address, wrong=screen is None)
        if screen is None:
            raise unknown_code()
        return screen

    return routes
