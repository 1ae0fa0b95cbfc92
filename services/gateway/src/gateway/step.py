"""One change of a table, and how each seat may see it. The only place where a table's state becomes a message."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from bus.outages import Outages, no_outages
from bus.outcomes import Outcome
from contracts.api import View
from contracts.envelope import OutcomeBody, Payload
from contracts.room import PRIVATE, code_of
from domino_rules.events import UnknownEvent
from domino_rules.table import TableEvent, TableState, deadline, event_from_json, event_view, evolve, view_for


class Unreadable(Exception):
    """This version cannot go on with the table. Carries the kind of trouble, never what the log holds."""


@dataclass(frozen=True, slots=True)
class Change:
    """What an outcome did to its table: the events between two versions, `at` the command's log time in ms."""

    from_version: int
    to_version: int
    at: int
    events: tuple[Payload, ...]
    outages: Outages = field(default_factory=no_outages, compare=False)

    @classmethod
    def of(cls, outcome: Outcome, body: OutcomeBody) -> "Change":
        header = outcome.header
        return cls(header.from_version, header.to_version, body.at, body.events, outcome.outages)


@dataclass(frozen=True, slots=True)
class Step:
    """The table after `version`, and the events since `from_version` (0: since nobody knows when, without events).
    `outages` are those of the table's partition, up to date as far as it has been read."""

    from_version: int
    version: int
    at: int
    events: tuple[TableEvent, ...]
    state: TableState
    outages: Outages = field(default_factory=no_outages, compare=False)

    def since(self, version: int) -> "Step":
        """The same table for somebody who needs no events: one who has this `version`, or (0) one who has nothing."""
        return replace(self, from_version=version, events=())

    def seat_of(self, *accounts: str) -> int | None:
        """The seat of the first of these that has one."""
        for account in accounts:
            if (seat := self.state.table.seat_of(account)) is not None:
                return seat
        return None

    def before(self, at: int) -> "Step":
        """The same step as it was up to the log time `at`, when the next one came: no later outage is told with it."""
        if not self.outages.known:
            return self
        begun = tuple(outage for outage in self.outages.known if outage.begin < at)
        return replace(self, outages=Outages(None, begun))

    def view(self, seat: int | None, now: int) -> View:
        """What `seat` may see of this step at the broker time `now` (ms); None is everybody who has no seat."""
        return View(
            table_id=self.state.table.table_id,
            from_version=self.from_version,
            version=self.version,
            at=self.at,
            events=tuple(_without_code(event_view(event, seat), seat) for event in self.events),
            view=_without_code(self._with_time_given_back(view_for(self.state, seat)), seat),
            server_time=now,
        )

    @property
    def given_back(self) -> int:
        """By how many ms outages have put the standing deadline off."""
        if not self.outages.known or (due := deadline(self.state)) is None:
            return 0
        return self.outages.given_back(due.set_at, due.due_at)

    def _with_time_given_back(self, view: dict[str, Any]) -> dict[str, Any]:
        """The deadline as it really falls due, and how much of that outages have given back."""
        given_back, told = self.given_back, view["deadline"]
        if given_back:
            view["deadline"] = told | {"due_at": told["due_at"] + given_back, "given_back_ms": given_back}
        return view


def _without_code(shown: dict[str, Any], seat: int | None) -> dict[str, Any]:
    """What names a private room for its region names it for those alone who play there: its code opens it."""
    if seat is None and code_of(shown.get("region", "")) is not None:
        return shown | {"region": PRIVATE}
    return shown


def follow(step: Step | None, change: Change) -> Step:
    """The step after `step` (None: the table is not open yet). Raises `Unreadable`."""
    version = step.version if step is not None else 0
    if change.from_version != version:
        raise Unreadable("a version is missing")
    state = step.state if step is not None else None
    try:
        events = tuple(event_from_json(payload) for payload in change.events)
        for event in events:
            state = evolve(state, event)
    except UnknownEvent:
        raise Unreadable("an event of a newer version") from None
    except Exception as error:  # noqa: BLE001 - whatever it is, other tables go on
        raise Unreadable(f"{type(error).__name__} while folding") from None
    if state is None:
        raise Unreadable("an outcome without events")
    return Step(change.from_version, change.to_version, change.at, events, state, change.outages)


def fold(changes: Iterable[Change], step: Step | None = None) -> list[Step]:
    """The steps of `changes` on top of `step`; changes that it already has are passed over. Raises `Unreadable`."""
    steps: list[Step] = []
    for change in changes:
        if step is not None and change.to_version <= step.version:
            continue
        step = follow(step, change)
        steps.append(step)
    return steps
