"""One table as a client follows it: its views in order, and the commands of its own seat."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Protocol

from capicua.errors import CapicuaError, Refused, well_formed
from capicua.heard import Heard
from capicua.ids import new_id
from capicua.view import MatchResult, TableView
from contracts.api import TableRequest, Unwatch, Watch
from contracts.room_api import Phrase, Say, Talk
from contracts.table import (
    DrawTiles,
    LeaveTable,
    NextRound,
    PassTurn,
    PlayerCommand,
    PlayTile,
    Resign,
    ReturnToSeat,
    SitDown,
)

VIEWS_KEPT = 256
ROUND_HAS_BEGUN = "stale-turn"


class Desk(Protocol):
    """What a table needs of its client."""

    async def say(self, message: Watch | Unwatch) -> None: ...

    async def tell(self, saying: Say) -> None: ...

    async def ask(self, request: TableRequest) -> int: ...

    def forget(self, table_id: str) -> None: ...


class Table:
    """Follow it with `views`, act with the verbs; a verb returns the version that answers it, or raises `Refused`."""

    def __init__(self, table_id: str, desk: Desk) -> None:
        self.id = table_id
        self.view: TableView | None = None
        self.missed_count = 0
        self.names: dict[str, str] = {}
        """Of accounts, as far as one has told them here: they stand in every view."""
        self.heard = Heard()
        self._desk = desk
        self._waiting: deque[TableView] = deque()
        self._changed = asyncio.Event()
        self._error: CapicuaError | None = None
        self._shown: TableView | None = None
        self._acted_turn = 0
        self._refilling = False

    @property
    def version(self) -> int:
        """Of the newest view, 0 before the first."""
        return 0 if self.view is None else self.view.version

    # ---- following

    async def views(self) -> AsyncIterator[TableView]:
        """Every view once, in order, beginning with the first since the table is followed; ends when it is over. A
        version comes again, without events, when time that the service was silent is given back to its deadline.

        At most 256 wait to be read: whoever is slower gets a view with `missed` set. Raises what ended the connection.
        """
        while True:
            view = await self._next()
            acted = 0 < view.turn <= self._acted_turn
            self._shown = view
            yield view.model_copy(update={"acted": acted, "names": dict(self.names)})
            if view.over:
                return

    async def result(self) -> MatchResult | None:
        """Reads on until the match is over and tells how; none when the table expired."""
        async for view in self.views():
            if view.over:
                return view.result
        return None

    async def _next(self) -> TableView:
        while not self._waiting:
            if self._error is not None:
                raise self._error
            self._changed.clear()
            await self._changed.wait()
        return self._waiting.popleft()

    # ---- acting

    async def sit(self, client_seed: str = "") -> int:
        """Takes the reserved seat; the seed goes into the shuffle (0 to 64 printable ASCII characters, no colon)."""
        return await self._do(SitDown(client_seed=client_seed))

    async def play(self, action: str, turn: int | None = None) -> int:
        """Plays a legal action: `6-3@left`, `6-3`, `draw` or `pass`.

        In the turn of the view last read from `views`, unless `turn` names one: a choice made late is refused and
        never lands in a later turn.
        """
        if turn is None:
            turn = (self._shown or await self.first_view()).turn
        command: PlayerCommand
        if action == "draw":
            command = DrawTiles(turn=turn)
        elif action == "pass":
            command = PassTurn(turn=turn)
        else:
            tile, _, end = action.partition("@")
            command = PlayTile.model_validate({"turn": turn, "tile": tile, "end": end or None})
        version = await self._do(command)
        if not isinstance(command, DrawTiles):
            self._acted_turn = max(self._acted_turn, turn)
        return version

    async def ready(self, client_seed: str | None = None) -> int:
        """Says, after a round, that the next one may begin, maybe with a new seed for it. It may have begun already."""
        seen = self._shown or await self.first_view()
        try:
            return await self._do(NextRound(round=max(seen.round, 1), client_seed=client_seed))
        except Refused as refusal:
            if refusal.code != ROUND_HAS_BEGUN or client_seed is not None:
                raise
            return self.version

    async def leave(self) -> int:
        """Leaves the seat to the autopilot; the same account may take it again with `return_to_seat`."""
        return await self._do(LeaveTable())

    async def resign(self) -> int:
        """Gives a match of two up at once, for the opponent; with more seats it is leaving."""
        return await self._do(Resign())

    async def return_to_seat(self) -> int:
        """Takes the seat back from the autopilot. Raises `Refused`, such as `not-started` or `table-over`."""
        return await self._do(ReturnToSeat())

    async def say(self, phrase: Phrase) -> None:
        """A quick phrase, to everybody with a seat here. Raises `Refused`, such as `too-much-talk` or `not-seated`."""
        with well_formed("bad-message"):
            saying = Say(table_id=self.id, phrase=phrase)
        await self._desk.tell(saying)

    def talk(self) -> AsyncGenerator[Talk, None]:
        """What people say at this table."""
        return self.heard.talk()

    async def close(self) -> None:
        """Stops following; the seat stays as it is."""
        self._desk.forget(self.id)
        await self._desk.say(Unwatch(table_id=self.id))

    async def _do(self, command: PlayerCommand) -> int:
        # Before the first view the server may not have heard of a table that has just been given out.
        await self.first_view()
        return await self._desk.ask(TableRequest(id=new_id(), table_id=self.id, command=command))

    async def first_view(self) -> TableView:
        """The newest view; waits for the first."""
        while self.view is None:
            if self._error is not None:
                raise self._error
            self._changed.clear()
            await self._changed.wait()
        return self.view

    # ---- what the client hands in

    async def watch(self) -> None:
        """Asks for what is new since the version that is known here."""
        self._refilling = True
        await self._desk.say(Watch(table_id=self.id, version=self.version))

    def take(self, view: TableView) -> bool:
        """Takes a view of the server. False when something before it is missing and must be asked for with `watch`."""
        if self.view is not None and view.version <= self.version:
            if view.version == self.version and view.deadline_ms > self.view.deadline_ms:
                self._append(view.model_copy(update={"events": ()}))
            return True
        if self.view is not None and view.from_version > self.version:
            self.missed_count += 1
            return self._refilling
        self._refilling = False
        missed = self.view is not None and (view.from_version == 0 or not view.events)
        self._append(view.model_copy(update={"missed": missed}))
        return True

    def _append(self, view: TableView) -> None:
        self.view = view
        self._waiting.append(view)
        if len(self._waiting) > VIEWS_KEPT:
            self._waiting.popleft()
            self._waiting[0] = self._waiting[0].model_copy(update={"missed": True})
        self._changed.set()

    def fail(self, error: CapicuaError) -> None:
        """Ends everything that waits for this table."""
        self._error = error
        self._changed.set()
        self.heard.fail(error)
