"""A finished match, folded again from its events: every recorded state hash is checked on the way, every deal against
its seeds, and every event against the rules."""

from collections.abc import Iterator
from dataclasses import dataclass

from capicua.view import TableView
from contracts.api import Replay, ReplayOutcome
from domino_rules import RULES_VERSION, table, verification
from domino_rules.events import RoundDealt
from domino_rules.table import TableState
from domino_rules.timekeeping import Logged


@dataclass(frozen=True, slots=True)
class Wrong:
    """What does not agree with the events, and at which version."""

    version: int
    what: str
    expected: str
    got: str


@dataclass(frozen=True, slots=True)
class Step:
    """The table after one outcome, open to everybody; `wrong` is what the check found there."""

    outcome: ReplayOutcome
    state: TableState
    wrong: tuple[Wrong, ...]

    def view(self) -> TableView:
        """As a spectator sees it, with the full events."""
        shown = table.view_for(self.state, None)
        outcome = self.outcome
        extra = {"version": outcome.version, "at": outcome.at, "events": outcome.events}
        return TableView.model_validate(shown | extra)


@dataclass(slots=True)
class Verification:
    """Fold `steps` to the end, then read the counts. `first_wrong` is none when everything agrees.

    A match that other rules decided than those of this version is folded, and its hashes are checked; its deals and
    events are not, and their counts stay 0.
    """

    replay: Replay
    hashes_checked: int = 0
    deals_checked: int = 0
    events_checked: int = 0
    first_wrong: Wrong | None = None

    def steps(self) -> Iterator[Step]:
        """Every outcome in order, checked. Raises ValueError when the events do not make a match."""
        departure = self._departure()
        state: TableState | None = None
        version = folded = 0
        for outcome in self.replay.outcomes:
            for body in outcome.events:
                state = table.evolve(state, table.event_from_json(body))
            if state is None:
                raise ValueError(f"expected the table's opening first, got version {outcome.version}")
            version, folded = version + len(outcome.events), folded + len(outcome.events)
            wrong: list[Wrong] = []
            if outcome.version != version:
                wrong.append(Wrong(outcome.version, "version", str(version), str(outcome.version)))
                version = outcome.version
            if departure is not None and (departure.index < folded or outcome is self.replay.outcomes[-1]):
                wrong.append(Wrong(outcome.version, departure.what, departure.expected, departure.got))
                departure = None
            wrong += self._check_hash(outcome, state)
            if wrong and self.first_wrong is None:
                self.first_wrong = wrong[0]
            yield Step(outcome, state, tuple(wrong))

    def run(self) -> "Verification":
        """Folds to the end."""
        for _ in self.steps():
            pass
        return self

    def _departure(self) -> verification.Wrong | None:
        """The first event that does not follow from those before it."""
        if self.replay.rules_version != RULES_VERSION:
            return None
        events = [event for outcome in self.replay.outcomes for event in outcome.events]
        self.events_checked = len(events)
        self.deals_checked = sum(event.get("type") == RoundDealt.tag for event in events)
        return verification.verify_match(events, self._logged())

    def _logged(self) -> list[Logged]:
        """When the command of each event was logged; nothing for a replay of before outages were told in it."""
        outcomes = self.replay.outcomes
        if not all("given_back_ms" in outcome.model_fields_set for outcome in outcomes):
            return []
        return [Logged(outcome.at, outcome.given_back_ms) for outcome in outcomes for _ in outcome.events]

    def _check_hash(self, outcome: ReplayOutcome, state: TableState) -> list[Wrong]:
        if outcome.state_hash is None:
            return []
        self.hashes_checked += 1
        folded = table.state_hash(state)
        same = folded == outcome.state_hash
        return [] if same else [Wrong(outcome.version, "state hash", folded, outcome.state_hash)]
