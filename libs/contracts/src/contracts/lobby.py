"""Commands to a region's lobby, and the events of its log."""

from typing import Annotated, Literal

from pydantic import Field

from contracts.envelope import TimeOut
from contracts.message import AccountId, Message, Milliseconds, TableId
from contracts.table import Reservation, Strength

TurnSeconds = Annotated[int, Field(ge=1, le=3_600, description="the turn timer, where the preset leaves it open")]
ClockMinutes = Annotated[int, Field(ge=1, le=600, description="each seat's match clock, where the preset has one")]
Preset = Annotated[str, Field(pattern=r"^[a-z-]{1,32}$")]


class Pool(Message):
    """Whom a ticket may be matched with: the same preset, seats, target, time and options that the preset leaves open.

    A time that is none is the preset's own.
    """

    preset: Preset
    seats: Annotated[int, Field(ge=2, le=4)]
    target: Annotated[int, Field(ge=1)]
    pairs: bool = False
    spinner: bool = False
    drawing: Annotated[bool, Field(description="true only where the preset leaves drawing open")] = False
    turn_seconds: TurnSeconds | None = None
    clock_minutes: ClockMinutes | None = None


# ---- commands


class JoinQueue(Message):
    """A ticket for the principal. `bots` = "fill": labelled house bots of that strength take the seats that stay free
    for a while; where people wait who asked for different strengths, who has waited longest is heard."""

    type: Literal["join-queue"] = "join-queue"
    pool: Pool
    bots: Literal["none", "fill"] = "none"
    strength: Strength = "normal"
    bot: bool = False


class StandBy(Message):
    """A house bot offers to take one seat at any table that asks for bots."""

    type: Literal["stand-by"] = "stand-by"


class LeaveQueue(Message):
    type: Literal["leave-queue"] = "leave-queue"


class ReleaseTable(Message):
    """A table has ended: its people are free again. Sent by the lobby to itself, out of `table.lifecycle`."""

    type: Literal["release-table"] = "release-table"
    table_id: TableId


LobbyCommand = Annotated[JoinQueue | StandBy | LeaveQueue | ReleaseTable | TimeOut, Field(discriminator="type")]


# ---- events


class TicketQueued(Message):
    type: Literal["ticket-queued"] = "ticket-queued"
    account: AccountId
    pool: Pool
    bots: Literal["none", "fill"]
    bot: bool
    queued_at: Milliseconds
    fill_due_at: Milliseconds | None = None
    strength: Strength = "normal"


class BotStoodBy(Message):
    type: Literal["bot-stood-by"] = "bot-stood-by"
    account: AccountId


class TicketWithdrawn(Message):
    type: Literal["ticket-withdrawn"] = "ticket-withdrawn"
    account: AccountId


class MatchMade(Message):
    """The seats of a new table, in seat order. These people's tickets, and offers to stand by, are used up."""

    type: Literal["match-made"] = "match-made"
    table_id: TableId
    pool: Pool
    seats: tuple[Reservation, ...]


class FillPostponed(Message):
    """Too few house bots stand by for the tickets of this pool that ask for some: looked at again at `due_at`."""

    type: Literal["fill-postponed"] = "fill-postponed"
    pool: Pool
    due_at: Milliseconds


class TableReleased(Message):
    type: Literal["table-released"] = "table-released"
    table_id: TableId


LobbyEvent = Annotated[
    TicketQueued | BotStoodBy | TicketWithdrawn | MatchMade | FillPostponed | TableReleased,
    Field(discriminator="type"),
]
