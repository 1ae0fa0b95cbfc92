"""What lies behind a client's one connection: its tables, its unanswered commands, and how both come back."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from random import Random
from typing import Any

from pydantic import ValidationError

from capicua.backoff import pauses
from capicua.cancelled import cancelled
from capicua.connection import Connection
from capicua.errors import CapicuaError, Closed, Refused, Unreachable
from capicua.follows import Follows
from capicua.ids import new_id
from capicua.messages import ToListener
from capicua.newest import Newest
from capicua.outbox import Asked, Outbox
from capicua.table import Table
from capicua.view import typed
from contracts.api import Answer, FromClient, MatchCalledOff, SocketError, TableRequest, View, Welcome, YourTable
from contracts.queue_api import QueueStatus
from contracts.room_api import Said, Say, ScreenPaired, Talk

CALLED_OFF = "match-called-off"
REPEAT_FIRST_SECONDS = 2.0
REPEAT_LONGEST_SECONDS = 8.0
ASK_AGAIN_SECONDS = 0.3
UNKNOWN_TABLE_SECONDS_MAX = 20.0
"""A table that has just been given out may need a moment to be opened; after this long it is unknown indeed."""


class Session:
    """The listener of a `Connection` and the desk of every `Table`."""

    def __init__(self, randomness: Random) -> None:
        self.account: str | None = None
        self.error: CapicuaError | None = None
        self.given: asyncio.Queue[Table | Refused | None] = asyncio.Queue()
        """Tables at which the account has a seat, each once, or why there is none; none when there will be no more."""
        self.welcomed = asyncio.Event()
        self.queue_status: Newest[QueueStatus] = Newest()
        self.paired: Newest[str] = Newest()
        """The code of the room with which the server has paired this screen."""
        self.follows = Follows(self.say)
        self._randomness = randomness
        self._outbox = Outbox()
        self._connection: Connection | None = None
        self._tables: dict[str, Table] = {}
        self._seated: set[str] = set()
        self._unknown_since: dict[str, float] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, connection: Connection) -> None:
        self._connection = connection
        self._spawn(self._run(connection))

    async def close(self, error: CapicuaError) -> None:
        """Ends everything; whoever still waits gets `error`."""
        self._fail(error)
        await cancelled(self._tasks)

    async def follow(self, table_id: str) -> Table:
        if self.error is not None:
            raise self.error
        if table_id not in self._tables:
            self._tables[table_id] = Table(table_id, self)
            await self._tables[table_id].watch()
        return self._tables[table_id]

    # ---- desk of the tables

    async def say(self, message: FromClient) -> None:
        if self._connection is not None:
            await self._connection.send(message)

    async def ask(self, request: TableRequest) -> int:
        """Sends a command, again and again with the same id, until it is answered; returns the answering version."""
        return await self._answered(request.id, request)

    async def tell(self, saying: Say) -> None:
        """Sends something for others to hear, under an id of its own, until it is answered. Raises `Refused`."""
        said_id = new_id()
        await self._answered(said_id, saying.model_copy(update={"id": said_id}))

    async def _answered(self, request_id: str, request: Asked) -> int:
        answer = self._outbox.put(request_id, request, self.error)
        try:
            for pause in pauses(self._randomness, REPEAT_FIRST_SECONDS, REPEAT_LONGEST_SECONDS):
                await self.say(request)
                done, _ = await asyncio.wait([answer], timeout=pause)
                if done:
                    break
            return answer.result()
        finally:
            self._outbox.drop(request_id)

    def forget(self, table_id: str) -> None:
        self._tables.pop(table_id, None)
        self._unknown_since.pop(table_id, None)

    # ---- listener of the connection

    async def opened(self, welcome: Welcome) -> None:
        """A new connection knows nothing, so everything is said again."""
        self.account = welcome.account
        for table in list(self._tables.values()):
            if table.view is None or not table.view.over:
                await table.watch()
        await self.follows.say_again()
        for request in self._outbox.waiting():
            await self.say(request)
        for seat in welcome.tables:
            await self._give(seat.table_id)
        self.welcomed.set()

    async def received(self, message: ToListener) -> None:
        match message:
            case View():
                await self._take_view(message)
            case Answer():
                self._outbox.answered(message)
            case Said():
                self._outbox.said(message)
            case YourTable():
                await self._give(message.table_id)
            case MatchCalledOff():
                self._call_off(message)
            case SocketError(id=None):
                self._take_error(message)
            case SocketError():
                self._outbox.refused(message)
            case QueueStatus():
                self.queue_status.put(message)
            case Talk(table_id=str(table_id)):
                if table_id in self._tables:
                    self._tables[table_id].heard.take(message)
            case ScreenPaired():
                self.paired.put(message.code)
                await self.follows.say_again()
            case _:
                self.follows.take(message)

    # ---- inside

    async def _run(self, connection: Connection) -> None:
        try:
            await connection.run()
        except (Refused, Unreachable) as error:
            self._fail(error)
        except Exception as error:
            self._fail(Closed(f"the client broke: {type(error).__name__}"))  # nobody may wait for ever
            raise

    async def _take_view(self, message: View) -> None:
        table = self._tables.get(message.table_id)
        if table is None:
            return
        try:
            view = typed(message)
        except ValidationError:
            expected, got = "a view that this client understands", "one of a newer server"
            table.fail(Refused("view-not-understood", f"expected {expected}, got {got}", expected, got))
        else:
            if not table.take(view):
                await table.watch()

    async def _give(self, table_id: str) -> None:
        if table_id not in self._seated:
            self._seated.add(table_id)
            self.queue_status.put(None)
            self.given.put_nowait(await self.follow(table_id))

    def _call_off(self, message: MatchCalledOff) -> None:
        self.queue_status.put(None)
        expected, why = "a table that opens", "your match could not begin, and you are free again"
        self.given.put_nowait(Refused(CALLED_OFF, f"{why}: {message.code}", expected, message.code))

    def _take_error(self, error: SocketError) -> None:
        refused = Refused(error.code, error.message, error.expected, error.got)
        table = self._tables.get(error.table_id or "")
        if table is None:
            if error.table_id is None and self.follows.refused(error):
                self._spawn(self._after_a_moment(self.follows.ask_again))
        elif error.code == "table-unavailable" or (error.code == "unknown-table" and self._may_yet_open(table)):
            self._spawn(self._after_a_moment(table.watch))
        else:
            table.fail(refused)

    def _may_yet_open(self, table: Table) -> bool:
        now = asyncio.get_running_loop().time()
        since = self._unknown_since.setdefault(table.id, now)
        return table.id in self._seated and table.view is None and now - since < UNKNOWN_TABLE_SECONDS_MAX

    async def _after_a_moment(self, ask: Callable[[], Awaitable[None]]) -> None:
        await asyncio.sleep(self._randomness.uniform(0.5, 1.0) * ASK_AGAIN_SECONDS)
        await ask()

    def _fail(self, error: CapicuaError) -> None:
        if self.error is None:
            self.error = error
            self._outbox.fail(error)
            self.given.put_nowait(None)
            for table in self._tables.values():
                table.fail(error)
            self.follows.fail(error)
            self.queue_status.fail(error)
            self.paired.fail(error)
            self.welcomed.set()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
