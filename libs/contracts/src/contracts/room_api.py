"""What goes over the public API about private rooms, their screens, and talk."""

from typing import Annotated, Literal

from pydantic import Field

from contracts.message import AccountId, CommandId, Message, Milliseconds, SeatNumber, StrictMessage, TableId
from contracts.queue_api import Name
from contracts.room import PersonInRoomCommand, RoomCode
from contracts.table import RulesetOptions, Strength

TEXT_CHARACTERS_MAX = 240
Text = Annotated[str, Field(min_length=1, max_length=TEXT_CHARACTERS_MAX)]
Phrase = Literal[
    "hello", "good-luck", "well-played", "thank-you", "one-moment", "hurry-up", "oops", "capicua", "again", "goodbye"
]
"""Quick phrases: a client says them in its own language."""
PairingCode = RoomCode


# ---- private rooms, HTTP


class OpenRoomRequest(StrictMessage):
    id: CommandId
    ruleset: RulesetOptions


class RoomMade(Message):
    """`link` leads into the room, as does the picture at `qr`."""

    id: CommandId
    code: RoomCode
    link: str
    qr: str


class RoomRequest(StrictMessage):
    """A command to the room whose code stands in the path."""

    id: CommandId
    command: PersonInRoomCommand


class PersonInRoom(Message):
    account: AccountId
    name: Name
    bot: bool = False
    away: bool = False


class SeatInRoom(Message):
    seat: SeatNumber
    account: AccountId | None = None
    strength: Strength | None = None


class PrivateRoom(Message):
    """`host` may do what a host may; `owner` is the host whom that one stands in for, while away. `starting`: its house
    bots are on their way. `table_id` is the running table, or the last one. `bots_missing` and `not_opened`: the match
    that was started last has not begun, for want of house bots or of a person, or since its table could not be opened.
    `link` leads into the room; none: `/join/<code>` at the address by which one has come does."""

    type: Literal["private-room"] = "private-room"
    code: RoomCode
    link: str | None = None
    version: int
    host: AccountId
    owner: AccountId
    ruleset: RulesetOptions
    people: tuple[PersonInRoom, ...]
    seats: tuple[SeatInRoom, ...]
    table_id: TableId | None = None
    running: bool = False
    starting: bool = False
    closed: bool = False
    screens: int = 0
    bots_missing: bool = False
    not_opened: bool = False


class NameRequest(StrictMessage):
    name: Name


class NameChosen(Message):
    """The name as others see it: without control characters, with plain spaces."""

    name: Name


class Mutes(Message):
    """The people whose talk the asker is not sent, and what each of them is called now."""

    accounts: tuple[AccountId, ...]
    names: dict[AccountId, Name] = Field(default_factory=dict)


# ---- screens, HTTP


class ScreenRequest(StrictMessage):
    """A screen that knows a room's code shows it at once; one without gets a pairing code for the host to type."""

    code: RoomCode | None = None


class Screen(Message):
    """`token` can look at the room and its tables and do nothing else. `code` is none until the screen is paired."""

    token: str
    pairing: PairingCode | None = None
    code: RoomCode | None = None


class PairScreenRequest(StrictMessage):
    """By the host of the room in the path."""

    pairing: PairingCode


# ---- WebSocket, from the client


class FollowPrivateRoom(StrictMessage):
    """The private room, now and after every change; a screen needs no code."""

    type: Literal["follow-private-room"] = "follow-private-room"
    code: RoomCode | None = None


class UnfollowPrivateRoom(StrictMessage):
    type: Literal["unfollow-private-room"] = "unfollow-private-room"


class Say(StrictMessage):
    """A phrase at a table or in a private room; `text` in a private room only. Exactly one of each pair.

    With an `id` it is answered, by `said` or by an error with that id, and may be repeated within a minute: it has one
    effect. Without one only a refusal is told.
    """

    type: Literal["say"] = "say"
    id: CommandId | None = None
    table_id: TableId | None = None
    code: RoomCode | None = None
    phrase: Phrase | None = None
    text: Text | None = None


# ---- WebSocket, to the client


class Talk(Message):
    """What somebody has said; it is gone after a day."""

    type: Literal["talk"] = "talk"
    said_by: AccountId
    name: Name
    at: Milliseconds
    table_id: TableId | None = None
    code: RoomCode | None = None
    phrase: Phrase | None = None
    text: Text | None = None


class Said(Message):
    """What was said under this id has been passed on."""

    type: Literal["said"] = "said"
    id: CommandId


class ScreenPaired(Message):
    type: Literal["screen-paired"] = "screen-paired"
    code: RoomCode
