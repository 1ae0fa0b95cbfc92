"""Who may see a private room: the people in it, its screens, and who says its code without having tried too many."""

from gateway.codes import Code
from gateway.codes_guard import CodesGuard, GuardUnavailable, Locked
from gateway.identity import Identity
from gateway.private_room import Room
from gateway.private_rooms import PrivateRooms
from gateway.problems import ProblemError, problem
from gateway.screens import Screens, ScreensUnavailable


class Admission:
    """Asked before anything is said of a room. Its answers are the problems that the API has for it."""

    def __init__(self, rooms: PrivateRooms, guard: CodesGuard, screens: Screens) -> None:
        self._rooms = rooms
        self._guard = guard
        self._screens = screens

    async def admit(self, asker: Identity, address: str, code: str) -> Room:
        """The room that `asker` may see, as it is when this returns. Raises `screen-only`, `unknown-code`,
        `too-many-wrong-codes`, `removed`, or `codes-unavailable`."""
        room = self._rooms.find(code)
        if asker.screen:
            await self._shown_by(asker, code)
        elif room is None or asker.account not in room.people:
            await self.use_code(asker.account, address, wrong=room is None)
        room = self._rooms.find(code)  # it went on meanwhile: who follows an older one is never told of that
        if room is None:
            raise unknown_code()
        if asker.account in room.removed:
            raise problem(403, Code.REMOVED, "account", "somebody who may come in", "somebody whom the host removed")
        return room

    async def admit_inside(self, asker: Identity, address: str, code: str) -> Room:
        """The same for what only people in the room may do; raises `not-in-room` too."""
        room = await self.admit(asker, address, code)
        if asker.account not in room.people:
            raise problem(403, Code.NOT_IN_ROOM, "account", "somebody in this room", "somebody who is not")
        return room

    async def use_code(self, account: str | None, address: str, *, wrong: bool) -> None:
        """Somebody has said a code; raises `too-many-wrong-codes`, whether or not it is right, or
        `codes-unavailable`."""
        try:
            await self._guard.judge(address, account, wrong=wrong)
        except Locked as locked:
            seconds = -(-locked.ms // 1000)
            expected, headers = f"a pause of {seconds} s", {"Retry-After": str(seconds)}
            raise problem(429, Code.TOO_MANY_WRONG_CODES, "code", expected, "another code", headers=headers) from None
        except GuardUnavailable:
            raise codes_unavailable() from None

    async def room_shown_by(self, screen: Identity) -> str | None:
        """The code of the room that a screen is paired with. Raises `codes-unavailable`."""
        try:
            return await self._screens.room_of(screen.account)
        except ScreensUnavailable:
            raise codes_unavailable() from None

    async def _shown_by(self, screen: Identity, code: str) -> None:
        if await self.room_shown_by(screen) != code:
            raise problem(403, Code.SCREEN_ONLY, "code", "the room that this screen is paired with", "another one")


def unknown_code() -> ProblemError:
    return problem(404, Code.UNKNOWN_CODE, "code", "the code of an open room", "another one")


def codes_unavailable() -> ProblemError:
    return problem(503, Code.CODES_UNAVAILABLE, "code", "to look codes up", "no answer: try again")
