import json
import struct
from dataclasses import replace
from typing import Any

import pytest
from tests.capicua.server.audit.scribe import ADDED, NOON, Scribe
from tests.capicua.server.audit.test_tables import ID, written

from bus.outages import Outage, Outages
from bus.records import Record
from bus.snapshots.marker import Marker
from bus.snapshots.records import chunks_of
from bus.validity import Validity
from capicua.server.audit import Auditor, Report
from domino_rules import table
from domino_rules.table import TableState


def audited(log: Scribe, *beside: Record) -> Report:
    auditor = Auditor()
    for record in (*beside, *log.commands, *log.events):
        auditor.take(record)
    return auditor.finish()


def causes(log: Scribe, *beside: Record) -> list[str]:
    return [violation.cause.value for violation in audited(log, *beside).violations]


def beside(log: Scribe, kind: str, key: bytes, value: bytes | None) -> Record:
    return Record(log.topic.replace("events", kind), log.partition, 0, NOON, key, value, ())


def marker(log: Scribe, **wrong: Any) -> Record:
    """Of the log as it stands."""
    said = {
        "log_id": b"l" * 16,
        "claim_offset": log.claim_offset,
        "owner": log.owner,
        "next_command": log.next_command,
        "outages": Outages(),
    }
    validity = Validity(**{**said, **{name: value for name, value in wrong.items() if name in said}})
    position = wrong.get("position", len(log.events))
    packed = Marker(position, validity, wrong.get("digest", log.digest), None, 0, 0, "1", 1)
    return beside(log, "markers", packed.key(0), packed.pack())


def snapshot(log: Scribe, aggregate: str, as_of: int, version: int, state: Any = None) -> list[Record]:
    content = struct.pack(">Q", version) + json.dumps({"state": state, "answers": {}}).encode()
    return [beside(log, "snapshots", key, value) for key, value in chunks_of(aggregate, 1, as_of, content)]


def begun() -> Scribe:
    log = Scribe().begin()
    log.outcome(events=[ADDED])
    return log


def test_a_marker_that_says_what_the_log_says_is_as_it_should_be() -> None:
    log = begun()
    middle = marker(log)
    log.outcome(events=[ADDED])
    log.claim()
    report = audited(log, middle, marker(log))
    assert report.clean, report.violations
    assert report.markers == 2


@pytest.mark.parametrize(
    "wrong",
    [
        {"digest": 1},
        {"next_command": 2},
        {"claim_offset": 0},
        {"owner": b"x" * 16},
        {"log_id": b"x" * 16},
        {"outages": Outages(NOON, (Outage(NOON, NOON + 4_000),))},
    ],
    ids=lambda wrong: next(iter(wrong)),
)
def test_a_marker_that_says_something_else_is_told(wrong: dict[str, Any]) -> None:
    log = begun()
    assert causes(log, marker(log, **wrong)) == ["marker-mismatch"]


def test_a_marker_tells_the_outages_before_it() -> None:
    log = begun()
    begin, log.now = log.now, log.now + 3_001
    log.claim()
    assert causes(log, marker(log, outages=Outages(log.now, (Outage(begin, log.now),)))) == []
    assert causes(log, marker(log)) == ["marker-mismatch"]


def test_a_marker_behind_the_end_of_the_log_is_told() -> None:
    log = begun()
    assert causes(log, marker(log, position=9)) == ["marker-ahead"]


def test_a_log_without_its_beginning_is_judged_by_a_marker_from_there_on() -> None:
    log = begun()
    middle = marker(log)
    log.outcome(events=[ADDED])
    log.outcome(events=[ADDED])
    log.events, log.commands = log.events[3:], log.commands[1:]
    assert causes(log, middle) == ["missing-start"]
    log.digest ^= 1
    log.outcome(events=[ADDED])
    assert causes(log, middle) == ["missing-start", "digest-mismatch"]


def test_what_is_no_snapshot_and_no_marker_is_counted() -> None:
    log = begun()
    good = snapshot(log, "a", 2, 1)[0]
    damaged = replace(good, value=(good.value or b"")[:-1])
    report = audited(log, damaged, replace(damaged, key=b"?"), beside(log, "markers", b"0@1", b"?"))
    assert report.clean
    assert (report.snapshots, report.markers, report.snapshots_unreadable) == (0, 0, 3)
    empty = (beside(log, "markers", b"0@1", None), replace(good, value=None), replace(good, value=b""))
    assert audited(log, *empty).snapshots_unreadable == 0


def test_a_snapshot_of_another_version_is_told() -> None:
    log = begun()
    log.outcome(events=[ADDED])
    assert causes(log, *snapshot(log, "a", 2, 1), *snapshot(log, "a", 3, 2)) == []
    assert causes(log, *snapshot(log, "a", 2, 2)) == ["snapshot-mismatch"]


def test_a_snapshot_as_of_an_outcome_that_does_not_count_is_told() -> None:
    log = begun()
    log.outcome(events=[ADDED], header={"command_offset": 0}, counts=False, command=False)
    assert causes(log, *snapshot(log, "a", 3, 2)) == ["snapshot-mismatch"]


def at_round_end() -> tuple[Scribe, int, TableState]:
    """A table's log, the offset of an outcome in it, and the table after that."""
    log = written()
    state: TableState | None = None
    for record in log.events[: (offset := 40) + 1]:
        for event in json.loads(record.value or b"{}").get("events", ()):
            state = table.evolve(state, table.event_from_json(event))
    assert state is not None
    return log, offset, state


def versions(log: Scribe, offset: int) -> int:
    return sum(len(json.loads(record.value or b"{}").get("events", ())) for record in log.events[: offset + 1])


def test_the_snapshot_of_a_table_is_the_table_as_the_log_has_it() -> None:
    log, offset, state = at_round_end()
    right = table.to_json(state)
    assert causes(log, *snapshot(log, ID, offset, versions(log, offset), right)) == []
    wrong = {**right, "match": {**right["match"], "scores": [9, 9]}}
    assert causes(log, *snapshot(log, ID, offset, versions(log, offset), wrong)) == ["snapshot-mismatch"]


def test_a_snapshot_in_chunks_is_put_together_again() -> None:
    log = begun()
    chunks = snapshot(log, "a", 2, 2, "x" * 1_200_000)
    assert len(chunks) == 3
    assert causes(log, *chunks[:2]) == []
    assert causes(log, *reversed(chunks)) == ["snapshot-mismatch"]
