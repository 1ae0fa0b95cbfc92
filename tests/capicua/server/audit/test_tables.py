import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.capicua.server.audit.scribe import Scribe
from tests.domino_rules.table.lives import KINDS, Kind, life_of, whole_life

from bus.decider import Deadline
from capicua.server.audit import Known, TableHash
from domino_rules import MatchEnded, RoundEnded, table
from domino_rules.table import TableState

ID = "table-1"


def due_of(state: TableState | None) -> Deadline | None:
    due = None if state is None else table.deadline(state)
    return None if due is None else Deadline(*due)


def written(kind: Kind | None = None, seed: int = 1) -> Scribe:
    """A whole table's log, as the table's decider writes it."""
    log = Scribe("table.events").begin()
    for step in life_of(kind, seed) if kind else whole_life("draw", 2, seed):
        before, after = due_of(step.before), due_of(step.after)
        log.now = step.now
        if before is not None and after is not None and before.ref == after.ref:
            log.now = min(step.now, before.due_at)  # what comes later would have brought the timeout first
        body: dict[str, Any] = {}
        if step.refusal is not None:
            body["refusal"] = {"code": step.refusal.reason.value, "message": ""}
        if any(isinstance(event, RoundEnded | MatchEnded) for event in step.events):
            assert step.after is not None
            body["state_hash"] = table.state_hash(step.after)
        log.outcome(ID, [event.to_json() for event in step.events], deadline=after, **body)
    return log


def edited(log: Scribe, tag: str, edit: Callable[[dict[str, Any]], None]) -> Scribe:
    """The log with its first event of that kind changed."""
    for number, record in enumerate(log.events):
        body = json.loads(record.value or b"{}")
        for target in body.get("events", ()):
            if target["type"] == tag:
                edit(target)
                value = json.dumps(body).encode()
                log.events[number] = type(record)(*record_fields(record, value))
                return log
    raise AssertionError(tag)


def record_fields(record: Any, value: bytes) -> tuple[Any, ...]:
    return (record.topic, record.partition, record.offset, record.timestamp, record.key, value, record.headers)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_a_tables_whole_life_is_clean_and_leaves_its_last_hash(kind: Kind) -> None:
    hashes: list[TableHash] = []
    log = written(kind)
    report = log.report(Known(settled=True), hashes.append)
    assert report.clean, report.violations
    assert report.tables_over == 1
    assert report.hashes_checked >= report.deals_checked >= 1
    last = life_of(kind, 1)[-1].after
    assert last is not None
    assert hashes == [TableHash(ID, log.versions[ID], "finished", table.state_hash(last))]


def test_a_table_in_play_leaves_the_hash_of_its_last_state() -> None:
    hashes: list[TableHash] = []
    log = written()
    log.events = log.events[: len(log.events) // 2]
    assert log.report(on_hash=hashes.append, commands=False).clean
    assert [found.status for found in hashes] in (["playing"], ["pausing"])


def test_a_state_hash_of_another_state_is_told() -> None:
    log = written()
    number = next(n for n, record in enumerate(log.events) if b"state_hash" in (record.value or b""))
    record = log.events[number]
    body = json.loads(record.value or b"")
    log.events[number] = type(record)(*record_fields(record, json.dumps({**body, "state_hash": "0" * 64}).encode()))
    assert log.causes() == ["state-hash-mismatch"]
    del body["state_hash"]
    log.events[number] = type(record)(*record_fields(record, json.dumps(body).encode()))
    assert log.causes() == ["state-hash-missing"]


def test_an_event_that_was_changed_shows_in_the_next_state_hash() -> None:
    def give_points(event: dict[str, Any]) -> None:
        event["scores"] = [score + 1 for score in event["scores"]]

    assert edited(written(), "round-ended", give_points).causes()[0] == "state-hash-mismatch"


def test_a_deal_without_all_28_tiles_is_told() -> None:
    def lose_a_tile(event: dict[str, Any]) -> None:
        event["boneyard"] = event["boneyard"].rpartition(" ")[0]

    def double_a_tile(event: dict[str, Any]) -> None:
        event["boneyard"] = " ".join([*event["boneyard"].split()[:-1], event["hands"][0].split()[0]])

    for edit in (lose_a_tile, double_a_tile):
        report = edited(written(), "round-dealt", edit).report()
        assert report.violations[0].cause.value == "tiles"
        assert "-" not in report.violations[0].got


def test_a_tile_that_was_played_from_nowhere_is_told() -> None:
    log = written()
    tiles: list[str] = []
    edited(log, "round-dealt", lambda event: tiles.extend(event["boneyard"].split()))
    assert "tiles" in edited(log, "tile-played", lambda event: event.update(tile=tiles[0])).causes()


def test_a_deadline_that_is_not_the_tables_is_told() -> None:
    log = Scribe("table.events").begin()
    step = whole_life("draw", 2, 1)[0]
    log.now = step.now
    due = due_of(step.after)
    assert due is not None
    log.outcome(ID, [event.to_json() for event in step.events], deadline=Deadline(due.kind, "other", *due_times(due)))
    assert log.causes() == ["deadline-wrong"]


def due_times(due: Deadline) -> tuple[int, int]:
    return due.set_at, due.due_at


def test_a_table_under_another_tables_key_is_told() -> None:
    log = Scribe("table.events").begin()
    step = whole_life("draw", 2, 1)[0]
    log.now = step.now
    log.outcome("table-2", [event.to_json() for event in step.events], deadline=due_of(step.after))
    assert log.causes() == ["header-and-body"]


def test_events_that_do_not_fold_are_told_once() -> None:
    log = Scribe("table.events").begin()
    for _ in range(2):
        log.outcome(ID, [{"type": "turn-timed-out", "turn": 1, "seat": 1}])
    assert log.causes() == ["fold-failed"]


def test_an_event_of_a_later_version_ends_the_folding_of_its_table_only() -> None:
    log = Scribe("table.events").begin()
    for _ in range(2):
        log.outcome(ID, [{"type": "confetti-thrown"}])
    report = log.report()
    assert report.clean, report.violations
    assert dict(report.unknown_events) == {"confetti-thrown": 1}


def test_a_table_that_is_over_answers_and_changes_no_more() -> None:
    log = written()
    log.outcome(ID, refusal={"code": "table-over", "message": ""})
    assert log.report().clean
    log.outcome(ID, [{"type": "player-left", "seat": 1}])
    assert log.causes() == ["changed-after-end"]
    log.outcome(ID, deadline=Deadline("turn", "turn-1", 0, 1), refusal={"code": "table-over", "message": ""})
    assert log.causes() == ["changed-after-end", "deadline-changed"]


def test_nothing_that_is_told_holds_a_hand_or_a_seed() -> None:
    log = edited(written(), "round-dealt", lambda event: event["hands"].reverse())
    text = str(log.report().to_json())
    seeds = [event["server_seed"] for event in events_of(log) if event["type"] == "round-committed"]
    hands = [hand for event in events_of(log) if event["type"] == "round-dealt" for hand in event["hands"]]
    assert not log.report().clean
    assert not any(secret in text for secret in (*seeds, *hands))


def events_of(log: Scribe) -> list[dict[str, Any]]:
    return [event for record in log.events for event in json.loads(record.value or b"{}").get("events", ())]
