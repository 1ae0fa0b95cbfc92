"""The fold of one partition's tables, and which of them the live cache does not hold yet. No I/O."""

import logging
from dataclasses import dataclass

from bus import telemetry
from bus.outcomes import Outcome
from contracts.envelope import OutcomeBody
from contracts.lifecycle import LifecycleMessage, Source
from domino_rules import table
from domino_rules.events import UnknownEvent
from domino_rules.table import Expired, Finished, TableState
from table.projector.lifecycle import fact_of

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Projected:
    """A table after the outcome at `offset`; `at` is that command's log time."""

    state: TableState
    version: int
    offset: int
    at: int

    @property
    def over(self) -> bool:
        return isinstance(self.state, Finished | Expired)


class PartitionTables:
    """All live tables of a partition. One that is over stays until it is cached, or is forgotten at once when its end
    lies below `committed`: it was cached then."""

    def __init__(self, committed: int) -> None:
        self._committed = committed
        self._live: dict[str, Projected] = {}
        self._dirty: dict[str, None] = {}
        self._unreadable: set[str] = set()

    def __len__(self) -> int:
        return len(self._live)

    def take(self, outcome: Outcome, body: OutcomeBody) -> list[LifecycleMessage]:
        """Folds a valid outcome and returns the facts in it. A table that cannot be folded is passed over until it is
        retired; of any other one the end was the last that mattered here."""
        table_id, header = outcome.aggregate, outcome.header
        if header.retires:
            self._unreadable.discard(table_id)
            return []
        if not body.events or table_id in self._unreadable:
            return []
        known = self._live.get(table_id)
        version = known.version if known is not None else 0
        try:
            if header.from_version != version:
                raise ValueError(f"expected version {version}, got {header.from_version}")
            state, facts = self._fold(known, outcome, body)
        except Exception as error:  # noqa: BLE001 - one table's trouble is not its neighbours'
            self._give_up(outcome, error)
            return []
        self._keep(table_id, Projected(state, header.to_version, outcome.offset, body.at))
        return facts

    def _fold(
        self, known: Projected | None, outcome: Outcome, body: OutcomeBody
    ) -> tuple[TableState, list[LifecycleMessage]]:
        state = known.state if known is not None else None
        source = Source(partition=outcome.source.partition, offset=outcome.offset)
        facts: list[LifecycleMessage] = []
        for payload in body.events:
            event = table.event_from_json(payload)
            state = table.evolve(state, event)
            fact = fact_of(event, state, source, body.at)
            if fact is not None:
                facts.append(fact)
        assert state is not None
        return state, facts

    def _keep(self, table_id: str, projected: Projected) -> None:
        if projected.over and projected.offset < self._committed:
            self._live.pop(table_id, None)
            self._dirty.pop(table_id, None)
            return
        self._live[table_id] = projected
        self._dirty[table_id] = None

    def _give_up(self, outcome: Outcome, error: Exception) -> None:
        """Says which table and where, and for a table of a newer version which tag; never a value of its events."""
        why = f"unknown event {error.tag}" if isinstance(error, UnknownEvent) else type(error).__name__
        log.error("table %s is passed over at %s:%d:%d: %s", outcome.aggregate, *outcome.source, outcome.offset, why)
        telemetry.alarms.add(1, {"kind": "table-unreadable"})
        self._unreadable.add(outcome.aggregate)
        self._live.pop(outcome.aggregate, None)
        self._dirty.pop(outcome.aggregate, None)

    # ---- what the cache lacks

    def dirty(self) -> list[tuple[str, Projected]]:
        """The tables that the cache may not hold as they are, those that wait longest first."""
        return [(table_id, self._live[table_id]) for table_id in self._dirty]

    def cached(self, table_id: str, projected: Projected) -> None:
        """The cache holds this state or a newer one. A table that is over needs no memory any more."""
        if self._live.get(table_id) is not projected:
            return
        self._dirty.pop(table_id, None)
        if projected.over:
            del self._live[table_id]

    def all_dirty(self) -> None:
        """The cache has lost everything."""
        self._dirty = dict.fromkeys(self._live)
