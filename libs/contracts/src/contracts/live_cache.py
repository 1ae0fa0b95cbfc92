"""What the table projector puts into the live cache and gateways find there: the newest state of each table, and the
last tables that everybody finished."""

from typing import Any

from contracts.message import AccountId, Message, Milliseconds, TableId

FINISHED_KEPT = 50


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


def finished_key(account: AccountId) -> str:
    """Where the last `FINISHED_KEPT` tables that an account finished stand: a sorted set of `FinishedTable`s as JSON,
    by the time of their end."""
    return f"finished:{account}"
