"""Commands to a table, and the events of its log."""

from typing import Annotated, Any, Literal

from pydantic import Field

from contracts.envelope import Retired, TimeOut
from contracts.message import AccountId, ClientSeed, Message, Milliseconds, Region, SeatNumber, TableId, TileText

End = Literal["start", "left", "right", "up", "down"]
RulesetOptions = Annotated[dict[str, Any], Field(description="a preset and any option to change, as in the rules")]
NUMBER_MAX = 2**31 - 1
"""Refusals repeat what they got and stay in the log for ever: no room there for a number of thousands of digits."""
Turn = Annotated[int, Field(ge=1, le=NUMBER_MAX, description="counts up over the whole match and is never used twice")]


Strength = Annotated[Literal["beginner", "normal", "expert"], Field(description="how well a house bot plays")]


class Reservation(Message):
    """`strength` is how a house bot plays this seat; people and others' programs have none."""

    account: AccountId
    bot: bool = False
    strength: Strength | None = None


# ---- commands


class OpenTable(Message):
    """Reserves the seats, in order, and publishes the commitment of round 1. Sent by the lobby. The table's id says
    when it was made (`contracts.ids`), and is refused when it is older than commands are kept. `hosted`: the host is
    that of the table's private room, and none of the seats."""

    type: Literal["open-table"] = "open-table"
    ruleset: RulesetOptions
    seats: Annotated[tuple[Reservation, ...], Field(min_length=2, max_length=4)]
    region: Region
    hosted: bool = False


class SitDown(Message):
    type: Literal["sit-down"] = "sit-down"
    client_seed: ClientSeed = ""


class PlayTile(Message):
    type: Literal["play-tile"] = "play-tile"
    turn: Turn
    tile: TileText
    end: End | None = None


class DrawTiles(Message):
    type: Literal["draw-tiles"] = "draw-tiles"
    turn: Turn


class PassTurn(Message):
    type: Literal["pass-turn"] = "pass-turn"
    turn: Turn


class LeaveTable(Message):
    type: Literal["leave-table"] = "leave-table"


class ReturnToSeat(Message):
    type: Literal["return-to-seat"] = "return-to-seat"


class Resign(Message):
    """Ends a match of two seats at once, for the opponent; with more seats it is leaving."""

    type: Literal["resign"] = "resign"


class NextRound(Message):
    type: Literal["next-round"] = "next-round"
    round: Annotated[int, Field(ge=1, le=NUMBER_MAX, description="the round that has ended")]
    client_seed: ClientSeed | None = None


class EndTablePause(Message):
    """The room's host has the next round dealt, where the ruleset lets one person do so. Sent by the lobby."""

    type: Literal["end-table-pause"] = "end-table-pause"
    round: Annotated[int, Field(ge=1, le=NUMBER_MAX, description="the round that has ended")]


PlayerCommands = SitDown | PlayTile | DrawTiles | PassTurn | LeaveTable | ReturnToSeat | Resign | NextRound
TableCommand = Annotated[OpenTable | PlayerCommands | EndTablePause | TimeOut, Field(discriminator="type")]
PlayerCommand = Annotated[
    PlayerCommands, Field(discriminator="type", description="what a person at the table may send through the gateway")
]


# ---- events (folded by `domino_rules`; these are their shapes for every other reader)


class TableOpened(Message):
    type: Literal["table-opened"] = "table-opened"
    table_id: TableId
    ruleset: RulesetOptions
    seats: tuple[Reservation, ...]
    region: Region
    opened_at: Milliseconds
    start_due_at: Milliseconds
    hosted: bool = False


class RoundCommitted(Message):
    """`server_seed` is secret until `seed-revealed`; `commitment` is its SHA-256 in hex."""

    type: Literal["round-committed"] = "round-committed"
    round: int
    commitment: str
    server_seed: str


class PlayerSeated(Message):
    type: Literal["player-seated"] = "player-seated"
    seat: SeatNumber
    client_seed: ClientSeed


class RoundDealt(Message):
    """`hands` and `boneyard` are secret: a seat sees its own hand only."""

    type: Literal["round-dealt"] = "round-dealt"
    round: int
    hands: tuple[str, ...]
    boneyard: str
    client_seeds: tuple[ClientSeed, ...]
    opener: SeatNumber
    forced_tile: TileText | None = None


class TilePlayed(Message):
    type: Literal["tile-played"] = "tile-played"
    seat: SeatNumber
    tile: TileText
    end: End
    ends: dict[str, int]
    ends_total: int
    points: int
    scores: tuple[int, ...]
    by: Literal["house"] | None = None


class TilesDrawn(Message):
    """`tiles` is secret to every other seat."""

    type: Literal["tiles-drawn"] = "tiles-drawn"
    seat: SeatNumber
    tiles: str


class Passed(Message):
    type: Literal["passed"] = "passed"
    seat: SeatNumber


class RoundEnded(Message):
    type: Literal["round-ended"] = "round-ended"
    reason: Literal["out", "blocked"]
    pips: tuple[int, ...]
    winner: SeatNumber | None
    points: int
    scores: tuple[int, ...]
    next_opener: SeatNumber | None
    next_forced: bool


class MatchEnded(Message):
    type: Literal["match-ended"] = "match-ended"
    reason: Literal["target", "round-cap", "clock", "resigned"]
    winner: tuple[SeatNumber, ...]
    scores: tuple[int, ...]


class TurnStarted(Message):
    """`kind` says what runs until `due_at`: the turn's own timer, the autopilot's delay, or the seat's match clock.
    `credit_ms` of it make up for the way to the seat: 500 ms a turn and 5 s a match at most."""

    type: Literal["turn-started"] = "turn-started"
    turn: Turn
    seat: SeatNumber
    kind: Literal["turn", "autopilot", "clock"]
    set_at: Milliseconds
    due_at: Milliseconds
    credit_ms: Annotated[int, Field(ge=0, le=500)] = 0


class ClockStopped(Message):
    """The turn is over, and the seat's match clock stands still with `left_ms` on it until its next turn."""

    type: Literal["clock-stopped"] = "clock-stopped"
    turn: Turn
    seat: SeatNumber
    left_ms: Annotated[int, Field(ge=0)]


class TurnTimedOut(Message):
    type: Literal["turn-timed-out"] = "turn-timed-out"
    turn: Turn
    seat: SeatNumber


class DelayMeasured(Message):
    """The round trip to the seat's person, as the gateway measured it, is another than before."""

    type: Literal["delay-measured"] = "delay-measured"
    seat: SeatNumber
    delay_ms: Annotated[int, Field(ge=0, le=500)]


class AutopilotStarted(Message):
    type: Literal["autopilot-started"] = "autopilot-started"
    seat: SeatNumber
    reason: Literal["timeout", "left"]


class AutopilotStopped(Message):
    type: Literal["autopilot-stopped"] = "autopilot-stopped"
    seat: SeatNumber


class PlayerLeft(Message):
    type: Literal["player-left"] = "player-left"
    seat: SeatNumber


class PlayerReturned(Message):
    type: Literal["player-returned"] = "player-returned"
    seat: SeatNumber


class PauseStarted(Message):
    type: Literal["pause-started"] = "pause-started"
    round: int
    set_at: Milliseconds
    due_at: Milliseconds


class PlayerReady(Message):
    type: Literal["player-ready"] = "player-ready"
    seat: SeatNumber
    client_seed: ClientSeed | None = None


class SeedRevealed(Message):
    type: Literal["seed-revealed"] = "seed-revealed"
    round: int
    server_seed: str


class PersonActed(Message):
    """Noted with what a person has done, once a minute at most: what a table's expiry counts from."""

    type: Literal["person-acted"] = "person-acted"
    at: Milliseconds


class TableExpired(Message):
    type: Literal["table-expired"] = "table-expired"


TableEvent = Annotated[
    TableOpened
    | RoundCommitted
    | PlayerSeated
    | RoundDealt
    | TilePlayed
    | TilesDrawn
    | Passed
    | RoundEnded
    | MatchEnded
    | TurnStarted
    | ClockStopped
    | TurnTimedOut
    | DelayMeasured
    | AutopilotStarted
    | AutopilotStopped
    | PlayerLeft
    | PlayerReturned
    | PauseStarted
    | PlayerReady
    | SeedRevealed
    | PersonActed
    | TableExpired
    | Retired,
    Field(discriminator="type"),
]
