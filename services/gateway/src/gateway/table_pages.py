"""A room's tables page by page."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from contracts.message import TableId
from gateway.cursors import BadCursor, read, written
from gateway.public_tables import PublicTable

_Place = tuple[bool, int, TableId]


@dataclass(frozen=True, slots=True)
class Filter:
    """None: whatever it is."""

    state: Literal["open", "running"] | None = None
    seats: int | None = None
    target: int | None = None
    rated: bool | None = None

    def takes(self, table: PublicTable) -> bool:
        wanted = (self.state, self.seats, self.target, self.rated)
        has = (table.state, table.pool.seats, table.pool.target, table.pool.rated)
        return all(wish is None or wish == value for wish, value in zip(wanted, has, strict=True))


def page(
    tables: Iterable[PublicTable], wanted: Filter, cursor: str | None, limit: int
) -> tuple[list[PublicTable], str | None]:
    """At most `limit` of `tables` (in the order of their places) after `cursor`, and the cursor of the page that
    follows, None after the last. Raises `BadCursor`."""
    after = _read(cursor) if cursor is not None else None
    fitting = (table for table in tables if (after is None or table.place > after) and wanted.takes(table))
    found = list(islice(fitting, limit + 1))
    if len(found) <= limit:
        return found, None
    return found[:limit], written(found[limit - 1].place)


def _read(cursor: str) -> _Place:
    match read(cursor):
        case [bool(running), int(since), str(table_id)]:
            return running, since, table_id
    raise BadCursor(cursor)
