"""What happens at a table around the game itself; the registry and the JSON are those of `domino_rules.events`.

Times are whole milliseconds of the log's own time. Server seeds are hex.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self, TypeAlias, cast

from domino_rules.events import GameEvent, Json, from_json, register
from domino_rules.ruleset import Ruleset, Seat
from domino_rules.table.reservation import Reservation
from domino_rules.table.turn_events import ClockStopped as ClockStopped
from domino_rules.table.turn_events import DelayMeasured as DelayMeasured
from domino_rules.table.turn_events import TurnStarted as TurnStarted
from domino_rules.table.turn_events import TurnTimedOut as TurnTimedOut


@dataclass(frozen=True, slots=True)
class TableOpened:
    """The seats are reserved, seat 1 first; who has not sat down when the start is due plays with an empty seed.
    `hosted`: who ends pauses where the rules leave it to a host is somebody outside, and not seat 1."""

    tag: ClassVar[str] = "table-opened"
    table_id: str
    ruleset: Ruleset
    seats: tuple[Reservation, ...]
    region: str
    opened_at: int
    start_due_at: int
    hosted: bool = False

    def to_json(self) -> Json:
        return {
            "type": self.tag,
            "table_id": self.table_id,
            "ruleset": self.ruleset.to_json(),
            "seats": [seat.to_json() for seat in self.seats],
            "region": self.region,
            "opened_at": self.opened_at,
            "start_due_at": self.start_due_at,
            **({"hosted": True} if self.hosted else {}),
        }

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        return cls(
            body["table_id"],
            Ruleset.from_json(body["ruleset"]),
            tuple([Reservation.from_json(seat) for seat in body["seats"]]),
            body["region"],
            body["opened_at"],
            body["start_due_at"],
            body.get("hosted", False),
        )


@dataclass(frozen=True, slots=True)
class RoundCommitted:
    """The server's seed of a round to come: secret until revealed, its SHA-256 public at once."""

    tag: ClassVar[str] = "round-committed"
    round: int
    commitment: str
    server_seed: str

    def to_json(self) -> Json:
        return {
            "type": self.tag,
            "round": self.round,
            "commitment": self.commitment,
            "server_seed": self.server_seed,
        }

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        return cls(body["round"], body["commitment"], body["server_seed"])


@dataclass(frozen=True, slots=True)
class _SeatEvent:
    """Something about one seat and nothing more."""

    tag: ClassVar[str]
    seat: Seat

    def to_json(self) -> Json:
        return {"type": self.tag, "seat": self.seat}

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        return cls(body["seat"])


@dataclass(frozen=True, slots=True)
class PlayerSeated:
    """A person or bot took its reserved seat."""

    tag: ClassVar[str] = "player-seated"
    seat: Seat
    client_seed: str

    def to_json(self) -> Json:
        return {"type": self.tag, "seat": self.seat, "client_seed": self.client_seed}

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        return cls(body["seat"], body["client_seed"])


@dataclass(frozen=True, slots=True)
class AutopilotStarted:
    """From now on the autopilot plays the seat."""

    tag: ClassVar[str] = "autopilot-started"
    seat: Seat
    reason: Literal["timeout", "left"]

    def to_json(self) -> Json:
        return {"type": self.tag, "seat": self.seat, "reason": self.reason}

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        return cls(body["seat"], body["reason"])


@dataclass(frozen=True, slots=True)
class AutopilotStopped(_SeatEvent):
    """The seat's person acts again."""

    tag: ClassVar[str] = "autopilot-stopped"


@dataclass(frozen=True, slots=True)
class PlayerLeft(_SeatEvent):
    """The seat's person went away; only the same person can take it again."""

    tag: ClassVar[str] = "player-left"


@dataclass(frozen=True, slots=True)
class PlayerReturned(_SeatEvent):
    """The person who had left took the seat again."""

    tag: ClassVar[str] = "player-returned"


@dataclass(frozen=True, slots=True)
class PauseStarted:
    """The round has ended and the next is dealt at `due_at`, or when all people at the table say so."""

    tag: ClassVar[str] = "pause-started"
    round: int
    set_at: int
    due_at: int

    def to_json(self) -> Json:
        return {"type": self.tag, "round": self.round, "set_at": self.set_at, "due_at": self.due_at}

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        return cls(body["round"], body["set_at"], body["due_at"])


@dataclass(frozen=True, slots=True)
class PlayerReady:
    """The seat wants the next round; a seed given with it replaces the seat's old one."""

    tag: ClassVar[str] = "player-ready"
    seat: Seat
    client_seed: str | None = None

    def to_json(self) -> Json:
        return {"type": self.tag, "seat": self.seat, "client_seed": self.client_seed}

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        return cls(body["seat"], body.get("client_seed"))


@dataclass(frozen=True, slots=True)
class SeedRevealed:
    """The round is over: its server seed, by which anyone can check the deal."""

    tag: ClassVar[str] = "seed-revealed"
    round: int
    server_seed: str

    def to_json(self) -> Json:
        return {"type": self.tag, "round": self.round, "server_seed": self.server_seed}

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        return cls(body["round"], body["server_seed"])


@dataclass(frozen=True, slots=True)
class PersonActed:
    """A person, not a program, has done something here; noted when the last note is a minute old."""

    tag: ClassVar[str] = "person-acted"
    at: int

    def to_json(self) -> Json:
        return {"type": self.tag, "at": self.at}

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        return cls(body["at"])


@dataclass(frozen=True, slots=True)
class TableExpired:
    """No person did anything for a day."""

    tag: ClassVar[str] = "table-expired"

    def to_json(self) -> Json:
        return {"type": self.tag}

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:  # noqa: ARG003 - there is nothing to read
        return cls()


register(
    TableOpened,
    RoundCommitted,
    PlayerSeated,
    AutopilotStarted,
    AutopilotStopped,
    PlayerLeft,
    PlayerReturned,
    PauseStarted,
    PlayerReady,
    SeedRevealed,
    PersonActed,
    TableExpired,
)
TableEvent: TypeAlias = (
    TableOpened
    | RoundCommitted
    | PlayerSeated
    | GameEvent
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
)


def event_from_json(body: Mapping[str, Any]) -> TableEvent:
    """The event of a JSON object of a table's log. Raises `UnknownEvent` or `MalformedEvent`."""
    return cast(TableEvent, from_json(body))
