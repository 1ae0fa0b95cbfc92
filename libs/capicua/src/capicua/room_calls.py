"""Rooms, as a client calls them: the public ones with their tables, and private ones."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any
from urllib.parse import urlencode

from capicua.connected import Connected
from capicua.ids import new_id
from capicua.private_room import Room
from capicua.public_room import PublicRoom
from contracts.queue_api import (
    MyTables,
    OfferTableRequest,
    PublicRooms,
    RoomList,
    SeatRequest,
    TableMade,
    TablePage,
    WishedPool,
)
from contracts.region import Pool
from contracts.room_api import OpenRoomRequest, RoomMade


class RoomCalls(Connected):
    """Public rooms with their tables, and private rooms; the part of a `Client` for them."""

    # ---- public rooms

    async def rooms(self) -> PublicRooms:
        """The public room of each preset: how many people are there, how many of its tables have free seats (`open`),
        and how many run."""
        await self.connect()
        return PublicRooms.model_validate(await self._http.get("/v1/rooms"))

    async def tables(
        self,
        preset: str,
        *,
        state: str | None = None,
        seats: int | None = None,
        target: int | None = None,
        rated: bool | None = None,
        limit: int | None = None,
    ) -> AsyncGenerator[TablePage, None]:
        """The tables of a public room, page by page: open ones first, then the newest. `state` is `open` or `running`,
        `limit` that of one page. Raises `Refused`, such as `unknown-room`."""
        await self.connect()
        wish = {"state": state, "seats": seats, "target": target, "rated": rated, "limit": limit}
        asked = {name: _text(value) for name, value in wish.items() if value is not None}
        cursor: str | None = None
        while True:
            query = urlencode(asked | ({} if cursor is None else {"cursor": cursor}))
            page = TablePage.model_validate(await self._http.get(f"/v1/rooms/{preset}/tables?{query}"))
            yield page
            cursor = page.next
            if cursor is None:
                return

    async def follow_room(self, preset: str) -> AsyncGenerator[RoomList, None]:
        """The whole list of a public room's tables, now and after every change, over reconnections too; the newest
        where one reads slowly. Raises `Refused` as `unknown-room`, or what ended the connection."""
        await self.connect()
        room = PublicRoom(preset)
        await self._session.follows.add(room)
        try:
            async with aclosing(room.lists.changes()) as lists:
                async for tables in lists:
                    yield tables
        finally:
            await self._session.follows.drop(room)

    async def offer_table(self, pool: Pool) -> str:
        """A public table of one's own, on its room's list until all its seats are taken; returns its id. `next_table`
        gives it once it has begun. Raises `Refused`, such as `already-seated`, `already-queued` or `bad-pool`."""
        await self.connect()
        wished = WishedPool.model_validate(pool.model_dump())
        made = TableMade.model_validate(
            await self._http.post("/v1/tables", OfferTableRequest(id=new_id(), pool=wished))
        )
        return made.table_id

    async def take_seat(self, table_id: str) -> None:
        """At an offered table; `next_table` gives it once it has begun. Raises `Refused`, such as `table-full`,
        `unknown-table`, `already-seated` or `already-queued`."""
        await self.connect()
        await self._http.post(f"/v1/tables/{table_id}/seat", SeatRequest(id=new_id()))

    async def leave_seat(self) -> None:
        """Of the offered table at which one waits; without one nothing happens."""
        await self._http.post("/v1/tables/leave", SeatRequest(id=new_id()))

    async def my_tables(self, cursor: str | None = None) -> MyTables:
        """Every running table at which this account has a seat, and a page of those that it has finished: the last
        ones, or those of the `cursor` that the page before names as `next`."""
        await self.connect()
        query = "" if cursor is None else "?" + urlencode({"cursor": cursor})
        return MyTables.model_validate(await self._http.get(f"/v1/me/tables{query}"))

    # ---- private rooms

    async def open_room(self, ruleset: dict[str, Any]) -> Room:
        """A new private room, whose host one is; `ruleset` is a preset with any option to change. Raises `Refused`,
        such as `bad-ruleset`."""
        await self.connect()
        made = RoomMade.model_validate(
            await self._http.post("/v1/private-rooms", OpenRoomRequest(id=new_id(), ruleset=ruleset))
        )
        return self._room(made.code, made.link)

    async def room(self, code: str) -> Room:
        """The private room with that code, which one may not be in yet: `enter` it. Whether there is one is told by
        what is asked of it."""
        await self.connect()
        known = code.strip().upper()
        return self._room(known, join_link(self.address.url, known))

    def _room(self, code: str, link: str) -> Room:
        return Room(code, link, self._http, self._session.follows, self._session.tell)


def join_link(url: str, code: str) -> str:
    """Leads a browser into the room, where the server stands at the address that one knows."""
    return f"{url}/join/{code}"


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
