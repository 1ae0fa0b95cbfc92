"""The newest state of each table, as the table projector puts it into the live cache and gateways find it there."""

from typing import Any

from contracts.message import Message, Milliseconds, TableId


class CachedTable(Message):
    """`state` is the whole table, secrets included, after the outcome at `offset` of `partition` in the log `log_id`
    (hex); `at` is that command's log time. `log_id` and `offset` stand first: a script of the projector finds them
    without reading the rest."""

    log_id: str
    offset: int
    partition: int
    version: int
    at: Milliseconds
    state: dict[str, Any]


def cache_key(table_id: TableId) -> str:
    """Where the table stands in the cache."""
    return f"table:{table_id}"
