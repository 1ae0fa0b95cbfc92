"""What a client follows besides tables: said again after every reconnection, until it is let go."""

from collections.abc import Awaitable, Callable
from typing import Protocol

from capicua.errors import CapicuaError, Refused
from capicua.messages import FollowMessage, OfRooms
from contracts.api import SocketError
from contracts.room_api import FollowPrivateRoom

ASK_AGAIN = frozenset({"too-many-requests", "codes-unavailable"})
"""Nothing was done: the same may be asked again in a moment."""
NOT_PAIRED = "not-paired"
"""A screen asks again when it is told that it is paired."""
ROOM_LOST = frozenset({"removed", "room-unreadable"})
"""Comes at any time to whoever follows a private room."""


class Followed(Protocol):
    """One thing that is followed, by the message `wish`, until `unwish`."""

    @property
    def wish(self) -> FollowMessage: ...

    @property
    def unwish(self) -> FollowMessage: ...

    def take(self, message: OfRooms) -> bool:
        """Whether the message answers the wish."""
        ...

    def fail(self, error: CapicuaError) -> None: ...


class Follows:
    """`say` sends a message if there is a connection."""

    def __init__(self, say: Callable[[FollowMessage], Awaitable[None]]) -> None:
        self._say = say
        self._followed: list[Followed] = []
        self._unanswered: list[Followed] = []

    async def add(self, followed: Followed) -> None:
        self._followed.append(followed)
        await self._ask(followed)

    async def drop(self, followed: Followed) -> None:
        """The server is told when nobody else here follows the same."""
        self._followed = _without(followed, self._followed)
        self._unanswered = _without(followed, self._unanswered)
        if all(other.wish != followed.wish for other in self._followed):
            await self._say(followed.unwish)

    async def say_again(self) -> None:
        """A new connection knows nothing."""
        self._unanswered = []
        for followed in list(self._followed):
            await self._ask(followed)

    async def ask_again(self) -> None:
        """What has not been answered."""
        for followed in list(self._unanswered):
            await self._say(followed.wish)

    def take(self, message: OfRooms) -> None:
        for followed in list(self._followed):
            if followed.take(message):
                self._unanswered = _without(followed, self._unanswered)

    def refused(self, error: SocketError) -> bool:
        """An error that names nothing is about what has been asked for and not been answered. True: ask again soon."""
        if error.code == NOT_PAIRED:
            return False
        if error.code in ASK_AGAIN:
            return bool(self._unanswered)
        private = [followed for followed in self._followed if isinstance(followed.wish, FollowPrivateRoom)]
        lost = private if error.code in ROOM_LOST else self._unanswered
        for followed in lost:
            followed.fail(Refused(error.code, error.message, error.expected, error.got))
        self._unanswered = [followed for followed in self._unanswered if followed not in lost]
        return False

    def fail(self, error: CapicuaError) -> None:
        for followed in list(self._followed):
            followed.fail(error)

    async def _ask(self, followed: Followed) -> None:
        self._unanswered.append(followed)
        await self._say(followed.wish)


def _without(one: Followed, all_of_them: list[Followed]) -> list[Followed]:
    return [other for other in all_of_them if other is not one]
