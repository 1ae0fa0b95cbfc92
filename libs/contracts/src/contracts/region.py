"""Commands to a region of the lobby, and the events of its log: the public queue and the tables that people offer."""

from typing import Annotated, Literal

from pydantic import Field

from contracts.envelope import TimeOut
from contracts.message import AccountId, Message, Milliseconds, NotOpened, Region, TableId
from contracts.table import Reservation, Strength

TurnSeconds = Annotated[int, Field(ge=1, le=3_600, description="the turn timer, where the preset leaves it open")]
ClockMinutes = Annotated[int, Field(ge=1, le=600, description="each seat's match clock, where the preset has one")]
Preset = Annotated[str, Field(pattern=r"^[a-z-]{1,32}$")]
GroupName = Annotated[str, Field(pattern=r"^[a-z0-9]{8,32}$", description="chosen by chance by whoever asks first")]
GroupSize = Annotated[int, Field(ge=2, le=4)]
Rating = Annotated[int, Field(ge=0, le=4_000)]
RATING_FIRST = 1_500
"""Of everybody of whom no rating is known."""
Window = Annotated[int, Field(ge=50, le=400, description="how far apart ratings may be; it widens by itself to 400")]
WINDOW_FIRST = 50


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
    rated: Annotated[bool, Field(description="the match counts towards ratings: people of equal strength meet")] = False


# ---- commands


class JoinQueue(Message):
    """A ticket for the principal. `bots` = "fill": labelled house bots of that strength take the seats that stay free
    for a while; where people wait who asked for different strengths, who has waited longest is heard.

    Members of a `group` each join with its name and its size; they wait as one once all are here, and get seats at one
    table, as partners where it is played in pairs.
    """

    type: Literal["join-queue"] = "join-queue"
    pool: Pool
    bots: Literal["none", "fill"] = "none"
    strength: Strength = "normal"
    bot: bool = False
    group: GroupName | None = None
    group_size: GroupSize | None = None
    window: Window = WINDOW_FIRST


class WidenTicket(Message):
    """The principal's yes to an offer: the ticket, and its group's, waits in this pool too, with the age it has."""

    type: Literal["widen-ticket"] = "widen-ticket"
    pool: Pool


class AcceptBots(Message):
    """The principal's yes to an offer: labelled house bots take what is free, of the ticket's pool or of the offered
    table whose host the principal is, as soon as enough of them stand by."""

    type: Literal["accept-bots"] = "accept-bots"
    strength: Strength = "normal"


class OfferTable(Message):
    """A public table of the principal's own, on its room's list until all its seats are taken."""

    type: Literal["offer-table"] = "offer-table"
    pool: Pool
    bot: bool = False


class TakeSeat(Message):
    """A seat at an offered table; with the last one it opens."""

    type: Literal["take-seat"] = "take-seat"
    table_id: TableId
    bot: bool = False


class LeaveSeat(Message):
    """Of an offered table. Its host's leaving makes the next one its host; the last one's takes it off the list."""

    type: Literal["leave-seat"] = "leave-seat"


class NoteAway(Message):
    """The principal has no connection any more: passed over until `NoteBack`. Sent by a gateway for its people who wait
    or have offered a table."""

    type: Literal["note-away"] = "note-away"


class NoteBack(Message):
    type: Literal["note-back"] = "note-back"


class NoteRating(Message):
    """Sent by the lobby to itself, out of `rating.events`."""

    type: Literal["note-rating"] = "note-rating"
    account: AccountId
    rating: Rating


class LendBots(Message):
    """A private room asks its region for house bots for one table. Sent by the lobby to itself, out of the room's
    events."""

    type: Literal["lend-bots"] = "lend-bots"
    room: Region
    table_id: TableId
    strengths: Annotated[tuple[Strength, ...], Field(min_length=1, max_length=4)]


class StandBy(Message):
    """A house bot offers to take one seat at any table that asks for bots."""

    type: Literal["stand-by"] = "stand-by"


class LeaveQueue(Message):
    type: Literal["leave-queue"] = "leave-queue"


class ReleaseTable(Message):
    """A table has ended, or was never opened: its people are free again. Sent by the lobby to itself, out of
    `table.lifecycle` and the events of private rooms."""

    type: Literal["release-table"] = "release-table"
    table_id: TableId
    not_opened: NotOpened = None


QueueCommands = JoinQueue | WidenTicket | AcceptBots | StandBy | LeaveQueue | NoteAway | NoteBack | NoteRating
RegionCommands = QueueCommands | OfferTable | TakeSeat | LeaveSeat | LendBots | ReleaseTable | TimeOut
RegionCommand = Annotated[RegionCommands, Field(discriminator="type")]


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
    group: GroupName | None = None
    group_size: GroupSize | None = None
    window: Window = WINDOW_FIRST


class TicketWidened(Message):
    """The ticket of `account`, and of its group, waits in `pool` too."""

    type: Literal["ticket-widened"] = "ticket-widened"
    account: AccountId
    pool: Pool


class BotsAccepted(Message):
    """`account` has said yes to house bots, for its ticket or the table that it offers, from `due_at` on."""

    type: Literal["bots-accepted"] = "bots-accepted"
    account: AccountId
    strength: Strength
    due_at: Milliseconds


class QueueLooked(Message):
    """Windows that have widened by `at` have been looked at."""

    type: Literal["queue-looked"] = "queue-looked"
    at: Milliseconds


class PersonWentAway(Message):
    type: Literal["person-went-away"] = "person-went-away"
    account: AccountId
    at: Milliseconds


class PersonCameBack(Message):
    type: Literal["person-came-back"] = "person-came-back"
    account: AccountId


class RatingNoted(Message):
    type: Literal["rating-noted"] = "rating-noted"
    account: AccountId
    rating: Rating


class TableOffered(Message):
    """Its first seat is `host`'s."""

    type: Literal["table-offered"] = "table-offered"
    table_id: TableId
    pool: Pool
    host: AccountId
    bot: bool
    at: Milliseconds


class SeatTaken(Message):
    type: Literal["seat-taken"] = "seat-taken"
    table_id: TableId
    account: AccountId
    bot: bool


class SeatGivenUp(Message):
    """`account` has left, or was away for too long. The offer ends with its last person."""

    type: Literal["seat-given-up"] = "seat-given-up"
    table_id: TableId
    account: AccountId
    reason: Literal["left", "away"]


class BotsLent(Message):
    """House bots for a private room's table; they stand by no more. None: too few did."""

    type: Literal["bots-lent"] = "bots-lent"
    room: Region
    table_id: TableId
    bots: tuple[Reservation, ...]


class BotStoodBy(Message):
    type: Literal["bot-stood-by"] = "bot-stood-by"
    account: AccountId


class TicketWithdrawn(Message):
    type: Literal["ticket-withdrawn"] = "ticket-withdrawn"
    account: AccountId


class MatchMade(Message):
    """The seats of a new table, in seat order. These people's tickets, offers of tables and offers to stand by are used
    up."""

    type: Literal["match-made"] = "match-made"
    table_id: TableId
    pool: Pool
    seats: tuple[Reservation, ...]
    waited_ms: Annotated[int, Field(ge=0, description="how long the oldest ticket had waited")] = 0


class FillPostponed(Message):
    """Too few house bots stand by for the tickets of this pool that ask for some: looked at again at `due_at`."""

    type: Literal["fill-postponed"] = "fill-postponed"
    pool: Pool
    due_at: Milliseconds


class TableReleased(Message):
    """`accounts` are those who had seats at a table that was never opened: they wait for it, and have to be told."""

    type: Literal["table-released"] = "table-released"
    table_id: TableId
    not_opened: NotOpened = None
    accounts: Annotated[tuple[AccountId, ...], Field(exclude_if=lambda accounts: not accounts)] = ()


QueueEvents = TicketQueued | TicketWidened | TicketWithdrawn | FillPostponed | QueueLooked | RatingNoted | BotStoodBy
OfferEvents = TableOffered | SeatTaken | SeatGivenUp | BotsLent
PersonEvents = BotsAccepted | PersonWentAway | PersonCameBack
RegionEvents = QueueEvents | OfferEvents | PersonEvents | MatchMade | TableReleased
RegionEvent = Annotated[RegionEvents, Field(discriminator="type")]
