"""What goes over the public API about the queue and the tables of public rooms."""

from typing import Annotated, Literal

from pydantic import Field

from contracts.message import AccountId, CommandId, Message, Milliseconds, Region, StrictMessage, TableId
from contracts.region import ClockMinutes, Pool, Preset, Rating, TurnSeconds
from contracts.table import NUMBER_MAX, Reservation, Strength

Name = Annotated[str, Field(min_length=1, max_length=24, description="as people chose it, or made from the account id")]


# ---- the queue, HTTP


class WishedPool(StrictMessage):
    """A pool as `QueueRequest` says one."""

    preset: Preset
    seats: Annotated[int, Field(ge=2, le=4)] = 2
    target: Annotated[int, Field(ge=1, le=NUMBER_MAX)] = 100
    pairs: bool = False
    spinner: bool = False
    drawing: bool = False
    turn_seconds: TurnSeconds | None = None
    clock_minutes: ClockMinutes | None = None
    rated: bool = False


class WidenRequest(StrictMessage):
    """Yes to an offer of another pool."""

    id: CommandId
    pool: WishedPool


class BotsRequest(StrictMessage):
    """Yes to the offer of house bots, for a ticket or for the table that one has offered."""

    id: CommandId
    strength: Strength = "normal"


class Why(Message):
    """Why there is no match yet: a stable code, and the same in words."""

    code: Literal["nobody-else", "too-few", "ratings-apart", "group-not-whole", "sizes-do-not-fit"]
    message: str


class Offer(Message):
    """What would help: another `pool`, which lacks `missing` people, or house bots where `pool` is none."""

    pool: Pool | None = None
    missing: Annotated[int, Field(ge=0)] = 0
    message: str


class QueueStatus(Message):
    """How the asker's ticket stands. `waiting` counts the people who wait in its pools, the asker's group included;
    `expected_ms` is the median wait of the pool's recent matches, none while there are too few."""

    type: Literal["queue-status"] = "queue-status"
    pool: Pool
    also: tuple[Pool, ...] = ()
    queued_at: Milliseconds
    waiting: int
    expected_ms: int | None = None
    why: Why
    offers: tuple[Offer, ...] = ()


# ---- public rooms, HTTP


class Person(Message):
    account: AccountId
    name: Name
    bot: bool = False
    rating: Rating | None = None


class TableEntry(Message):
    """A table of a public room: `open` while seats are free, then `running`. `people` sit in seat order, the host
    first while it is open; `since` is when it was offered or started."""

    table_id: TableId
    region: Region
    state: Literal["open", "running"]
    pool: Pool
    people: tuple[Person, ...]
    since: Milliseconds


class PublicRoom(Message):
    preset: Preset
    people: int
    open: int
    running: int


class PublicRooms(Message):
    rooms: tuple[PublicRoom, ...]


class TablePage(Message):
    """One page of a room's tables, open ones first, then the newest; `next` is the cursor of the page that follows."""

    preset: Preset
    people: int
    tables: tuple[TableEntry, ...]
    next: str | None = None


class OfferTableRequest(StrictMessage):
    id: CommandId
    pool: WishedPool


class SeatRequest(StrictMessage):
    id: CommandId


class TableMade(Message):
    id: CommandId
    table_id: TableId


class FinishedTable(Message):
    table_id: TableId
    region: Region
    at: Milliseconds
    seats: tuple[Reservation, ...]
    winners: tuple[AccountId, ...] = ()
    scores: tuple[int, ...] = ()


class MyTables(Message):
    """Running ones first begun first; a page of the finished ones, newest first. `names` are those of everybody at
    finished ones; `next` is the `cursor` of the page that follows."""

    running: tuple[TableEntry, ...]
    finished: tuple[FinishedTable, ...]
    names: dict[AccountId, Name] = Field(default_factory=dict)
    next: str | None = None


# ---- WebSocket, from the client


class FollowRoom(StrictMessage):
    """A public room's list: all of it now, then its changes."""

    type: Literal["follow-room"] = "follow-room"
    preset: Preset


class UnfollowRoom(StrictMessage):
    type: Literal["unfollow-room"] = "unfollow-room"
    preset: Preset


# ---- WebSocket, to the client


class RoomList(Message):
    type: Literal["room-list"] = "room-list"
    preset: Preset
    people: int
    tables: tuple[TableEntry, ...]


class RoomChanges(Message):
    """What has changed since the list or the last changes; `gone` are tables that are no longer on it."""

    type: Literal["room-changes"] = "room-changes"
    preset: Preset
    people: int
    changed: tuple[TableEntry, ...] = ()
    gone: tuple[TableId, ...] = ()
