"""Turns of a table's log: whether they have the time that its ruleset gives them, and end as they may."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from domino_rules.actions import Action, Flag, Pass, PlayTile
from domino_rules.retrace import Departure
from domino_rules.ruleset import Ruleset, Seat
from domino_rules.table.deadlines import AUTOPILOT_MS
from domino_rules.table.events import (
    AutopilotStarted,
    AutopilotStopped,
    ClockStopped,
    PauseStarted,
    TurnStarted,
    TurnTimedOut,
)

TimeEvent: TypeAlias = TurnStarted | TurnTimedOut | ClockStopped | PauseStarted | AutopilotStarted | AutopilotStopped


class Timekeeper:
    """What the log has told of time so far; `take` and `act` raise `Departure`.

    When a command came is not in the log. So a match clock may have been charged anything from nothing to what passed
    until the next turn or the pause, and no more than was left on it.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.clocks = [ruleset.clock_ms or 0] * ruleset.seats
        self.on_autopilot: set[Seat] = set()
        self.number = 0
        self.turn: TurnStarted | None = None
        """The one that runs."""
        self.fresh: TurnStarted | None = None
        """The timer that its person was given after coming back in it, once."""
        self.timed_out = False
        self.stopped = False
        """Whether the clock of the turn that runs stands still already: its last action follows."""
        self.charged_until = 0
        """When the turn that a clock was charged for had ended at the earliest."""

    @property
    def by_autopilot(self) -> bool:
        """Whether the server acts for the seat to move."""
        return self.timed_out or (self.turn is not None and self.turn.seat in self.on_autopilot)

    def take(self, event: TimeEvent, mover: Seat | None) -> None:
        """Checks the next event about time; `mover` is the seat to move."""
        match event:
            case TurnStarted():
                self._start(event, mover)
            case TurnTimedOut():
                self._time_out(event)
            case ClockStopped():
                self._stop_clock(event)
            case PauseStarted():
                self._check_charge(event)
            case AutopilotStarted():
                self.on_autopilot.add(event.seat)
            case AutopilotStopped():
                self.on_autopilot.discard(event.seat)
            case _:
                assert_never(event)

    def act(self, action: Action, tag: str) -> None:
        """An action of the turn that runs; a clock stops before the last one, and is lost only by timing out."""
        if self.turn is None:
            raise Departure(tag, TurnStarted.tag, tag)
        if self.turn.kind != "clock":
            return
        if isinstance(action, Flag) != self.timed_out:
            expected = "the end by the clock" if self.timed_out else f"{TurnTimedOut.tag} of turn {self.number} first"
            raise Departure(tag, expected, tag)
        if isinstance(action, PlayTile | Pass | Flag) and not self.stopped:
            raise Departure(tag, f"{ClockStopped.tag} of turn {self.number} first", tag)

    def end(self) -> None:
        """The turn that ran, if one did, is over."""
        self.turn = self.fresh = None
        self.timed_out = self.stopped = False

    def _start(self, event: TurnStarted, mover: Seat | None) -> None:
        """A new turn has the next number; the same one again: its person left, or came back."""
        before = self.turn
        _demand(f"{event.tag}, seat", mover, event.seat)
        _demand(f"{event.tag}, turn", self.number + (before is None), event.turn)
        kind, time_ms = self._time_of(event.seat)
        _demand(f"{event.tag}, kind", kind, event.kind)
        if before is not None and before.kind == kind:
            raise Departure(event.tag, f"an action of seat {mover}", f"turn {event.turn} again")
        if before is not None and kind == "turn":
            self.fresh = self.fresh or event
            _demand(f"{event.tag}, set_at", self.fresh.set_at, event.set_at)
        _demand(f"{event.tag}, due_at", event.set_at + time_ms, event.due_at)
        self._check_charge(event)
        self.number, self.turn = event.turn, event

    def _time_out(self, event: TurnTimedOut) -> None:
        """Only the turn that runs, and only while its person is to act."""
        turn = self._turn_of(event)
        if turn.kind == "autopilot" or self.timed_out:
            raise Departure(event.tag, f"an action of seat {turn.seat}", event.tag)
        self.timed_out = True

    def _stop_clock(self, event: ClockStopped) -> None:
        """The turn that runs ends: with nothing left when it timed out, else with no more than it began with."""
        turn = self._turn_of(event)
        if turn.kind != "clock" or self.stopped:
            raise Departure(event.tag, f"an action of seat {turn.seat}", event.tag)
        most = 0 if self.timed_out else turn.due_at - turn.set_at
        if not 0 <= event.left_ms <= most:
            raise Departure(f"{event.tag}, left_ms", f"0 to {most}" if most else "0", repr(event.left_ms))
        charged_until = turn.due_at - event.left_ms
        self.charged_until = charged_until if charged_until > turn.set_at else 0
        self.clocks[turn.seat - 1], self.stopped = event.left_ms, True

    def _time_of(self, seat: Seat) -> tuple[str, int]:
        """What runs in a turn of the seat, and how long."""
        if self.ruleset.clock_ms is not None:
            return "clock", self.clocks[seat - 1]
        if seat in self.on_autopilot:
            return "autopilot", AUTOPILOT_MS
        return "turn", self.ruleset.turn_ms or 0

    def _turn_of(self, event: TurnTimedOut | ClockStopped) -> TurnStarted:
        if self.turn is None:
            raise Departure(event.tag, TurnStarted.tag, event.tag)
        _demand(f"{event.tag}, turn", self.turn.turn, event.turn)
        _demand(f"{event.tag}, seat", self.turn.seat, event.seat)
        return self.turn

    def _check_charge(self, event: TurnStarted | PauseStarted) -> None:
        if event.set_at < self.charged_until:
            expected = f"at least {self.charged_until}, up to which the clock before it was charged"
            raise Departure(f"{event.tag}, set_at", expected, repr(event.set_at))
        self.charged_until = 0


def _demand(what: str, expected: object, got: object) -> None:
    if got != expected:
        raise Departure(what, str(expected), repr(got))
