"""The one deadline of a table: that of its turn, pause or start, or that of its expiry where it comes first."""

from __future__ import annotations

from typing import Final, NamedTuple

from domino_rules.table.state import Pausing, Playing, Table, TableState, Turn, Waiting

START_MS: Final = 10_000
"""How long an opened table waits for all to sit down."""

AUTOPILOT_MS: Final = 2_000
"""How long after its turn began the autopilot acts."""

EXPIRY: Final = "expiry"
EXPIRY_MS: Final = 24 * 60 * 60 * 1000
"""A table at which no person did anything for so long expires."""

PERSON_ACTED_MS: Final = 60_000
"""A person's commands are noted in the log no more often than this, so that a table may live for so much longer."""


class TableDeadline(NamedTuple):
    """What falls due when. `ref` is unique among the deadlines of a table; times are log milliseconds."""

    kind: str
    ref: str
    set_at: int
    due_at: int


def deadline(state: TableState) -> TableDeadline | None:
    """The next thing that happens by itself, or none when the table is over."""
    due, expiry = _own_deadline(state), _expiry(state.table)
    return due if due is None or due.due_at <= expiry.due_at else expiry


def _own_deadline(state: TableState) -> TableDeadline | None:
    match state:
        case Waiting():
            return TableDeadline("start", "start", state.table.opened_at, state.due_at)
        case Pausing():
            return TableDeadline("pause", f"pause-{state.match.round_number}", state.set_at, state.due_at)
        case Playing(turn=Turn() as turn):
            return TableDeadline(turn.kind, turn_ref(turn), turn.set_at, turn.due_at)
        case _:
            return None


def _expiry(table: Table) -> TableDeadline:
    since = table.person_acted_at
    return TableDeadline(EXPIRY, f"{EXPIRY}-{since}", since, since + EXPIRY_MS + PERSON_ACTED_MS)


def turn_ref(turn: Turn) -> str:
    """`turn-17`, `clock-17` or `autopilot-17`; `turn-17-2` when the timer of the same turn is set a second time."""
    again = "" if turn.arming == 1 else f"-{turn.arming}"
    return f"{turn.kind}-{turn.number}{again}"


def turn_of_ref(ref: str) -> int | None:
    """The turn's number in such a reference, or none in another one."""
    parts = ref.split("-")
    return int(parts[1]) if parts[0] in ("turn", "autopilot", "clock") and len(parts) > 1 else None
