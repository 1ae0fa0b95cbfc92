"""Commands to a private room, and the events of its log. A room is an aggregate of the lobby, named after its code."""

from typing import Annotated, Literal

from pydantic import Field

from contracts.envelope import Retired, TimeOut
from contracts.message import AccountId, Message, Milliseconds, NotOpened, Region, SeatNumber, TableId
from contracts.table import NUMBER_MAX, Reservation, RulesetOptions, Strength

CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without what is read or heard for something else: no 0 and O, no 1 and I."""
CODE_LENGTH = 6
CODE_PATTERN = rf"^[{CODE_LETTERS}]{{{CODE_LENGTH}}}$"
RoomCode = Annotated[str, Field(pattern=CODE_PATTERN)]
ROOM_PREFIX = "room-"
PRIVATE = "private"
"""The region of a private room's table, to who has no seat there: the room's own name is the way in."""
PEOPLE_MAX = 16
REMOVED_MAX = 1_000
"""So many are kept out of a room; who was removed before them is forgotten."""


def room_of(code: str) -> str:
    """The name of the aggregate whose code this is, `room-abc234`; it stands for the region of its tables too."""
    return ROOM_PREFIX + code.lower()


def code_of(room: str) -> str | None:
    """The code of the room with that name; None for a region."""
    return room.removeprefix(ROOM_PREFIX).upper() if room.startswith(ROOM_PREFIX) else None


Declared = Annotated[bool, Field(exclude_if=lambda bot: not bot, description="a program by its own declaration")]


class RoomSeat(Message):
    """Who is to sit on a seat: a person, or a house bot of a strength; nobody as long as both are none."""

    account: AccountId | None = None
    strength: Strength | None = None


FREE = RoomSeat()


# ---- commands


class OpenRoom(Message):
    """Makes the principal the host of a new room, if its code has been used by no other for 30 days. `region` is where
    its house bots come from."""

    type: Literal["open-room"] = "open-room"
    region: Region
    ruleset: RulesetOptions
    bot: Declared = False


class EnterRoom(Message):
    """With a free seat the principal gets it."""

    type: Literal["enter-room"] = "enter-room"
    bot: bool = False


class LeaveRoom(Message):
    type: Literal["leave-room"] = "leave-room"


class ChooseRuleset(Message):
    """By the host, while no match runs. People beyond the new number of seats stay without one."""

    type: Literal["choose-ruleset"] = "choose-ruleset"
    ruleset: RulesetOptions


class ArrangeSeats(Message):
    """By the host, while no match runs: who sits where, in seat order; as many as the ruleset has seats. In pairs seats
    1 and 3 are partners."""

    type: Literal["arrange-seats"] = "arrange-seats"
    seats: Annotated[tuple[RoomSeat, ...], Field(min_length=2, max_length=4)]


class RemovePerson(Message):
    """By the host, while no match runs. Whoever was removed does not come back into this room."""

    type: Literal["remove-person"] = "remove-person"
    account: AccountId


class HandOver(Message):
    """The host makes somebody else the host."""

    type: Literal["hand-over"] = "hand-over"
    account: AccountId


class StartMatch(Message):
    """By the host, when nobody is missing on any seat."""

    type: Literal["start-match"] = "start-match"


class EndPause(Message):
    """By the host, where the ruleset lets one person end the pause between rounds (`party`)."""

    type: Literal["end-pause"] = "end-pause"
    round: Annotated[int, Field(ge=1, le=NUMBER_MAX, description="the round that has ended")]


class NoteAwayFromRoom(Message):
    """The principal has no connection any more. Sent by a gateway."""

    type: Literal["note-away-from-room"] = "note-away-from-room"


class NoteBackInRoom(Message):
    type: Literal["note-back-in-room"] = "note-back-in-room"


class BringBots(Message):
    """The bots that the region lends for a table, in the order of the seats that want some; none: too few stand by.
    Sent by the lobby to itself."""

    type: Literal["bring-bots"] = "bring-bots"
    table_id: TableId
    bots: Annotated[tuple[Reservation, ...], Field(max_length=4)]


class RoomTableEnded(Message):
    """The room's table is over, or was never opened. Sent by the lobby to itself, out of `table.lifecycle`."""

    type: Literal["room-table-ended"] = "room-table-ended"
    table_id: TableId
    not_opened: NotOpened = None


PersonInRoomCommands = (
    EnterRoom | LeaveRoom | ChooseRuleset | ArrangeSeats | RemovePerson | HandOver | StartMatch | EndPause
)
RoomCommands = (
    OpenRoom | PersonInRoomCommands | NoteAwayFromRoom | NoteBackInRoom | BringBots | RoomTableEnded | TimeOut
)
RoomCommand = Annotated[RoomCommands, Field(discriminator="type")]
PersonInRoomCommand = Annotated[
    PersonInRoomCommands,
    Field(discriminator="type", description="what a person may send through the gateway"),
]


# ---- events


class RoomOpened(Message):
    type: Literal["room-opened"] = "room-opened"
    host: AccountId
    region: Region
    ruleset: RulesetOptions
    at: Milliseconds
    expires_at: Milliseconds
    bot: Declared = False


class PersonEntered(Message):
    """`seat` is none where all were taken, or while a match runs."""

    type: Literal["person-entered"] = "person-entered"
    account: AccountId
    bot: bool
    seat: SeatNumber | None


class PersonLeftRoom(Message):
    type: Literal["person-left-room"] = "person-left-room"
    account: AccountId
    removed: bool = False


class RulesetChosen(Message):
    type: Literal["ruleset-chosen"] = "ruleset-chosen"
    ruleset: RulesetOptions
    seats: tuple[RoomSeat, ...]


class SeatsArranged(Message):
    type: Literal["seats-arranged"] = "seats-arranged"
    seats: tuple[RoomSeat, ...]


class HostChanged(Message):
    """`away`: the host has been gone for a minute, and the person who has been in the room longest stands in until the
    host `returned`."""

    type: Literal["host-changed"] = "host-changed"
    account: AccountId
    reason: Literal["handed-over", "away", "returned", "left"]


class PersonAway(Message):
    type: Literal["person-away"] = "person-away"
    account: AccountId
    at: Milliseconds


class PersonBack(Message):
    type: Literal["person-back"] = "person-back"
    account: AccountId


class BotsWanted(Message):
    """The match starts as soon as the house bots of `region` are here, the latest at `due_at`."""

    type: Literal["bots-wanted"] = "bots-wanted"
    table_id: TableId
    region: Region
    strengths: tuple[Strength, ...]
    due_at: Milliseconds


class BotsMissing(Message):
    """The match does not start: too few house bots stand by, or it was given up while they were on their way. Those
    that come all the same go back to `region`."""

    type: Literal["bots-missing"] = "bots-missing"
    table_id: TableId
    region: Region


class MatchStarted(Message):
    """The seats of the room's new table, in seat order."""

    type: Literal["match-started"] = "match-started"
    table_id: TableId
    ruleset: RulesetOptions
    seats: tuple[Reservation, ...]


class PauseEnded(Message):
    """The host has ended the pause after this round."""

    type: Literal["pause-ended"] = "pause-ended"
    table_id: TableId
    round: int


class RoomReleased(Message):
    """The room's table is over, or was never opened; its house bots go back to `region`, none where it had none."""

    type: Literal["room-released"] = "room-released"
    table_id: TableId
    region: Region | None = None
    not_opened: NotOpened = None


class ExpiryPutOff(Message):
    """Somebody has done something in the room: noted once an hour at most."""

    type: Literal["expiry-put-off"] = "expiry-put-off"
    expires_at: Milliseconds


class RoomClosed(Message):
    """Nobody has done anything for a day, or the last person has left. Its code is not used again for 30 days."""

    type: Literal["room-closed"] = "room-closed"
    at: Milliseconds


RoomEvents = (
    RoomOpened
    | PersonEntered
    | PersonLeftRoom
    | RulesetChosen
    | SeatsArranged
    | HostChanged
    | PersonAway
    | PersonBack
    | BotsWanted
    | BotsMissing
    | MatchStarted
    | PauseEnded
    | RoomReleased
    | ExpiryPutOff
    | RoomClosed
    | Retired
)
RoomEvent = Annotated[RoomEvents, Field(discriminator="type")]
