"""What goes over the public API: HTTP bodies and WebSocket messages. Times are milliseconds of the log."""

from typing import Annotated, Any, Literal

from pydantic import Field

from contracts.account import Language, SessionId
from contracts.account_api import Secret
from contracts.envelope import Payload
from contracts.message import AccountId, CommandId, Message, Milliseconds, Region, StrictMessage, TableId
from contracts.queue_api import FollowRoom, QueueStatus, RoomChanges, RoomList, UnfollowRoom, WishedPool
from contracts.region import WINDOW_FIRST, GroupName, GroupSize, Preset, Window
from contracts.room_api import FollowPrivateRoom, PrivateRoom, Said, Say, ScreenPaired, Talk, UnfollowPrivateRoom
from contracts.table import PlayerCommand, RulesetOptions, Strength

# ---- HTTP


class GuestRequest(StrictMessage):
    """`bot` declares a program; `house_key` is for the house's own bots.

    With the key, `house_bot` asks for the account `house-<region>-<number>`, always the same one, so that a house bot
    that was killed comes back to its seat and to its place in the lobby.
    """

    bot: bool = False
    language: Language = "en"
    house_key: str | None = None
    house_bot: Annotated[int, Field(ge=1, le=9999)] | None = None


class Guest(Message):
    """`token` proves the account for `seconds`; by `secret`, which the client keeps, it is renewed."""

    account: AccountId
    token: str
    bot: bool
    session: SessionId | None = None
    secret: Secret | None = None
    seconds: int | None = None


class QueueRequest(WishedPool):
    """Repeat with the same `id` when no answer came: it has one effect and one answer.

    `pairs` and `drawing` are open in `party`, `spinner` (four ends) in `all-fives`; so is the time: 15, 30 or 60
    `turn_seconds` in `party`, 3, 5, 10, 15 or 20 `clock_minutes` in `duel-draw` and `all-fives`, else the preset's own
    15 and 10. With `bots` = "fill" labelled house bots take the seats that stay free for a while, and play with
    `strength`.

    Friends queue together: each sends the same `group`, a name chosen by chance, and how many they are. Of `rated`
    tickets those meet whose ratings are at most `window` apart, which widens by 50 every 5 seconds, to 400.
    """

    id: CommandId
    preset: Preset = "draw"
    window: Window = WINDOW_FIRST
    group: GroupName | None = None
    group_size: GroupSize | None = None
    bots: Literal["none", "fill"] = "none"
    strength: Strength = "normal"
    region: Region | None = None


class StandByRequest(StrictMessage):
    id: CommandId
    region: Region | None = None


class LeaveQueueRequest(StrictMessage):
    id: CommandId
    region: Region | None = None


class Accepted(Message):
    id: CommandId
    version: int


class SeatedAt(Message):
    table_id: TableId
    region: Region


class Me(Message):
    """`region` is where the account queues and sits down at public tables, and nowhere else; none from a server that
    did not know."""

    account: AccountId
    region: Region | None = None
    bot: bool
    tables: tuple[SeatedAt, ...]
    server_time: Milliseconds


class Problem(Message):
    """RFC 9457. `code` is stable; `expected` and `got` say what was wrong."""

    type: str = "about:blank"
    title: str
    status: int
    code: str
    detail: str
    expected: str = ""
    got: str = ""


class ReplayOutcome(Message):
    """`given_back_ms` is by how much outages had put off the deadline that stood when this was decided: up to then it
    was not late, and no match clock was charged for them."""

    version: int
    at: Milliseconds
    events: tuple[Payload, ...]
    state_hash: str | None = None
    given_back_ms: Annotated[int, Field(ge=0)] = 0


class Replay(Message):
    """A finished match, whole: `outcomes` in order, with the events and recorded state hashes of its log."""

    table_id: TableId
    rules_version: str
    ruleset: RulesetOptions
    outcomes: tuple[ReplayOutcome, ...]


# ---- WebSocket, from the client


class Hello(StrictMessage):
    """The first message of a socket."""

    type: Literal["hello"] = "hello"
    token: str


class Watch(StrictMessage):
    """`version` is the newest version that the client has of this table: it gets what is missing, or a full view."""

    type: Literal["watch"] = "watch"
    table_id: TableId
    version: Annotated[int, Field(ge=0)] = 0


class Unwatch(StrictMessage):
    type: Literal["unwatch"] = "unwatch"
    table_id: TableId


class TableRequest(StrictMessage):
    type: Literal["command"] = "command"
    id: CommandId
    table_id: TableId
    command: PlayerCommand


class Ping(StrictMessage):
    type: Literal["ping"] = "ping"
    id: CommandId


ClientMessage = (
    Hello
    | Watch
    | Unwatch
    | TableRequest
    | Ping
    | FollowRoom
    | UnfollowRoom
    | FollowPrivateRoom
    | UnfollowPrivateRoom
    | Say
)
FromClient = Annotated[ClientMessage, Field(discriminator="type")]


# ---- WebSocket, to the client


class Welcome(Message):
    type: Literal["welcome"] = "welcome"
    account: AccountId
    tables: tuple[SeatedAt, ...]
    server_time: Milliseconds


class YourTable(Message):
    """You have been given a seat: watch the table and sit down."""

    type: Literal["your-table"] = "your-table"
    table_id: TableId
    region: Region


class MatchCalledOff(Message):
    """The match for which you were given a seat could not begin, and you are free again. `code` says why: the
    refusal's or fault's of the table, and for a house bot also `bots-missing` or `called-off`."""

    type: Literal["match-called-off"] = "match-called-off"
    table_id: TableId
    code: str


class View(Message):
    """The table as this seat may see it after `version`, and what happened since `from_version` (0: unknown).

    In `view`: `status` is `waiting` (until all have said `sit-down`), `playing`, `pausing` (until all have said
    `next-round` with this `round`), `finished` (`result` says how) or `expired`. `you` is your seat, none where you
    look on; `to_move` is whose turn it is. In your own turn `legal` has what you may do, the heaviest tile first:
    `6-3@left` is `play-tile` with that tile and that end, `draw` is `draw-tiles`, `pass` is `pass-turn`, each with this
    `turn`. `hand` has your tiles, `layout` what lies in the order in which it was placed, `ends` the open numbers,
    `scores` one for each side.

    A version comes again, without events, when time that the service was silent has been given back to its deadline.
    `server_time` is the moment at which this message was made: a lower bound of the time at which it arrives.
    """

    type: Literal["view"] = "view"
    table_id: TableId
    from_version: int
    version: int
    at: Milliseconds
    events: tuple[dict[str, Any], ...]
    view: dict[str, Any]
    server_time: Milliseconds | None = None


class Answer(Message):
    """The outcome of a command: accepted when `refusal` and `fault` are absent."""

    type: Literal["answer"] = "answer"
    id: str
    table_id: TableId
    version: int
    code: str | None = None
    message: str | None = None
    expected: str = ""
    got: str = ""


class SocketError(Message):
    """Something the client sent could not be used, or a watched table (`table_id`) could not be shown; the connection
    goes on. `id` repeats the id of the command, saying or ping that it answers."""

    type: Literal["error"] = "error"
    code: str
    message: str
    expected: str = ""
    got: str = ""
    id: str | None = None
    table_id: TableId | None = None


class Pong(Message):
    type: Literal["pong"] = "pong"
    id: str
    server_time: Milliseconds


ToClient = Annotated[
    Welcome
    | YourTable
    | MatchCalledOff
    | View
    | Answer
    | SocketError
    | Pong
    | QueueStatus
    | RoomList
    | RoomChanges
    | PrivateRoom
    | ScreenPaired
    | Talk
    | Said,
    Field(discriminator="type"),
]
