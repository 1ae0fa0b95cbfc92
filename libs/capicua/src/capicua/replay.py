"""A finished match, folded again from its events: every recorded state hash and every deal is checked on the way."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from capicua.view import TableView
from contracts.api import Replay, ReplayOutcome
from domino_rules import table
from domino_rules.events import RoundDealt
from domino_rules.ruleset import Seat
from domino_rules.shuffle import Seeds, ShuffleMismatch, verify
from domino_rules.table import TableEvent, TableState
from domino_rules.table.events import RoundCommitted, SeedRevealed


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
    """Fold `steps` to the end, then read the counts. `first_wrong` is none when everything agrees."""

    replay: Replay
    hashes_checked: int = 0
    deals_checked: int = 0
    first_wrong: Wrong | None = None
    _deals: dict[int, RoundDealt] = field(default_factory=dict)
    _lots: dict[int, Seat] = field(default_factory=dict)
    _commitments: dict[int, str] = field(default_factory=dict)

    def steps(self) -> Iterator[Step]:
        """Every outcome in order, checked. Raises ValueError when the events do not make a match."""
        state: TableState | None = None
        version = 0
        for outcome in self.replay.outcomes:
            events = [table.event_from_json(body) for body in outcome.events]
            wrong: list[Wrong] = []
            for event in events:
                if state is not None:
                    wrong += self._check_deal(event, state, outcome.version)
                state = table.evolve(state, event)
            if state is None:
                raise ValueError(f"expected the table's opening first, got version {outcome.version}")
            version += len(events)
            if outcome.version != version:
                wrong.append(Wrong(outcome.version, "version", str(version), str(outcome.version)))
                version = outcome.version
            wrong += self._check_hash(outcome, state)
            if wrong and self.first_wrong is None:
                self.first_wrong = wrong[0]
            yield Step(outcome, state, tuple(wrong))

    def run(self) -> "Verification":
        """Folds to the end."""
        for _ in self.steps():
            pass
        return self

    def _check_hash(self, outcome: ReplayOutcome, state: TableState) -> list[Wrong]:
        if outcome.state_hash is None:
            return []
        self.hashes_checked += 1
        folded = table.state_hash(state)
        same = folded == outcome.state_hash
        return [] if same else [Wrong(outcome.version, "state hash", folded, outcome.state_hash)]

    def _check_deal(self, event: TableEvent, before: TableState, version: int) -> list[Wrong]:
        """The commitment comes before the deal, the seed after the round; then the deal, and the opener where a lot
        decided, must follow from both."""
        match event:
            case RoundCommitted():
                self._commitments[event.round] = event.commitment
            case RoundDealt():
                self._deals[event.round] = event
                if before.match.lot_decides:
                    self._lots[event.round] = event.opener
            case SeedRevealed() if event.round in self._deals:
                dealt = self._deals.pop(event.round)
                self.deals_checked += 1
                seeds = Seeds(bytes.fromhex(event.server_seed), self.replay.table_id, event.round, dealt.client_seeds)
                published, lot = self._commitments.get(event.round, "none"), self._lots.get(event.round)
                hand_size = before.table.ruleset.hand_size
                try:
                    verify(seeds, published, dealt.hands, dealt.boneyard, hand_size=hand_size, lot=lot)
                except ShuffleMismatch as mismatch:
                    return [Wrong(version, f"deal of round {event.round}", "as its seeds give", str(mismatch))]
            case _:
                pass
        return []
