"""Writes a decider's two topics by hand, right in everything unless a test says otherwise."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from bus.decider import Deadline
from bus.header import HEADER, Claim, CommandsSkipped, EventHeader, Founding, Heartbeat, OutcomeHeader, pack
from bus.records import Record, TopicPartition
from capicua.server.audit import Auditor, Known, Report
from capicua.server.audit.aggregates import OnHash

NOON = 1_700_000_000_000
MISSING: Any = object()


def share(aggregate: str, version: int) -> int:
    if version == 0:
        return 0
    return int.from_bytes(hashlib.blake2b(f"{aggregate}\n{version}".encode(), digest_size=8).digest(), "big")


@dataclass
class Scribe:
    """`now` moves by hand. Every outcome writes its command too, at the same time, unless `command` is False."""

    topic: str = "tally.events"
    partition: int = 0
    now: int = NOON
    events: list[Record] = field(default_factory=list)
    commands: list[Record] = field(default_factory=list)
    versions: dict[str, int] = field(default_factory=dict)
    standing: dict[str, Deadline | None] = field(default_factory=dict)
    digest: int = 0
    claim_offset: int = -1
    owner: bytes = b""
    claims: int = 0
    next_command: int = 0

    @property
    def source(self) -> TopicPartition:
        return TopicPartition(self.topic, self.partition)

    # ---- protocol records

    def begin(self) -> "Scribe":
        """Founded and claimed."""
        self.put(Founding(b"l" * 16))
        self.claim()
        return self

    def claim(self) -> None:
        self.claims += 1
        self.owner = self.claims.to_bytes(16, "big")
        self.claim_offset = self.put(Claim(self.owner, self.next_command))

    def beat(self, owner: bytes | None = None) -> None:
        self.put(Heartbeat(self.owner if owner is None else owner))

    def skip(self, first: int, last: int) -> None:
        self.put(CommandsSkipped(first, last, "by hand"))
        self.next_command = last + 1

    def put(self, header: EventHeader, key: bytes | None = None, value: bytes = b"") -> int:
        return self.put_raw(((HEADER, pack(header)),), key, value)

    def put_raw(
        self, headers: tuple[tuple[str, bytes], ...], key: bytes | None = None, value: bytes = b"", **how: Any
    ) -> int:
        offset: int = how.pop("offset", self.events[-1].offset + 1 if self.events else 0)
        self.events.append(Record(self.topic, self.partition, offset, self.now, key, value, headers, **how))
        return offset

    # ---- commands and outcomes

    def command(
        self, aggregate: str = "a", command_id: str | None = None, principal: str = "ann", offset: int | None = None
    ) -> int:
        at = len(self.commands) if offset is None else offset
        body = {"id": command_id or f"c-{at}", "principal": principal, "aggregate": aggregate, "command": {}}
        topic = self.topic.replace(".events", ".commands")
        value = json.dumps(body).encode()
        self.commands.append(Record(topic, self.partition, at, self.now, aggregate.encode(), value, ()))
        return at

    def outcome(
        self,
        aggregate: str = "a",
        events: Iterable[dict[str, Any]] = (),
        *,
        header: dict[str, Any] | None = None,
        deadline: Deadline | None = MISSING,
        key: str | None = None,
        value: bytes | None = None,
        command: bool = True,
        counts: bool = True,
        **body: Any,
    ) -> int:
        """A valid outcome; `header` and `body` replace single fields, and `counts` False says that it will be void."""
        happened = list(events)
        version = self.versions.get(aggregate, 0)
        after = version + len(happened)
        command_id = body.get("command_id", f"c-{self.next_command}")
        if command:
            self.command(aggregate, command_id, body.get("principal", "ann"), self.next_command)
        due = self.standing.get(aggregate) if deadline is MISSING else deadline
        fields = {
            "claim_offset": self.claim_offset,
            "owner": self.owner,
            "command_offset": self.next_command,
            "from_version": version,
            "to_version": after,
            "digest": self.digest ^ share(aggregate, version) ^ share(aggregate, after),
            "deadline": due,
            "trace": None,
            **(header or {}),
        }
        written = {
            "command_id": command_id,
            "principal": "ann",
            "aggregate": aggregate,
            "version": after,
            "at": self.now,
            "decided_at": self.now,
            "rules_version": "1",
            "events": happened,
            **body,
        }
        if counts:
            self.versions[aggregate] = fields["to_version"]
            self.digest = fields["digest"]
            self.standing[aggregate] = fields["deadline"]
            self.next_command = fields["command_offset"] + 1
        name = (aggregate if key is None else key).encode()
        return self.put(OutcomeHeader(**fields), name, json.dumps(written).encode() if value is None else value)

    # ---- what the audit says

    def report(self, known: Known | None = None, on_hash: OnHash | None = None, *, commands: bool = True) -> Report:
        auditor = Auditor(known, on_hash=on_hash)
        for record in (*(self.commands if commands else ()), *self.events):
            auditor.take(record)
        return auditor.finish()

    def causes(self, known: Known | None = None) -> list[str]:
        """The cause of each violation, in order."""
        return [violation.cause.value for violation in self.report(known).violations]

    def void(self) -> dict[str, int]:
        report = self.report()
        assert report.clean, report.violations
        return {why.value: count for why, count in report.void.items()}


ADDED = {"type": "added", "number": 1}


def alarm(number: int = 0, at: int = NOON, length: int = 1000) -> Deadline:
    return Deadline("alarm", f"alarm-{number}", at, at + length)


def timeout(ref: str, aggregate: str = "a", attempt: int = 1) -> dict[str, Any]:
    """The fields by which an outcome is a timeout's."""
    return {"principal": "timer", "command_id": f"timeout:{aggregate}:{ref}:{attempt}"}
