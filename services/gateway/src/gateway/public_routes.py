"""The public rooms over HTTP: their tables, and tables of one's own."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query

from contracts.api import Accepted
from contracts.message import TableId
from contracts.queue_api import OfferTableRequest, PublicRoom, PublicRooms, SeatRequest, TableMade, TablePage
from contracts.region import LeaveSeat, OfferTable, TakeSeat
from domino_rules.ruleset import PRESETS
from gateway.codes import Code
from gateway.cursors import LIMIT_FIRST, BadCursor, Cursor, Limit, bad_cursor
from gateway.http_identity import Asker
from gateway.limits import QUESTIONS, REQUESTS, within
from gateway.names import Learn
from gateway.problems import problem
from gateway.queue import Lobby, pool_of
from gateway.region import RegionHere
from gateway.room_followers import RoomFollowers
from gateway.table_pages import Filter, page


def public_routes(lobby: Lobby, region: RegionHere, followers: RoomFollowers, learn: Learn) -> APIRouter:
    routes = APIRouter(prefix="/v1", tags=["public rooms"])
    tables = region.tables

    @routes.get("/rooms", dependencies=[within(QUESTIONS)])
    async def public_rooms() -> PublicRooms:
        """The public rooms, one for each preset: how many people look at its list, its open and its running tables."""
        rooms = [
            PublicRoom(
                preset=preset,
                people=followers.people(preset),
                open=tables.number(preset, "open"),
                running=tables.number(preset, "running"),
            )
            for preset in PRESETS
        ]
        return PublicRooms(rooms=tuple(rooms))

    @routes.get("/rooms/{preset}/tables", dependencies=[within(QUESTIONS)])
    async def tables_of_a_room(
        preset: str,
        state: Literal["open", "running"] | None = None,
        seats: Annotated[int | None, Query(ge=2, le=4)] = None,
        target: Annotated[int | None, Query(ge=1)] = None,
        rated: bool | None = None,
        cursor: Cursor = None,
        limit: Limit = LIMIT_FIRST,
    ) -> TablePage:
        """A page of a room's tables, open ones first, then the newest. `next` is the `cursor` of the page that follows;
        what is added or taken away meanwhile makes nothing come twice."""
        if preset not in PRESETS:
            raise problem(404, Code.UNKNOWN_ROOM, "preset", " or ".join(PRESETS), "another one")
        try:
            found, following = page(tables.in_order(preset), Filter(state, seats, target, rated), cursor, limit)
        except BadCursor:
            raise bad_cursor() from None
        await learn({seat.account for table in found for seat in table.seats})
        entries = tuple(tables.entry(table) for table in found)
        return TablePage(preset=preset, people=followers.people(preset), tables=entries, next=following)

    @routes.post("/tables", dependencies=[within(REQUESTS)])
    async def offer_a_table(wanted: OfferTableRequest, asker: Asker) -> TableMade:
        """A public table of your own with every option that public play takes: others find it in its room and sit down.
        With the last seat taken it opens, and your socket is told `your-table`."""
        offer = OfferTable(pool=pool_of(wanted.pool), bot=asker.bot)
        await lobby.ask(asker, wanted.id, None, offer)
        table_id = region.offers.table_of(asker.account, wanted.id)
        if table_id is None:
            raise problem(409, Code.NO_LONGER_OFFERED, "id", "a table that was offered lately", "one of long ago")
        return TableMade(id=wanted.id, table_id=table_id)

    @routes.post("/tables/{table_id}/seat", dependencies=[within(REQUESTS)])
    async def take_a_seat(table_id: TableId, wanted: SeatRequest, asker: Asker) -> Accepted:
        """A free seat at an offered table."""
        return await lobby.ask(asker, wanted.id, None, TakeSeat(table_id=table_id, bot=asker.bot))

    @routes.post("/tables/leave", dependencies=[within(REQUESTS)])
    async def leave_my_seat(wanted: SeatRequest, asker: Asker) -> Accepted:
        """Give up your seat at an offered table; when its host leaves, the next one is its host."""
        return await lobby.ask(asker, wanted.id, None, LeaveSeat())

    return routes
