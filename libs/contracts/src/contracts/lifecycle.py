"""The life of a table in a few messages, for services that need no dominoes. Written by the table projector, at least
once: `source` names the outcome it comes from, so that a reader drops what it has already seen."""

from typing import Annotated, Literal

from pydantic import Field

from contracts.message import AccountId, Message, Milliseconds, Region, TableId
from contracts.table import Reservation, RulesetOptions


class Source(Message):
    """Where in `table.events` the fact stands."""

    partition: int
    offset: int


class TableWasOpened(Message):
    type: Literal["table-was-opened"] = "table-was-opened"
    table_id: TableId
    source: Source
    at: Milliseconds
    region: Region
    ruleset: RulesetOptions
    seats: tuple[Reservation, ...]


class TableWasFinished(Message):
    """`reason` and `scores` as in `match-ended`; `winners` are the winner seats' accounts, `absent` those who had left,
    had resigned or were on autopilot at the end."""

    type: Literal["table-was-finished"] = "table-was-finished"
    table_id: TableId
    source: Source
    at: Milliseconds
    region: Region
    seats: tuple[Reservation, ...]
    reason: str
    winners: tuple[AccountId, ...]
    scores: tuple[int, ...]
    absent: tuple[AccountId, ...] = ()


class TableWasExpired(Message):
    type: Literal["table-was-expired"] = "table-was-expired"
    table_id: TableId
    source: Source
    at: Milliseconds
    region: Region
    seats: tuple[Reservation, ...]


class TableWasNotOpened(Message):
    """There is no such table and will be none: its opening, asked for by `region`, was refused or could not be decided.
    `reason` is the code."""

    type: Literal["table-was-not-opened"] = "table-was-not-opened"
    table_id: TableId
    source: Source
    at: Milliseconds
    region: Region
    reason: str


LifecycleMessage = Annotated[
    TableWasOpened | TableWasFinished | TableWasExpired | TableWasNotOpened, Field(discriminator="type")
]
