"""The client of one account: a token, the queue, and the tables it is seated at or watches."""

import asyncio
import uuid
from random import Random
from types import TracebackType
from typing import Literal, Self

from capicua.address import Address
from capicua.connection import Connection
from capicua.errors import Closed
from capicua.http_api import HttpApi
from capicua.server_clock import ServerClock
from capicua.session import Session
from capicua.table import Table
from contracts.api import Guest, GuestRequest, LeaveQueueRequest, Me, QueueRequest, Replay, StandByRequest
from domino_bots import Strength


class Client:
    """Use it as `async with Client(url) as client`. Connects when it is first needed and stays connected.

    `token` is a saved guest's. `patience_seconds`: for how long nobody may answer before `Unreachable` is raised;
    `math.inf` never gives up. Commands are sent again with the same id until they are answered.
    """

    def __init__(
        self, url: str, *, token: str | None = None, patience_seconds: float = 30.0, randomness: Random | None = None
    ) -> None:
        self.address = Address.parse(url)
        self.clock = ServerClock()
        self._patience_seconds = patience_seconds
        self._randomness = randomness or Random()
        self._http = HttpApi(self.address, self._randomness, patience_seconds)
        self._http.token = token
        self._session = Session(self._randomness)
        self._connection: Connection | None = None
        self._connecting = asyncio.Lock()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends the connection; whatever still waits gets `Closed`. Seats stay as they are."""
        await self._session.close(Closed("the client was closed"))
        await self._http.close()

    # ---- account

    @property
    def token(self) -> str | None:
        """Save it to come back as the same guest."""
        return self._http.token

    @property
    def account(self) -> str | None:
        return self._session.account

    async def guest(self, *, bot: bool = False, house_key: str | None = None, house_bot: int | None = None) -> Guest:
        """A new guest account; programs say `bot=True`. `house_key` and `house_bot` are for the house's own bots."""
        request = GuestRequest(bot=bot, house_key=house_key, house_bot=house_bot)
        guest = Guest.model_validate(await self._http.post("/v1/guests", request))
        self._http.token = guest.token
        self._session.account = guest.account
        return guest

    async def me(self) -> Me:
        return Me.model_validate(await self._http.get("/v1/me"))

    # ---- the connection

    async def connect(self) -> None:
        """Returns once the server has said welcome; makes a guest account when there is no token."""
        async with self._connecting:
            if self._connection is None:
                if self.token is None:
                    await self.guest()
                self._connection = Connection(
                    self.address, self.token or "", self._session, self.clock, self._randomness, self._patience_seconds
                )
                self._session.start(self._connection)
        await self._session.welcomed.wait()
        if self._session.error is not None:
            raise self._session.error

    @property
    def is_connected(self) -> bool:
        return self._connection is not None and self._connection.is_open

    @property
    def connections_count(self) -> int:
        """How often the server has said welcome: one more with every reconnection."""
        return 0 if self._connection is None else self._connection.opened_count

    # ---- tables

    async def queue(
        self,
        preset: str = "draw",
        seats: int = 2,
        target: int = 100,
        bots: Literal["none", "fill"] = "none",
        region: str | None = None,
        *,
        pairs: bool = False,
        spinner: bool = False,
        drawing: bool = False,
        turn_seconds: int | None = None,
        clock_minutes: int | None = None,
        strength: Strength = Strength.NORMAL,
    ) -> None:
        """Waits in the public queue; `next_table` gives the table. Raises `Refused`, e.g. `already-queued`.

        `pairs` and `drawing` are for `party`, `spinner` (four ends) for `all-fives`; `turn_seconds` (15, 30 or 60) for
        `party`, `clock_minutes` (3, 5, 10, 15 or 20) for `duel-draw` and `all-fives`; `strength` is that of the house
        bots that fill the seats.
        """
        await self.connect()
        request = QueueRequest(
            id=_new_id(),
            preset=preset,
            seats=seats,
            target=target,
            pairs=pairs,
            spinner=spinner,
            drawing=drawing,
            turn_seconds=turn_seconds,
            clock_minutes=clock_minutes,
            bots=bots,
            strength=strength.value,
            region=region,
        )
        await self._http.post("/v1/queue", request)

    async def leave_queue(self) -> None:
        await self._http.post("/v1/queue/leave", LeaveQueueRequest(id=_new_id()))

    async def stand_by(self) -> None:
        """A house bot offers to take a seat where bots are asked for."""
        await self.connect()
        await self._http.post("/v1/stand-by", StandByRequest(id=_new_id()))

    async def next_table(self) -> Table:
        """The next table at which this account has a seat, each one once; waits for it."""
        await self.connect()
        table = await self._session.given.get()
        if table is None:
            self._session.given.put_nowait(None)  # for whoever waits next
            raise self._session.error or Closed("the client was closed")
        return table

    async def watch(self, table_id: str) -> Table:
        """Any table, as its seat or as a spectator."""
        await self.connect()
        return await self._session.follow(table_id)

    async def replay(self, table_id: str) -> Replay:
        """A finished match with all its events; for those who played in it."""
        return Replay.model_validate(await self._http.get(f"/v1/tables/{table_id}/replay"))


def _new_id() -> str:
    return uuid.uuid4().hex
