"""Snapshots and markers, held against the fold of the log that they claim to be a short cut for."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bus.records import Record, TopicPartition
from bus.snapshots.marker import Marker
from bus.snapshots.records import RecordKey, UnreadableSnapshot, split_version, unseal
from capicua.server.audit.judge import Judge
from capicua.server.audit.over import fingerprint
from capicua.server.audit.report import Cause, Report
from capicua.server.audit.silence import Silence
from domino_rules import table
from domino_rules.table import TableState

TABLES = "table.events"


class Placed(NamedTuple):
    """A marker, and the offset of its record."""

    offset: int
    marker: Marker


class Held(NamedTuple):
    """What a snapshot says of an aggregate at an event offset; `state` is a fingerprint, of tables only."""

    offset: int
    aggregate: str
    version: int
    state: int | None


@dataclass(slots=True)
class Snapshots:
    """Those of the event partition `source`; they must be taken before its records. A snapshot may be missing, damaged,
    or of a later version: what cannot be read is counted. What can be read must be true, whoever wrote it."""

    source: TopicPartition
    report: Report
    markers: dict[int, list[Placed]] = field(default_factory=dict)
    states: dict[tuple[str, int], list[Held]] = field(default_factory=dict)
    chunks: dict[bytes, dict[int, bytes]] = field(default_factory=dict)

    # ---- reading

    def marker(self, record: Record) -> None:
        if record.value is None:
            return
        try:
            marker = Marker.unpack(record.value)
            if type(marker.position) is not int:
                raise UnreadableSnapshot("expected a position")
        except UnreadableSnapshot:
            self.report.snapshots_unreadable += 1
            return
        self.report.markers += 1
        self.markers.setdefault(marker.position, []).append(Placed(record.offset, marker))

    def record(self, record: Record) -> None:
        """An empty one only keeps the topic's end in reach."""
        if not record.value:
            return
        try:
            key = RecordKey.unpack(record.key or b"")
            value = self._whole(key, record.value)
            if value is None:
                return
            version, content = split_version(unseal(value))
            state = self._state(content)
        except Exception:  # noqa: BLE001 - whatever a state of somebody else's makes the rules raise
            self.report.snapshots_unreadable += 1
            return
        self.report.snapshots += 1
        held = Held(record.offset, key.aggregate, version, state)
        self.states.setdefault((key.aggregate, key.as_of), []).append(held)

    def _whole(self, key: RecordKey, value: bytes) -> bytes | None:
        """The value once all chunks of it are there."""
        if key.chunks == 1:
            return value
        name = key._replace(chunk=0).pack()
        held = self.chunks.setdefault(name, {})
        held[key.chunk] = value
        if len(held) < key.chunks:
            return None
        return b"".join(chunk for _, chunk in sorted(self.chunks.pop(name).items()))

    def _state(self, content: bytes) -> int | None:
        if self.source.topic != TABLES:
            return None
        state = json.loads(content)["state"]
        return None if state is None else _fingerprint(table.to_json(table.from_json(state)))

    # ---- checking

    def take_markers(self, position: int) -> list[Placed]:
        """Those that describe the log just before `position`."""
        return self.markers.pop(position, []) if self.markers else []

    def check_marker(
        self, placed: Placed, judge: Judge, silence: Silence, log_id: bytes | None, digest: int | None
    ) -> int | None:
        """The digest to go on with. Where the log's beginning is missing there is nothing to hold against the marker:
        then it is believed."""
        marker = placed.marker
        said = marker.validity
        if digest is None:
            judge.adopt(said.claim_offset, said.owner, said.next_command)
            return marker.digest
        claim = judge.newest if judge.newest is not None else -1
        for what, expected, got in (
            ("log id", log_id, said.log_id),
            ("claim", (claim, judge.claims.get(claim, b"").hex()), (said.claim_offset, said.owner.hex())),
            ("next command", judge.next_command, said.next_command),
            ("digest", digest, marker.digest),
            ("outages", silence.of_a_day(), [tuple(outage) for outage in said.outages.known]),
        ):
            if expected != got:
                self._tell(Cause.MARKER_MISMATCH, placed.offset, "", f"{what} {expected!r}", got, "markers")
        return digest

    def check_state(self, aggregate: str, offset: int, version: int, state: TableState | None) -> None:
        """After the outcome at `offset`; `state` is None where it is not known."""
        for held in self.states.pop((aggregate, offset), ()) if self.states else ():
            if held.version != version:
                self._tell(Cause.SNAPSHOT_MISMATCH, held.offset, aggregate, f"version {version}", held.version)
            elif state is not None and held.state is not None and held.state != _fingerprint(table.to_json(state)):
                expected = f"the state that the log has at {offset}"
                self._tell(Cause.SNAPSHOT_MISMATCH, held.offset, aggregate, expected, "another one")

    def end(self, position: int) -> None:
        """The log ends at `position`."""
        for where, placed in self.markers.items():
            if where > position:
                for each in placed:
                    self._tell(Cause.MARKER_AHEAD, each.offset, "", f"at most {position}", where, "markers")
        for (aggregate, as_of), helds in self.states.items():
            for held in helds:
                expected = f"an outcome of its aggregate at {as_of}"
                self._tell(Cause.SNAPSHOT_MISMATCH, held.offset, aggregate, expected, "none that counts")

    def _tell(
        self, cause: Cause, offset: int, aggregate: str, expected: object, got: object, kind: str = "snapshots"
    ) -> None:
        topic = f"{self.source.topic.removesuffix('.events')}.{kind}"
        self.report.add(cause, TopicPartition(topic, self.source.partition), offset, aggregate, expected, got)


def _fingerprint(state: Mapping[str, Any]) -> int:
    return fingerprint(json.dumps(state, sort_keys=True, separators=(",", ":")))
