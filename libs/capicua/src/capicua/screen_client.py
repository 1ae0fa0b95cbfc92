"""A screen, such as a television: it shows a private room and its tables, has no seat, and controls nothing."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from random import Random

from capicua.connected import PATIENCE_SECONDS, Connected
from capicua.private_room import FollowedRoom
from contracts.room_api import PrivateRoom, Screen, ScreenRequest


class ScreenClient(Connected):
    """Use it as `async with ScreenClient(url) as screen`. With a room's `code` it shows that room at once, without one
    it has a `pairing` code, which the room's host types. It can look and do nothing else. `saved` is what `begin` gave:
    with it the same screen comes back."""

    def __init__(
        self,
        url: str,
        *,
        code: str | None = None,
        saved: Screen | None = None,
        patience_seconds: float = PATIENCE_SECONDS,
        randomness: Random | None = None,
    ) -> None:
        super().__init__(url, patience_seconds=patience_seconds, randomness=randomness)
        self.pairing: str | None = None
        self._wanted = code.strip().upper() if code is not None else None
        if saved is not None:
            self._is(saved)

    @property
    def code(self) -> str | None:
        """Of the room that is shown; none until the screen is paired."""
        return self._session.paired.value

    async def paired(self) -> str:
        """The code of the room that is shown; waits for it. Raises `Refused` for a wrong code."""
        await self.connect()
        async with aclosing(self._session.paired.changes()) as codes:
            return await anext(codes)

    async def views(self) -> AsyncGenerator[PrivateRoom, None]:
        """The room now and after each change, once there is one; ends with the view in which it is closed."""
        await self.connect()
        followed = FollowedRoom(None)
        await self._session.follows.add(followed)
        try:
            async with aclosing(followed.views.changes()) as views:
                async for view in views:
                    if self.code != view.code:  # paired while there was no connection
                        self._session.paired.put(view.code)
                    yield view
                    if view.closed:
                        return
        finally:
            await self._session.follows.drop(followed)

    async def begin(self) -> Screen:
        """A new screen. Raises `Refused` for a wrong code."""
        screen = Screen.model_validate(await self._http.post("/v1/screens", ScreenRequest(code=self._wanted)))
        self._is(screen)
        return screen

    async def _become_known(self) -> None:
        await self.begin()

    def _is(self, screen: Screen) -> None:
        self._http.credentials.hold(screen.token)
        self.pairing = screen.pairing
        if screen.code is not None:
            self._session.paired.put(screen.code)
