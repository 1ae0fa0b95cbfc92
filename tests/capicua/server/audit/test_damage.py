"""Whatever bytes a log holds, the audit comes to its end; and a damaged outcome is never taken for a good one."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.capicua.server.audit.scribe import ADDED, NOON, Scribe
from tests.capicua.server.audit.test_tables import written

from bus.header import HEADER, Claim
from bus.records import Record
from capicua.server.audit import Auditor, Report
from capicua.server.audit.command import lines

TOPICS = st.sampled_from([f"table.{kind}" for kind in ("events", "commands", "markers", "snapshots")])
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
WHOLE = written()
SOME = settings(max_examples=40)  # each reads a whole match


def audited(*records: Record) -> Report:
    auditor = Auditor()
    for record in records:
        auditor.take(record)
    report = auditor.finish()
    json.dumps(report.to_json())
    "\n".join(lines(report)).encode()
    return report


@given(st.lists(st.tuples(TOPICS, st.binary(max_size=80), st.binary(max_size=80), st.binary(max_size=80)), max_size=20))
def test_records_of_any_bytes_are_no_outcomes(found: list[tuple[str, bytes, bytes, bytes]]) -> None:
    report = audited(
        *(
            Record(topic, 0, offset, NOON, key, value, ((HEADER, header),))
            for offset, (topic, key, value, header) in enumerate(found)
        )
    )
    assert report.valid == 0


FIELDS = ("command_id", "principal", "aggregate", "version", "at", "events", "refusal", "fault", "duplicate_of")


@SOME
@given(st.integers(2, len(WHOLE.events) - 1), st.sampled_from([*FIELDS, "state_hash"]), JUNK)
def test_a_field_that_holds_anything_at_all_is_borne(offset: int, field: str, junk: Any) -> None:
    events = list(WHOLE.events)
    body = json.loads(events[offset].value or b"")
    events[offset] = replace(events[offset], value=json.dumps({**body, field: junk}).encode())
    assert audited(*WHOLE.commands, *events).valid == len(WHOLE.events) - 2


@SOME
@given(st.integers(2, len(WHOLE.events) - 1), st.data())
def test_an_event_that_holds_anything_at_all_is_borne(offset: int, data: st.DataObject) -> None:
    events = list(WHOLE.events)
    body = json.loads(events[offset].value or b"")
    for event in body["events"]:
        event[data.draw(st.sampled_from(sorted(event)))] = data.draw(JUNK)
    events[offset] = replace(events[offset], value=json.dumps(body).encode())
    audited(*WHOLE.commands, *events)


@SOME
@given(st.integers(2, len(WHOLE.events) - 1), st.integers(0, 60), st.integers(1, 255))
def test_a_flipped_header_is_found(offset: int, at: int, flip: int) -> None:
    """Whichever field it hits: the outcome is void, or something of it does not fit."""
    events = list(WHOLE.events)
    header = bytearray(events[offset].headers[0][1])
    header[at % len(header)] ^= flip
    events[offset] = replace(events[offset], headers=((HEADER, bytes(header)),))
    report = audited(*WHOLE.commands, *events)
    assert not report.clean or report.void


@pytest.mark.parametrize("lost", range(2, len(WHOLE.events) - 1, 17))
def test_a_lost_outcome_is_found(lost: int) -> None:
    """As if it had never been appended: all that follows is void, and its commands wait."""
    kept = WHOLE.events[:lost] + [replace(record, offset=record.offset - 1) for record in WHOLE.events[lost + 1 :]]
    report = audited(*WHOLE.commands, *kept)
    assert report.waiting == sum(report.void.values()) + 1 == len(WHOLE.events) - lost


def test_what_a_stranger_calls_its_aggregate_does_nothing_to_a_terminal() -> None:
    log = Scribe().begin()
    log.outcome("\x1b[2Jbell\a", [ADDED], header={"digest": 1})
    (violation,) = audited(*log.events).violations
    assert "\x1b" not in str(violation)
    assert "?[2Jbell?" in str(violation)


def test_a_strangers_claim_costs_the_owner_its_claim_and_nothing_else() -> None:
    log = Scribe().begin()
    log.outcome(events=[ADDED])
    log.put(Claim(b"stranger".ljust(16), 0))
    log.outcome(events=[ADDED], counts=False, command=False)
    log.claim()
    log.outcome(events=[ADDED])
    assert log.void() == {"zombie-claim": 1}
