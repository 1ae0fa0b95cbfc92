"""Turns of a table's log: whether they have the time that its ruleset gives them, and end as they may; and whether the
table expired when it might."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias, assert_never

from domino_rules.actions import Action, Flag, Pass, PlayTile
from domino_rules.retrace import Departure
from domino_rules.ruleset import Ruleset, Seat
from domino_rules.table.credit import CREDIT_MS_MAX, credit_ms, noted_delay
from domino_rules.table.deadlines import AUTOPILOT_MS, EXPIRY_MS, PERSON_ACTED_MS
from domino_rules.table.events import (
    AutopilotStarted,
    AutopilotStopped,
    ClockStopped,
    DelayMeasured,
    PauseStarted,
    PersonActed,
    TableExpired,
    TableOpened,
    TurnStarted,
    TurnTimedOut,
)

TimeEvent: TypeAlias = (
    TurnStarted
    | TurnTimedOut
    | ClockStopped
    | PauseStarted
    | AutopilotStarted
    | AutopilotStopped
    | DelayMeasured
    | PersonActed
    | TableExpired
)


class Logged(NamedTuple):
    """When the command of an event was logged, in ms of the log, and by how much outages had put off the deadline that
    stood then.

    Who decided it may not have known of the last of them yet: what follows from either is right.
    """

    at: int
    given_back_ms: int = 0

    @property
    def counts_at(self) -> int:
        """The same moment as deadlines and match clocks see it: they stand still during an outage."""
        return self.at - self.given_back_ms


class Timekeeper:
    """What the log has told of time so far; `take` and `act` raise `Departure`.

    When a command came is not in its events. So without `logged` a match clock may have been charged anything from
    nothing to what passed until the next turn or the pause without what was credited, and no more than was left on it.
    """

    def __init__(self, opened: TableOpened) -> None:
        ruleset: Ruleset = opened.ruleset
        self.ruleset = ruleset
        self.clocks = [ruleset.clock_ms or 0] * ruleset.seats
        self.delays_ms = [0] * ruleset.seats
        self.credited_ms = [0] * ruleset.seats
        """By all turns of the match."""
        self.turn_credit_ms = 0
        """By all timers of the turn that runs."""
        self.person_acted_at = opened.opened_at
        self.due_at: int | None = opened.start_due_at
        """When the start, the turn or the pause that is waited for falls due; none in between."""
        self.on_autopilot: set[Seat] = set()
        self.logged: Logged | None = None
        """Of the event that is looked at, if it is known."""
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
                self._demand_from(f"{event.tag}, set_at", event.set_at)
                _demand(f"{event.tag}, due_at", event.set_at + self.ruleset.pause_ms, event.due_at)
                self._check_charge(event)
                self.due_at = event.due_at
            case DelayMeasured():
                self._measure(event)
            case PersonActed():
                self._note_person(event)
            case TableExpired():
                self._expire(event)
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
        if not self.by_autopilot:
            self._demand_in_time(tag, self.turn.due_at)
        elif not self.timed_out:
            self._demand_due(tag, self.turn.due_at)
        if self.turn.kind != "clock":
            return
        if isinstance(action, Flag) != self.timed_out:
            expected = "the end by the clock" if self.timed_out else f"{TurnTimedOut.tag} of turn {self.number} first"
            raise Departure(tag, expected, tag)
        if isinstance(action, PlayTile | Pass | Flag) and not self.stopped:
            raise Departure(tag, f"{ClockStopped.tag} of turn {self.number} first", tag)

    def end(self) -> None:
        """The turn that ran, if one did, is over."""
        self.turn = self.fresh = self.due_at = None
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
        if before is None:
            self.turn_credit_ms = 0
        if before is not None and kind == "turn" and self.fresh is not None:
            credit, due_at = 0, self.fresh.due_at
            _demand(f"{event.tag}, set_at", self.fresh.set_at, event.set_at)
        else:
            self._demand_from(f"{event.tag}, set_at", event.set_at)
            credit = self._credit_ms(event.seat, kind)
            due_at = event.set_at + time_ms + credit
        _demand(f"{event.tag}, credit_ms", credit, event.credit_ms)
        _demand(f"{event.tag}, due_at", due_at, event.due_at)
        self._check_charge(event)
        if before is not None and kind == "turn":
            self.fresh = self.fresh or event
        self.turn_credit_ms += credit
        self.credited_ms[event.seat - 1] += credit
        self.number, self.turn, self.due_at = event.turn, event, event.due_at

    def _credit_ms(self, seat: Seat, kind: str) -> int:
        """What a timer of that kind adds for the way to the seat."""
        if kind == "autopilot":
            return 0
        return credit_ms(self.delays_ms[seat - 1], self.turn_credit_ms, self.credited_ms[seat - 1])

    def _measure(self, event: DelayMeasured) -> None:
        """Another delay than before, no longer than what can be credited."""
        _demand_seat(event, self.ruleset)
        before_ms = self.delays_ms[event.seat - 1]
        if event.delay_ms < 0 or noted_delay(before_ms, event.delay_ms) != event.delay_ms:
            expected = f"0 to {CREDIT_MS_MAX}, another one than {before_ms}"
            raise Departure(f"{event.tag}, delay_ms", expected, repr(event.delay_ms))
        self.delays_ms[event.seat - 1] = event.delay_ms

    def _note_person(self, event: PersonActed) -> None:
        """Once a minute at most."""
        least = self.person_acted_at + PERSON_ACTED_MS
        if event.at < least:
            raise Departure(f"{event.tag}, at", f"at least {least}", repr(event.at))
        self._demand_from(f"{event.tag}, at", event.at)
        self.person_acted_at = event.at

    def _expire(self, event: TableExpired) -> None:
        """Only where nothing else that is waited for fell due before."""
        expiry_at = self.person_acted_at + EXPIRY_MS + PERSON_ACTED_MS
        if self.due_at is None or self.due_at <= expiry_at:
            first = "what follows" if self.due_at is None else f"what is due at {self.due_at}"
            raise Departure(event.tag, f"{first} before the expiry at {expiry_at}", event.tag)
        self._demand_due(event.tag, expiry_at)

    def _time_out(self, event: TurnTimedOut) -> None:
        """Only the turn that runs, and only while its person is to act."""
        turn = self._turn_of(event)
        if turn.kind == "autopilot" or self.timed_out:
            raise Departure(event.tag, f"an action of seat {turn.seat}", event.tag)
        self._demand_due(event.tag, turn.due_at)
        self.timed_out = True

    def _stop_clock(self, event: ClockStopped) -> None:
        """The turn that runs ends: with nothing left when it timed out, else with no more than it began with. What is
        credited is not charged."""
        turn = self._turn_of(event)
        if turn.kind != "clock" or self.stopped:
            raise Departure(event.tag, f"an action of seat {turn.seat}", event.tag)
        had = self.clocks[turn.seat - 1]
        most = 0 if self.timed_out else had
        if not 0 <= event.left_ms <= most:
            raise Departure(f"{event.tag}, left_ms", f"0 to {most}" if most else "0", repr(event.left_ms))
        if self.logged is not None:
            self._check_exactly(event, turn, self.logged)
        self.charged_until = turn.due_at - event.left_ms if event.left_ms < had else 0
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

    def _check_exactly(self, event: ClockStopped, turn: TurnStarted, logged: Logged) -> None:
        """What passed is charged without what was credited or given back."""
        had = self.clocks[turn.seat - 1]
        least, most = [max(0, min(had, turn.due_at - max(at, turn.set_at))) for at in (logged.at, logged.counts_at)]
        if not least <= event.left_ms <= most:
            expected = str(most) if least == most else f"{least} to {most}"
            raise Departure(f"{event.tag}, left_ms", expected, repr(event.left_ms))

    def _demand_in_time(self, what: str, due_at: int) -> None:
        if self.logged is not None and self.logged.counts_at > due_at:
            raise Departure(what, f"a command that counts at {due_at} at the latest", str(self.logged.counts_at))

    def _demand_due(self, what: str, due_at: int) -> None:
        if self.logged is not None and self.logged.at <= due_at:
            raise Departure(what, f"a command after {due_at}", str(self.logged.at))

    def _demand_from(self, what: str, at: int) -> None:
        """Nothing that is set by a command counts from before it."""
        if self.logged is not None and at < self.logged.at:
            raise Departure(what, f"at least {self.logged.at}, when its command was logged", repr(at))

    def _check_charge(self, event: TurnStarted | PauseStarted) -> None:
        if event.set_at < self.charged_until:
            expected = f"at least {self.charged_until}, up to which the clock before it was charged"
            raise Departure(f"{event.tag}, set_at", expected, repr(event.set_at))
        self.charged_until = 0


def _demand_seat(event: DelayMeasured, ruleset: Ruleset) -> None:
    if event.seat not in range(1, ruleset.seats + 1):
        raise Departure(f"{event.tag}, seat", f"1 to {ruleset.seats}", repr(event.seat))


def _demand(what: str, expected: object, got: object) -> None:
    if got != expected:
        raise Departure(what, str(expected), repr(got))
