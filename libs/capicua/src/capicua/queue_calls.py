"""The public queue, as a client calls it."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Literal

from capicua.connected import Connected
from capicua.errors import Closed, Refused
from capicua.ids import new_id
from capicua.table import Table
from contracts.api import LeaveQueueRequest, QueueRequest, StandByRequest
from contracts.queue_api import BotsRequest, QueueStatus, WidenRequest, WishedPool
from contracts.region import WINDOW_FIRST, Pool
from domino_bots import Strength

NOT_QUEUED = "not-queued"


class QueueCalls(Connected):
    """Waiting for a table in the public queue; the part of a `Client` for it."""

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
        rated: bool = False,
        window: int = WINDOW_FIRST,
        group: str | None = None,
        group_size: int | None = None,
    ) -> None:
        """Waits in the public queue; returns once the ticket stands, `next_table` gives the table.

        Raises `Refused`, such as `already-queued`, `already-seated`, `bad-pool` or, in a group, `group-full` or
        `group-mismatch`.

        `pairs` and `drawing` are for `party`, `spinner` (four ends) for `all-fives`; `turn_seconds` (15, 30 or 60) for
        `party`, `clock_minutes` (3, 5, 10, 15 or 20) for `duel-draw` and `all-fives`; `strength` is that of the house
        bots that fill the seats. Friends who say the same `group` and how many they are get seats at one table. Of
        `rated` tickets those meet whose ratings are at most `window` apart, which widens by itself.
        """
        await self.connect()
        request = QueueRequest(
            id=new_id(),
            preset=preset,
            seats=seats,
            target=target,
            pairs=pairs,
            spinner=spinner,
            drawing=drawing,
            turn_seconds=turn_seconds,
            clock_minutes=clock_minutes,
            rated=rated,
            window=window,
            group=group,
            group_size=group_size,
            bots=bots,
            strength=strength.value,
            region=region,
        )
        await self._http.post("/v1/queue", request)

    async def leave_queue(self) -> None:
        """Gives the ticket up; without one nothing happens."""
        await self._http.post("/v1/queue/leave", LeaveQueueRequest(id=new_id()))
        self._session.queue_status.put(None)

    async def widen(self, pool: Pool) -> None:
        """Yes to an offer: the ticket waits for this pool too. Raises `Refused`, such as `not-queued`, `bad-pool` or
        `too-many-pools`."""
        wished = WishedPool.model_validate(pool.model_dump())
        await self._http.post("/v1/queue/widen", WidenRequest(id=new_id(), pool=wished))

    async def accept_bots(self, strength: Strength = Strength.NORMAL) -> None:
        """Yes to the offer of house bots, for the ticket or for the table that one has offered. Raises `Refused`, such
        as `not-queued`, or `rated-pool`, where people alone play."""
        await self._http.post("/v1/queue/bots", BotsRequest(id=new_id(), strength=strength.value))

    async def queue_status(self) -> QueueStatus | None:
        """How the ticket stands now: its pools, how many wait there, why there is no match yet, and what would help;
        none without a ticket."""
        try:
            status = QueueStatus.model_validate(await self._http.get("/v1/queue"))
        except Refused as refusal:
            if refusal.code != NOT_QUEUED:
                raise
            status = None
        self._session.queue_status.put(status)
        return status

    async def queue_statuses(self) -> AsyncGenerator[QueueStatus, None]:
        """How the ticket stands, now and whenever it changes, the newest where one reads slowly."""
        await self.connect()
        async with aclosing(self._session.queue_status.changes()) as statuses:
            async for status in statuses:
                yield status

    async def stand_by(self) -> None:
        """A house bot offers to take a seat where bots are asked for. Everybody else is `Refused` as `house-only`."""
        await self.connect()
        await self._http.post("/v1/stand-by", StandByRequest(id=new_id()))

    async def next_table(self) -> Table:
        """The next table at which this account has a seat, each one once; waits for it. Raises `Refused` with
        `match-called-off` where a match that was made could not begin: the account may queue again."""
        await self.connect()
        table = await self._session.given.get()
        if table is None:
            self._session.given.put_nowait(None)  # for whoever waits next
            raise self._session.error or Closed("the client was closed")
        if isinstance(table, Refused):
            raise table
        return table
