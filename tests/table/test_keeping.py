"""A table that is over is kept as long as commands are, and then never comes back."""

import json

import pytest
from tests.table.tables import NOON, OUT, TABLE_ID, Table, dealt, decider, given, opened, play
from ulid import ULID

from bus.decider import Deadline
from bus.header import HEADER, Claim, Founding, pack
from bus.records import Record
from bus.shard import Shard
from contracts.envelope import Retired, TimeOut
from contracts.message import Message
from contracts.table import LeaveTable, NextRound, OpenTable, PassTurn, ReturnToSeat, SitDown
from contracts.table import Reservation as Reserved
from contracts.topics import BY_NAME, DAY_MS
from domino_rules.ruleset import Ruleset
from domino_rules.table import Expired, Finished, TableEvent, TableState, view_for
from domino_rules.table.events import TableExpired
from table.decider import Command, TableDecider
from table.keeping import Keeping

KEPT_MS = 30 * DAY_MS
HOUR_MS = 60 * 60 * 1000
OPEN = OpenTable(ruleset={"preset": "draw"}, seats=(Reserved(account="ann"), Reserved(account="bob")), region="eu")


def finished() -> Table:
    """The first tile of the match was its last, played in the very moment in which its turn began."""
    table = given(*dealt(OUT, ruleset=Ruleset.of("draw", 2, target=15)))
    return table.after(play("6-6", 1), by="ann", at=NOON)


def name(at: int) -> str:
    return str(ULID.from_bytes(at.to_bytes(6, "big") + bytes(10))).lower()


def test_a_table_that_is_over_has_the_deadline_of_its_retiring() -> None:
    assert BY_NAME["table.commands"].retention_ms == KEPT_MS
    retiring = Deadline("retire", "retire", NOON, NOON + KEPT_MS + DAY_MS)
    for state in (finished().state, given(*dealt(), TableExpired()).state):
        assert isinstance(state, Finished | Expired)
        assert decider.deadline(state) == retiring


def test_one_that_is_played_at_has_its_own_deadline_alone() -> None:
    state = given(*opened()).state
    assert state is not None
    assert decider.deadline(state) == Deadline("start", "start", NOON, NOON + 10_000)
    assert Keeping().deadline(state) is None


def test_nobody_at_a_table_sees_that_deadline() -> None:
    state = finished().state
    assert state is not None
    assert [view_for(state, seat)["deadline"] for seat in (None, 1, 2)] == [None, None, None]


def test_the_timer_retires_it() -> None:
    decision = finished().when_due().decision
    assert (decision.code, decision.retires, decision.events, decision.state) == ("accepted", True, (), None)


@pytest.mark.parametrize("command", [SitDown(), LeaveTable(), ReturnToSeat(), NextRound(round=1), PassTurn(turn=1)])
def test_any_later_command_finds_it_retired(command: Message) -> None:
    last = NOON + KEPT_MS + DAY_MS
    before = finished().when(command, by="ann", at=last).decision
    assert (before.code in ("table-over", "stale-turn"), before.retires) == (True, False)
    after = finished().when(command, by="ann", at=last + 1).decision
    assert (after.code, after.retires) == ("unknown-table", True)


def test_the_command_that_opened_it_is_refused_for_ever_however_late_it_comes_again() -> None:
    last = NOON + KEPT_MS + DAY_MS
    finished().when(OPEN, by="lobby", at=last).refused("table-exists")
    finding = finished().when(OPEN, by="lobby", at=last + 1)
    finding.refused("stale-id")
    assert finding.decision.retires
    given().when(OPEN, by="lobby", at=NOON + 10 * KEPT_MS).refused("stale-id")


@pytest.mark.parametrize(
    ("table_id", "code", "expected", "got"),
    [
        ("t1", "bad-id", "an id that says when it was made", "another name"),
        (TABLE_ID.upper(), "bad-id", "an id that says when it was made", "another name"),
        (name(NOON - KEPT_MS - 1), "stale-id", f"an id of {NOON - KEPT_MS} at the earliest",
         f"one of {NOON - KEPT_MS - 1}"),
        (name(NOON + HOUR_MS + 1), "bad-id", f"an id of {NOON + HOUR_MS} at the latest",
         f"one of {NOON + HOUR_MS + 1}"),
    ],
)  # fmt: skip
def test_an_id_must_say_a_time_that_is_not_long_past_and_not_to_come(
    table_id: str, code: str, expected: str, got: str
) -> None:
    refusal = given(table_id=table_id).when(OPEN, by="lobby", at=NOON).decision.refusal
    assert refusal is not None
    assert (refusal.code, refusal.expected, refusal.got) == (code, expected, got)


@pytest.mark.parametrize("at", [NOON - KEPT_MS, NOON, NOON + HOUR_MS])
def test_the_oldest_and_the_newest_good_ids_open_tables(at: int) -> None:
    assert given(table_id=name(at)).when(OPEN, by="lobby", at=NOON).decision.code == "accepted"


def test_no_id_outlives_the_table_that_was_opened_by_it() -> None:
    newest = given(table_id=name(NOON + HOUR_MS))
    newest.when(OPEN, by="lobby", at=NOON + KEPT_MS + DAY_MS + 1).refused("stale-id")


# ---- in a log


class Log:
    """One partition whose owner keeps tables for a second, and what it wrote."""

    def __init__(self) -> None:
        self.decider = TableDecider(Keeping(commands_ms=1000, margin_ms=100))
        self.shard: Shard[TableState, Command, TableEvent] = Shard(self.decider, 0, 1)
        self.records: list[Record] = []
        self.commands = 0
        for header in (Founding(b"l" * 16), Claim(b"o" * 16, 0)):
            self._append(b"", b"", pack(header))
            self.shard.restore(self.records[-1])

    def send(self, by: str, command: Message, at: int, command_id: str = "") -> str:
        """The code of the answer."""
        payload, number = command.model_dump(), self.commands
        envelope = {"id": command_id or f"c{number}", "principal": by, "aggregate": TABLE_ID, "command": payload}
        record = Record("table.commands", 0, number, at, TABLE_ID.encode(), json.dumps(envelope).encode(), ())
        self.commands += 1
        decided = self.shard.decide(record, at, at, bytes(32))
        self._append(decided.key, decided.value, pack(decided.header))
        return decided.code

    def deadline(self) -> Deadline:
        state = self.shard.aggregates[TABLE_ID].state
        assert state is not None
        deadline = self.decider.deadline(state)
        assert deadline is not None
        return deadline

    def _append(self, key: bytes, value: bytes, header: bytes) -> None:
        self.records.append(Record("table.events", 0, len(self.records), NOON, key, value, ((HEADER, header),)))

    def restored(self) -> Shard[TableState, Command, TableEvent]:
        shard: Shard[TableState, Command, TableEvent] = Shard(self.decider, 0, 1)
        for record in self.records:
            shard.restore(record)
        return shard


def test_a_whole_life_ends_with_nothing_in_memory_and_nothing_brings_it_back() -> None:
    log = Log()
    log.send("lobby", OPEN, NOON, "lobby.events:0:7:0")
    at, deadline = NOON, Deadline("start", "start", NOON, NOON)
    while log.shard.aggregates:
        deadline = log.deadline()
        at = deadline.due_at + 1
        log.send("timer", _time_out(deadline), at, f"timeout:{TABLE_ID}:{deadline.ref}:1")
    last = json.loads(log.records[-1].value or b"")
    assert (last["events"], last["version"]) == ([Retired().model_dump()], 0)
    assert log.send("timer", _time_out(deadline), at + 1, f"timeout:{TABLE_ID}:retire:1") == "not-current"
    assert log.send("lobby", OPEN, at + 2, "lobby.events:0:7:0") == "stale-id"
    assert log.send("ann", SitDown(), at + 3) == "unknown-table"
    for shard in (log.shard, log.restored()):
        assert (shard.aggregates, shard.digest, shard.alarms) == ({}, 0, [])


def _time_out(deadline: Deadline) -> Message:
    return TimeOut(kind=deadline.kind, ref=deadline.ref)
