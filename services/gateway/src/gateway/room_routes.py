"""Private rooms over HTTP: open one, look at it, command it, and the picture that leads into it."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response

from contracts.api import Accepted
from contracts.room import EnterRoom, LeaveRoom, RoomCode
from contracts.room_api import OpenRoomRequest, PrivateRoom, RoomMade, RoomRequest
from gateway import qr
from gateway.admission import Admission
from gateway.client_address import ClientAddress
from gateway.http_identity import Asker
from gateway.limits import PICTURES, REQUESTS, ROOMS, within, within_address
from gateway.links import Links
from gateway.private_rooms import PrivateRooms
from gateway.room_commands import RoomCommands

CodeInPath = Annotated[RoomCode, Path(description="six characters, as people say them")]
PICTURE = {"Cache-Control": "private, max-age=3600"}

SVG, PNG = "image/svg+xml", "image/png"


def _picture(kind: str) -> dict[int | str, dict[str, Any]]:
    return {200: {"description": "A QR code", "content": {kind: {"schema": {"type": "string", "format": "binary"}}}}}


def room_routes(
    rooms: PrivateRooms,
    admission: Admission,
    commands: RoomCommands,
    addresses: ClientAddress,
    links: Links,
) -> APIRouter:
    routes = APIRouter(prefix="/v1/private-rooms", tags=["private rooms"])
    drawn = [within_address(PICTURES)]

    @routes.post("", status_code=201, dependencies=[within(ROOMS, REQUESTS)])
    async def open_a_room(wanted: OpenRoomRequest, asker: Asker, request: Request) -> RoomMade:
        """A private room of your own, for people who have its code, with every option of the preset."""
        base = links.base(request)
        code = await commands.open(asker, wanted.id, wanted.ruleset)
        return RoomMade(
            id=wanted.id, code=code, link=links.into(code, request), qr=f"{base}/v1/private-rooms/{code}/qr.svg"
        )

    @routes.get("/{code}", dependencies=[within(REQUESTS)])
    async def look_at_a_room(code: CodeInPath, asker: Asker, request: Request) -> PrivateRoom:
        """The room as it is. Who says its code may see it; who says too many wrong ones is told nothing for a while."""
        room = await admission.admit(asker, addresses.of(request), code)
        return await rooms.shown(room)

    @routes.post("/{code}", dependencies=[within(REQUESTS)])
    async def command_a_room(code: CodeInPath, wanted: RoomRequest, asker: Asker, request: Request) -> Accepted:
        """Come in with `enter-room`; all else is for people in the room, and most of it for its host. Whoever is in no
        such room has left it already."""
        if not isinstance(wanted.command, LeaveRoom):
            admit = admission.admit if isinstance(wanted.command, EnterRoom) else admission.admit_inside
            await admit(asker, addresses.of(request), code)
        return await commands.ask(asker, wanted.id, code, wanted.command)

    @routes.get("/{code}/qr.svg", response_class=Response, responses=_picture(SVG), dependencies=drawn)
    async def qr_code(code: CodeInPath, request: Request) -> Response:
        """The link into the room with this code, if there is one, for phones to read."""
        return Response(qr.svg(links.into(code, request)), media_type=SVG, headers=PICTURE)

    @routes.get("/{code}/qr.png", response_class=Response, responses=_picture(PNG), dependencies=drawn)
    async def qr_code_of_pixels(code: CodeInPath, request: Request) -> Response:
        """The same as a picture of pixels."""
        return Response(qr.png(links.into(code, request)), media_type=PNG, headers=PICTURE)

    return routes
