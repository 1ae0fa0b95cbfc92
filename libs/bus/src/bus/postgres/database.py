"""The connections of one ledger to its schema.

psycopg 3 with its own pool: asyncio without a second driver for migrations, pipelines, and SQL as it is written here.
"""

import logging
import math
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import psycopg
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from bus.postgres.migrating import migrate
from bus.tasks import LoopTasks, Tasks

log = logging.getLogger(__name__)

CONNECTIONS_MAX = 10
CONNECT_SECONDS = 3
ROOM_SECONDS_MAX = 3.0
STATEMENT_MS_MAX = 5000
LOCK_MS_MAX = 2000
"""Who waits for a lock has a connection that somebody else could use."""
CHECKED_SECONDS = 1.0
IDLE_IN_TRANSACTION_MS_MAX = 30_000
AGAIN_SECONDS = 1.0
AWAY = (psycopg.OperationalError, psycopg.InterfaceError, PoolTimeout)
"""What is raised when the server, or a connection to it, is not there, and when a transaction has to be tried again."""


class Connection(psycopg.AsyncConnection[DictRow]):
    """`has_letters`: something was put into the outbox in this transaction. `taken_at`: when it was last taken out of
    the pool, in seconds of this process's clock."""

    has_letters = False
    taken_at = -math.inf


class DatabaseAway(Exception):
    """The database could not be asked; what was under way may or may not have been done."""


class Database:
    """A pool of connections whose rows are dictionaries, all of them in `schema` of the database at `dsn`.

    `migrations` are the folders whose SQL makes the tables, the first one first. `put` of every listener is called
    after each transaction that has put letters into the outbox.
    """

    def __init__(
        self,
        dsn: str,
        schema: str,
        migrations: tuple[str, ...],
        tasks: Tasks | None = None,
        connections_max: int = CONNECTIONS_MAX,
    ) -> None:
        self._dsn = dsn
        self._schema = schema
        self._migrations = migrations
        self._tasks = tasks or LoopTasks()
        self._listeners: list[Callable[[], None]] = []
        settings = {
            "search_path": schema,
            "statement_timeout": STATEMENT_MS_MAX,
            "lock_timeout": LOCK_MS_MAX,
            "idle_in_transaction_session_timeout": IDLE_IN_TRANSACTION_MS_MAX,
        }
        self._pool: AsyncConnectionPool[Connection] = AsyncConnectionPool(
            dsn,
            connection_class=Connection,
            kwargs={
                "row_factory": dict_row,
                "autocommit": True,
                "connect_timeout": CONNECT_SECONDS,
                "application_name": schema,
                "options": " ".join(f"-c {name}={value}" for name, value in settings.items()),
            },
            min_size=1,
            max_size=connections_max,
            open=False,
            timeout=ROOM_SECONDS_MAX,
            check=_check,
        )

    def on_letters(self, put: Callable[[], None]) -> None:
        self._listeners.append(put)

    async def start(self) -> None:
        """Returns when the server is there and the tables are made, however long it takes."""
        waiting = False
        while True:
            try:
                await migrate(self._dsn, self._schema, self._migrations)
                break
            except psycopg.OperationalError as error:
                if not waiting:
                    log.warning("the database does not answer (%s); waiting for it", type(error).__name__)
                waiting = True
                await self._tasks.sleep(AGAIN_SECONDS)
        await self._pool.open()

    async def stop(self) -> None:
        await self._pool.close()

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Connection]:
        """For what is one statement, which is a transaction by itself. Raises `DatabaseAway`."""
        try:
            async with self._pool.connection() as connection:
                yield connection
        except AWAY as error:
            raise DatabaseAway(type(error).__name__) from error

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        """One transaction, committed when the block ends and rolled back when it raises. Raises `DatabaseAway`."""
        async with self.connection() as connection:
            connection.has_letters = False
            async with connection.transaction():
                yield connection
            put = connection.has_letters
        if put:
            for listener in self._listeners:
                listener()

    async def answers(self) -> bool:
        """For readiness."""
        try:
            async with self._pool.connection() as connection:
                await connection.execute("SELECT 1")
        except AWAY:
            return False
        return True


async def _check(connection: Connection) -> None:
    """Whether it is still there is asked of one that nobody has used for a while."""
    now, taken_at = time.monotonic(), connection.taken_at
    if now - taken_at > CHECKED_SECONDS:
        await AsyncConnectionPool.check_connection(connection)
    connection.taken_at = now


async def now(connection: Connection) -> int:
    """The database's clock in ms, as it is at this moment: the one clock of all replicas of a ledger."""
    found = await one(connection, "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now")
    assert found is not None
    at: int = found["now"]
    return at


async def one(connection: Connection, query: str, *values: Any) -> dict[str, Any] | None:
    """The first row of what is found, None when there is none. `values` by place, or one mapping by name."""
    return await (await connection.execute(query, _given(values))).fetchone()


async def every(connection: Connection, query: str, *values: Any) -> list[dict[str, Any]]:
    """All rows of what is found."""
    return await (await connection.execute(query, _given(values))).fetchall()


def _given(values: tuple[Any, ...]) -> tuple[Any, ...] | Mapping[str, Any]:
    return values[0] if len(values) == 1 and isinstance(values[0], Mapping) else values
