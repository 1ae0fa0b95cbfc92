"""A private room: its code is the way in, its host decides, its views come one after the other."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import aclosing
from typing import Any

from capicua.errors import CapicuaError, well_formed
from capicua.follows import Follows
from capicua.heard import Heard
from capicua.http_api import HttpApi
from capicua.ids import new_id
from capicua.messages import FollowMessage, OfRooms
from capicua.newest import Newest
from contracts.message import SeatNumber
from contracts.room import (
    ArrangeSeats,
    ChooseRuleset,
    EndPause,
    EnterRoom,
    HandOver,
    LeaveRoom,
    PersonInRoomCommand,
    RemovePerson,
    RoomSeat,
    StartMatch,
)
from contracts.room_api import (
    FollowPrivateRoom,
    PairScreenRequest,
    Phrase,
    PrivateRoom,
    RoomRequest,
    Say,
    Talk,
    UnfollowPrivateRoom,
)


class FollowedRoom:
    """`code` none: that of the screen which follows it."""

    def __init__(self, code: str | None) -> None:
        self.code = code
        self.views: Newest[PrivateRoom] = Newest()
        self.heard = Heard()

    @property
    def wish(self) -> FollowMessage:
        return FollowPrivateRoom(code=self.code)

    @property
    def unwish(self) -> FollowMessage:
        return UnfollowPrivateRoom()

    def take(self, message: OfRooms) -> bool:
        match message:
            case PrivateRoom() if self.code in (None, message.code):
                self.views.put(message)
                return True
            case Talk() if message.code is not None and self.code in (None, message.code):
                self.heard.take(message)
        return False

    def fail(self, error: CapicuaError) -> None:
        self.views.fail(error)
        self.heard.fail(error)


class Room:
    """Of one client. A verb raises `Refused`; whatever it changes is seen in `views`. Each may be refused as
    `unknown-code`, `not-in-room` or `room-closed`, those of the host as `not-host`, and most of these as
    `match-running`."""

    def __init__(
        self, code: str, link: str, http: HttpApi, follows: Follows, tell: Callable[[Say], Awaitable[None]]
    ) -> None:
        self.code = code
        self._link = link
        self._http = http
        self._follows = follows
        self._tell = tell
        self._followed = FollowedRoom(code)
        self._is_followed = False

    @property
    def view(self) -> PrivateRoom | None:
        """The newest, while the room is followed."""
        return self._followed.views.value

    @property
    def link(self) -> str:
        """Leads people into the room; as the server has it, once the room has been seen."""
        return (self.view and self.view.link) or self._link

    async def look(self) -> PrivateRoom:
        """The room now. For somebody outside it this is a use of its code: ten wrong ones lock an address out for a
        while (`too-many-wrong-codes`)."""
        return PrivateRoom.model_validate(await self._http.get(self._path))

    async def views(self) -> AsyncGenerator[PrivateRoom, None]:
        """The room now and after each change, the newest where one reads slowly; ends with the view in which it is
        closed. Raises what ended it."""
        await self._follow()
        async with aclosing(self._followed.views.changes()) as views:
            async for view in views:
                yield view
                if view.closed:
                    return

    async def talk(self) -> AsyncGenerator[Talk, None]:
        """What people say, at first up to 50 sayings of the last day."""
        await self._follow()
        async with aclosing(self._followed.heard.talk()) as talk:
            async for said in talk:
                yield said

    async def close(self) -> None:
        """Stops following; one stays in the room."""
        if self._is_followed:
            self._is_followed = False
            await self._follows.drop(self._followed)

    # ---- everybody

    async def enter(self) -> None:
        """With a free seat one gets it. Raises `Refused`, such as `room-full`, or `removed` for whom the host has sent
        out."""
        await self._do(EnterRoom())

    async def leave(self) -> None:
        """One's seat becomes free, and a host's rights pass on; without being there nothing happens."""
        await self._do(LeaveRoom())

    async def say(self, phrase: Phrase | None = None, text: str | None = None) -> None:
        """Exactly one of them; a text has 1 to 240 characters. Returns once it has been passed on; raises `Refused`,
        such as `too-much-talk` (more than five things in ten seconds) or `not-in-room`."""
        with well_formed("bad-message"):
            saying = Say(code=self.code, phrase=phrase, text=text)
        await self._tell(saying)

    # ---- the host

    async def choose_ruleset(self, options: dict[str, Any]) -> None:
        """A preset and any option to change: `{"preset": "party", "seats": 4, "target": 150}`. Raises `Refused`, such
        as `bad-ruleset`."""
        await self._do(ChooseRuleset(ruleset=options))

    async def arrange_seats(self, seats: Iterable[RoomSeat]) -> None:
        """Who sits where, one for each seat of the ruleset, in seat order. Raises `Refused`, such as `bad-seats`."""
        await self._do(ArrangeSeats(seats=tuple(seats)))

    async def remove(self, account: str) -> None:
        """Sends somebody out, who cannot come back. Raises `Refused`, such as `not-yourself`."""
        await self._do(RemovePerson(account=account))

    async def hand_over(self, account: str) -> None:
        """Makes somebody else in the room its host. Raises `Refused`, such as `person-away`."""
        await self._do(HandOver(account=account))

    async def start(self) -> None:
        """Everybody with a seat gets the table from `Client.next_table`. Raises `Refused`, such as `seats-free`,
        `nobody-plays` or `person-away`."""
        await self._do(StartMatch())

    async def end_pause(self, round_ended: int) -> None:
        """The next round begins now, where the ruleset leaves that to the host. Raises `Refused`, such as `no-match` or
        `everybody-decides`."""
        await self._do(EndPause(round=round_ended))

    async def pair_screen(self, pairing: str) -> None:
        """The screen that shows this code shows this room. Raises `Refused`, such as `unknown-code`, or
        `too-many-screens` after eight."""
        await self._http.post(f"{self._path}/screens", PairScreenRequest(pairing=pairing))

    # ---- inside

    @property
    def _path(self) -> str:
        return f"/v1/private-rooms/{self.code}"

    async def _do(self, command: PersonInRoomCommand) -> None:
        await self._http.post(self._path, RoomRequest(id=new_id(), command=command))

    async def _follow(self) -> None:
        if not self._is_followed:
            self._is_followed = True
            await self._follows.add(self._followed)


def arranged(view: PrivateRoom) -> dict[SeatNumber, RoomSeat]:
    """Who is to sit where, to be changed for `arrange_seats`."""
    return {seat.seat: RoomSeat(account=seat.account, strength=seat.strength) for seat in view.seats}
