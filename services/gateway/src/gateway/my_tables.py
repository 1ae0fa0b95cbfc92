"""Everybody's own tables: the running ones, and the last ones that were finished."""

import logging
from collections.abc import Callable, Iterable
from typing import Any

from fastapi import APIRouter
from pydantic import ValidationError
from redis.asyncio import Redis

from contracts.live_cache import FINISHED_KEPT, finished_key
from contracts.queue_api import FinishedTable, MyTables, Person, TableEntry
from contracts.region import MatchMade, Pool
from contracts.room import MatchStarted
from contracts.table import Reservation
from domino_rules.public_play import SWITCHES, TIMES
from domino_rules.ruleset import Ruleset, RulesetError
from gateway.codes import Code
from gateway.cursors import LIMIT_FIRST, BadCursor, Cursor, Limit, bad_cursor, read, written
from gateway.http_identity import Asker
from gateway.limits import QUESTIONS, within
from gateway.merged import Merged
from gateway.names import Learn
from gateway.problems import problem
from gateway.valkey import answering
from gateway.whereabouts import Running, Whereabouts

log = logging.getLogger(__name__)
READ_SECONDS_MAX = 0.5
TIMES_MAX = {"turn_seconds": 3_600, "clock_minutes": 600}
"""As a pool may say them."""
Show = Callable[[Reservation], Person]


class FinishedUnavailable(Exception):
    """Finished tables cannot be looked up just now."""


class FinishedTables:
    """Reads what the table projector has written."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    async def of(self, accounts: Iterable[str]) -> list[FinishedTable]:
        """The last fifty of each of these accounts, which are one person's, the newest first. Raises
        `FinishedUnavailable`."""
        async with self._redis.pipeline(transaction=False) as pipeline:
            for account in accounts:
                pipeline.zrevrange(finished_key(account), 0, FINISHED_KEPT - 1)
            async with answering(READ_SECONDS_MAX, "finished tables cannot be read", FinishedUnavailable):
                answers = await pipeline.execute()
        found = [table for texts in answers for text in texts if (table := _read(text)) is not None]
        return sorted({table.table_id: table for table in found}.values(), key=_place, reverse=True)


def page_of(tables: list[FinishedTable], cursor: str | None, limit: int) -> tuple[list[FinishedTable], str | None]:
    """At most `limit` after `cursor` of what `FinishedTables.of` gives, and the cursor of the page that follows, none
    after the last. Raises `BadCursor`."""
    before = _read_place(cursor) if cursor is not None else None
    found = tables if before is None else [table for table in tables if _place(table) < before]
    page = found[:limit]
    return page, written(_place(page[-1])) if len(found) > limit else None


def _place(table: FinishedTable) -> tuple[int, str]:
    return table.at, table.table_id


def _read_place(cursor: str) -> tuple[int, str]:
    match read(cursor):
        case [int(at), str(table_id)]:
            return at, table_id
    raise BadCursor(cursor)


def _read(text: Any) -> FinishedTable | None:
    try:
        return FinishedTable.model_validate_json(text)
    except ValidationError:
        log.warning("a finished table cannot be read")
        return None


def my_tables_routes(
    whereabouts: Whereabouts, finished: FinishedTables, merged: Merged, show: Show, learn: Learn
) -> APIRouter:
    routes = APIRouter(prefix="/v1", tags=["tables"])

    @routes.get("/me/tables", dependencies=[within(QUESTIONS)])
    async def my_tables(asker: Asker, cursor: Cursor = None, limit: Limit = LIMIT_FIRST) -> MyTables:
        """The tables at which you have a seat, and a page of the last fifty that you finished, the newest first, with
        those of the guests that you were among them. `next` is the `cursor` of the page that follows."""
        running = whereabouts.running_of(*await merged.players(asker))
        try:
            tables = await finished.of(await merged.with_guests(asker.account))
            over, following = page_of(tables, cursor, limit)
        except BadCursor:
            raise bad_cursor() from None
        except FinishedUnavailable:
            expected = "an answer of the cache"
            raise problem(503, Code.MY_TABLES_UNAVAILABLE, "tables", expected, "none: try again") from None
        there = {seat.account: seat for table in over for seat in table.seats}
        await learn({account for table in running for account in table.accounts} | there.keys())
        entries = (running_entry(table, show) for table in running)
        names = {account: show(seat).name for account, seat in there.items()}
        return MyTables(
            running=tuple(entry for entry in entries if entry is not None),
            finished=tuple(over),
            names=names,
            next=following,
        )

    return routes


def running_entry(running: Running, show: Show) -> TableEntry | None:
    """None for a private room's table whose rules this version does not know."""
    pool = pool_of_match(running.match)
    if pool is None:
        return None
    return TableEntry(
        table_id=running.seated.table_id,
        region=running.seated.region,
        state="running",
        pool=pool,
        people=tuple(show(seat) for seat in running.match.seats),
        since=running.since,
    )


def pool_of_match(match: MatchMade | MatchStarted) -> Pool | None:
    """A private room's options in the words of a pool; what a pool has no word for is left out."""
    if isinstance(match, MatchMade):
        return match.pool
    try:
        ruleset = Ruleset.from_json(match.ruleset)
    except RulesetError:
        return None
    pool: dict[str, Any] = {"preset": ruleset.preset, "seats": ruleset.seats, "target": ruleset.target}
    pool |= {name: name in match.ruleset and bool(getattr(ruleset, name)) for name in SWITCHES}
    for name, (option, unit, _) in TIMES.items():
        number, rest = divmod(match.ruleset.get(option) or 0, unit)
        if rest == 0 and 1 <= number <= TIMES_MAX[name]:
            pool[name] = number
    return Pool(**pool)
