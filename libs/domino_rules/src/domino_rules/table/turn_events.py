"""Turns and their time; `table.events` has these events too, as it has all of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

from domino_rules.events import Json, register
from domino_rules.ruleset import Seat


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """Somebody is to move until `due_at`. The same turn again: its seat left, or came back.

    `kind` is what runs: the turn's own timer, the autopilot's delay, or the seat's match clock. `credit_ms` of the time
    make up for the way to the seat; they are given anew by this event, and a match clock is not charged for them.
    """

    tag: ClassVar[str] = "turn-started"
    turn: int
    seat: Seat
    kind: Literal["turn", "autopilot", "clock"]
    set_at: int
    due_at: int
    credit_ms: int = 0

    def to_json(self) -> Json:
        body: Json = {
            "type": self.tag,
            "turn": self.turn,
            "seat": self.seat,
            "kind": self.kind,
            "set_at": self.set_at,
            "due_at": self.due_at,
        }
        return {**body, "credit_ms": self.credit_ms} if self.credit_ms else body

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        credit_ms = body.get("credit_ms", 0)
        return cls(body["turn"], body["seat"], body["kind"], body["set_at"], body["due_at"], credit_ms)


@dataclass(frozen=True, slots=True)
class ClockStopped:
    """The turn is over; its seat's match clock stands still with `left_ms` on it until the seat's next turn."""

    tag: ClassVar[str] = "clock-stopped"
    turn: int
    seat: Seat
    left_ms: int

    def to_json(self) -> Json:
        return {"type": self.tag, "turn": self.turn, "seat": self.seat, "left_ms": self.left_ms}

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        return cls(body["turn"], body["seat"], body["left_ms"])


@dataclass(frozen=True, slots=True)
class TurnTimedOut:
    """The person did not act in time; what the server did for this turn follows, or the end of the match."""

    tag: ClassVar[str] = "turn-timed-out"
    turn: int
    seat: Seat

    def to_json(self) -> Json:
        return {"type": self.tag, "turn": self.turn, "seat": self.seat}

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        return cls(body["turn"], body["seat"])


@dataclass(frozen=True, slots=True)
class DelayMeasured:
    """The round trip to the seat's person, as the gateway measured it, is another than before; 500 ms at most."""

    tag: ClassVar[str] = "delay-measured"
    seat: Seat
    delay_ms: int

    def to_json(self) -> Json:
        return {"type": self.tag, "seat": self.seat, "delay_ms": self.delay_ms}

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        return cls(body["seat"], body["delay_ms"])


register(TurnStarted, ClockStopped, TurnTimedOut, DelayMeasured)
