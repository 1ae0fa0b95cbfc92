"""What has a token and one connection: every client, and every screen."""

import asyncio
from random import Random
from types import TracebackType
from typing import Self

from capicua.address import Address
from capicua.connection import Connection
from capicua.errors import Closed
from capicua.http_api import HttpApi
from capicua.server_clock import ServerClock
from capicua.session import Session
from capicua.table import Table

PATIENCE_SECONDS = 30.0


class Connected:
    """Use it as `async with … as client`. Connects when it is first needed and stays connected.

    `token` is a saved one: that of an earlier client, or a personal token. `patience_seconds`: for how long nobody may
    answer before `Unreachable` is raised; `math.inf` never gives up. Commands are sent again with the same id until
    they are answered.
    """

    def __init__(
        self,
        url: str,
        *,
        token: str | None = None,
        patience_seconds: float = PATIENCE_SECONDS,
        randomness: Random | None = None,
    ) -> None:
        self.address = Address.parse(url)
        self.clock = ServerClock()
        self._randomness = randomness or Random()
        self._http = HttpApi(self.address, self._randomness, patience_seconds)
        self._http.credentials.keep(token)
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

    @property
    def token(self) -> str | None:
        """Save it to come back as the same, and let nobody see it: the secret of this client's session, or its personal
        token. Access tokens, which are good for minutes, are had by it and kept nowhere."""
        return self._http.credentials.kept

    @property
    def patience_seconds(self) -> float:
        """For how long nobody may answer; counts from the next request, and the next connection, on."""
        return self._http.patience_seconds

    @patience_seconds.setter
    def patience_seconds(self, seconds: float) -> None:
        self._http.patience_seconds = seconds

    async def connect(self) -> None:
        """Returns once the server has said welcome; asks for a token when there is none."""
        async with self._connecting:
            if self._connection is None:
                if self.token is None:
                    await self._become_known()
                self._connection = Connection(
                    self.address,
                    self._http.credentials,
                    self._session,
                    self.clock,
                    self._randomness,
                    self.patience_seconds,
                )
                self._session.start(self._connection)
        await self._session.welcomed.wait()
        if self._session.error is not None:
            raise self._session.error

    @property
    def is_connected(self) -> bool:
        """Whether there is a connection now; a lost one comes back by itself."""
        return self._connection is not None and self._connection.is_open

    @property
    def connections_count(self) -> int:
        """How often the server has said welcome: one more with every reconnection."""
        return 0 if self._connection is None else self._connection.opened_count

    async def watch(self, table_id: str) -> Table:
        """Any table, as its seat or as a spectator; eight at once. Whether there is such a table is told by its
        `views`, which raise `Refused`, such as `unknown-table` or, at a private room's, `not-in-room`."""
        await self.connect()
        return await self._session.follow(table_id)

    async def _identify(self) -> None:
        """There is a token afterwards; no connection is needed for it."""
        async with self._connecting:
            if self.token is None:
                await self._become_known()

    async def _become_known(self) -> None:
        """Gets a token."""
        raise NotImplementedError
