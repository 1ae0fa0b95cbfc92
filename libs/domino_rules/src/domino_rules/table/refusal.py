"""Why a table does not do what it is asked, besides the game's own reasons."""

from __future__ import annotations

from enum import StrEnum

from domino_rules.refusal import Refusal


class TableReason(StrEnum):
    """The first that applies is the answer."""

    UNKNOWN_TABLE = "unknown-table"
    """There is no such table."""
    TABLE_EXISTS = "table-exists"
    """A table of that id was opened before."""
    BAD_ID = "bad-id"
    """The id of a new table does not say when it was made, or says a time to come."""
    STALE_ID = "stale-id"
    """The id of a new table is so old that a table of that id may be over and forgotten."""
    BAD_RULESET = "bad-ruleset"
    """An option that no ruleset has, or a ruleset without any time to move in."""
    BAD_SEATS = "bad-seats"
    """The reservations do not suit the ruleset, or name somebody twice."""
    NOT_SEATED = "not-seated"
    """The account has no seat here, or has left it and must return first."""
    NOT_STARTED = "not-started"
    """The first round is not dealt yet."""
    TOO_LATE = "too-late"
    """The turn ended by its timeout."""
    TABLE_OVER = "table-over"
    """The match has ended, or the table has expired."""
    STALE_TURN = "stale-turn"
    """The turn, or the pause, is over."""
    WRONG_TURN = "wrong-turn"
    """That turn, or round, has not come yet."""
    NOT_HOST = "not-host"
    """Only the host of the table's room may, and only where the rules leave it to a host."""
    BAD_SEED = "bad-seed"
    """Not 0 to 64 characters of printable ASCII without a colon."""


def unknown_table() -> Refusal:
    return Refusal(TableReason.UNKNOWN_TABLE, "a table that was opened", "an unknown id")


def table_over() -> Refusal:
    return Refusal(TableReason.TABLE_OVER, "a table in play", "one that is over")


def not_dealt_yet() -> Refusal:
    return Refusal(TableReason.NOT_STARTED, "a round that has ended", "none dealt yet")
