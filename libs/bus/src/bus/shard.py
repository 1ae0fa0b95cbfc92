"""One partition of a decider as plain state: the fold of its event log, and the next decision. No I/O, no awaits."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Generic

from pydantic_core import to_json

from bus import digest
from bus.aggregate import Aggregate
from bus.decider import C, Decider, E, S
from bus.header import OutcomeHeader, TraceParent
from bus.judging import Decision, context_of, judge
from bus.outcomes import MalformedBody, Outcome, PartitionFold
from bus.partitioning import partition_of
from bus.records import Record, TopicPartition
from bus.snapshots.marker import Marker
from contracts.envelope import CommandEnvelope, Fault, Retired

Body = dict[str, Any]
"""The fields of a `contracts.envelope.OutcomeBody`; what is None may be missing."""
OUTCOME_BYTES_MAX = 512 * 1024
KEY_BYTES_MAX = 4 * 128
"""No aggregate's name is longer. Of a longer key a little more than this is kept, so that it is nobody's name and its
fault still fits into a record."""
RETIRED = Retired().model_dump()


@dataclass(frozen=True, slots=True)
class Decided:
    """An outcome ready to be appended; `code` is for metrics."""

    key: bytes
    header: OutcomeHeader
    value: bytes
    code: str


class Shard(Generic[S, C, E]):
    """Folds outcomes while restoring; from the claim on, decides commands and applies each decision at once.

    The optimistic state runs ahead of the log by what is not confirmed yet; when anything goes wrong the whole shard
    is thrown away and folded again.
    """

    def __init__(self, decider: Decider[S, C, E], partition: int, partitions: int) -> None:
        self.decider = decider
        self.partitions = partitions
        self.fold = PartitionFold(TopicPartition(f"{decider.name}.events", partition))
        self.aggregates: dict[str, Aggregate[S]] = {}
        self.digest = 0
        self.last_command_id: str | None = None
        self.alarms: list[str] = []
        self.changed: dict[str, None] = {}
        """What the log has confirmed to be changed since somebody last took it (`take_changed`)."""
        self.retired: dict[str, int] = {}
        """What has left memory since the claim: by which event offset, or -1 while the log has not confirmed it. Taken
        out by whoever writes snapshots."""
        self._adopted = False

    # ---- restoring

    def adopt(self, marker: Marker) -> None:
        """Goes on from a snapshot's place in the log; its aggregates are put in by `bus.restoring`."""
        self.fold.validity = marker.validity.copy()
        self.fold.position = marker.position
        self.digest = marker.digest
        self.last_command_id = marker.last_command_id
        self._adopted = True

    def digest_of_aggregates(self, names: Iterable[str]) -> int:
        """Their share of what `digest` must be when the log is folded up to the newest change of each."""
        total = 0
        for name in names:
            total ^= digest.term(name, self.aggregates[name].version)
        return total

    def restore(self, record: Record) -> None:
        """Folds one record of the event partition, in order from offset 0 or from a snapshot's place."""
        next_command = self.fold.validity.next_command
        outcome = self.fold.take(record)
        if outcome is None:
            if self.fold.validity.next_command != next_command:
                self.last_command_id = None  # commands were passed over: the last one has no outcome
            return
        try:
            body = outcome.fields()
            self.last_command_id = body["command_id"]
            self._apply_logged(outcome, body)
        except MalformedBody as error:
            self.last_command_id = None
            self._quarantine(outcome.aggregate, str(error))
            self.aggregates[outcome.aggregate].version = outcome.header.to_version
        self._advance_digest(outcome.aggregate, outcome.header.from_version, outcome.header.to_version)
        if self.digest != outcome.header.digest:
            self.alarms.append(f"the digest at {outcome.source}:{outcome.offset} does not match the folded state")

    def _apply_logged(self, outcome: Outcome, body: Body) -> None:
        header, key = outcome.header, outcome.aggregate
        aggregate = self.aggregates.get(key)
        if aggregate is None:
            gone = self._adopted and header.from_version > 0  # or lost, and then the digest tells
            if header.to_version == header.from_version or gone:
                return
            aggregate = self.aggregates[key] = Aggregate()
        if outcome.offset <= aggregate.as_of:
            return  # the snapshot has it
        aggregate.as_of = outcome.offset
        self.changed[key] = None
        if header.from_version != aggregate.version:
            why = f"expected version {aggregate.version}, got {header.from_version}"
            self._quarantine(key, f"{why} at {outcome.source}:{outcome.offset}")
        if header.retires:
            del self.aggregates[key]
            return
        if aggregate.quarantined is None:
            self._evolve_logged(aggregate, body, outcome)
        aggregate.version = header.to_version
        aggregate.remember(body, header.command_offset, self.decider.remembers)

    def _evolve_logged(self, aggregate: Aggregate[S], body: Body, outcome: Outcome) -> None:
        """An event that does not fold, for whatever reason, quarantines its aggregate; the partition goes on."""
        state = aggregate.state  # outside the try: a snapshot that cannot be read is nobody's quarantine
        try:
            for payload in body["events"]:
                state = self.decider.evolve(state, self.decider.decode_event(payload))
            aggregate.state = state
        except Exception as error:  # noqa: BLE001 - a bug in evolve must not stop the neighbours
            why = f"{type(error).__name__} while folding {outcome.source}:{outcome.offset}"
            self._quarantine(outcome.aggregate, why)

    def _quarantine(self, key: str, why: str) -> None:
        aggregate = self.aggregates.setdefault(key, Aggregate())
        if aggregate.quarantined is None:
            aggregate.quarantined = why
            self.alarms.append(f"{self.decider.name} {key} is quarantined: {why}")

    def _advance_digest(self, key: str, from_version: int, to_version: int) -> None:
        if from_version != to_version:
            self.digest ^= digest.term(key, from_version) ^ digest.term(key, to_version)

    def confirm(self, aggregate: str, header: OutcomeHeader, offset: int) -> None:
        """The log has a decision of this shard's own at `offset`, and it counts. It is a change also where a later one
        is still under way: a snapshot up to here waits for that one."""
        known = self.aggregates.get(aggregate)
        if header.retires:
            self.retired[aggregate] = offset
        elif known is not None and known.unconfirmed == header.command_offset:
            known.unconfirmed, known.as_of = -1, offset
        if known is not None or aggregate in self.retired:
            self.changed[aggregate] = None

    def take_changed(self) -> Iterable[str]:
        changed, self.changed = self.changed, {}
        return changed

    # ---- deciding

    def decide(
        self,
        record: Record,
        at: int,
        now: int,
        entropy: bytes,
        trace: TraceParent | None = None,
        *,
        poisoned: bool = False,
    ) -> Decided:
        """Decides the next command and applies the decision.

        `at` is the command's log time, `now` that of the decision by the owner's clock, both in ms. Whatever the record
        holds there is an outcome; one over 512 KiB is replaced by a fault that changes nothing, and one that is
        `poisoned`, because whoever decided it did not live to tell, is a fault unread.
        """
        envelope, decision = self._poisoned(record) if poisoned else self._decision(record, at, now, entropy)
        body = self._body(envelope, decision, at, now)
        value = _encode(body)
        if len(value) > OUTCOME_BYTES_MAX:
            expected = f"expected an outcome of at most {OUTCOME_BYTES_MAX} bytes, got {len(value)}"
            decision = self._fault(envelope.aggregate, "outcome-too-large", expected)
            body = self._body(envelope, decision, at, now)
            value = _encode(body)
        header = self._header(envelope.aggregate, record.offset, decision, trace)
        self._apply_decided(envelope.aggregate, decision, body, header)
        return Decided(envelope.aggregate.encode(), header, value, decision.code)

    def _poisoned(self, record: Record) -> tuple[CommandEnvelope, Decision[S, E]]:
        key = _key_of(record)
        return _nobody(key), self._fault(key, "poison", "nobody who tried to decide this command has lived to tell")

    def _decision(self, record: Record, at: int, now: int, entropy: bytes) -> tuple[CommandEnvelope, Decision[S, E]]:
        key = _key_of(record)
        try:
            envelope = CommandEnvelope.model_validate_json(record.value or b"")
        except ValueError:
            return _nobody(key), self._fault(key, "undecodable", "expected a command envelope, got something else")
        if envelope.aggregate != key:
            misaddressed = envelope.model_copy(update={"aggregate": key})
            message = "expected the aggregate as the record's key, got another key"
            return misaddressed, self._fault(key, "wrong-key", message)
        expected = partition_of(key, self.partitions)
        if expected != record.partition:
            message = f"expected partition {expected} for this key, got {record.partition}"
            return envelope, self._fault(key, "wrong-partition", message)
        return envelope, self._known_or_judged(envelope, at, now, entropy)

    def _known_or_judged(self, envelope: CommandEnvelope, at: int, now: int, entropy: bytes) -> Decision[S, E]:
        aggregate = self.aggregates.get(envelope.aggregate)
        if aggregate is None:
            return self._judge(None, envelope, at, now, entropy)
        first = aggregate.answers.find(envelope.principal, envelope.id)
        if first is not None:
            return Decision((), aggregate.state, first.refusal, first.fault, first.offset, first.version)
        if aggregate.quarantined is not None:
            return self._fault(envelope.aggregate, "quarantined", "the log of this aggregate could not be folded")
        return self._judge(aggregate.state, envelope, at, now, entropy)

    def _judge(self, state: S | None, envelope: CommandEnvelope, at: int, now: int, entropy: bytes) -> Decision[S, E]:
        context = context_of(envelope, at, now, entropy)
        return judge(self.decider, state, envelope.command, context, self.fold.validity.outages)

    def _fault(self, key: str, code: str, message: str) -> Decision[S, E]:
        aggregate = self.aggregates.get(key)
        return Decision((), aggregate.state if aggregate else None, fault=Fault(code=code, message=message))

    def _apply_decided(self, key: str, decision: Decision[S, E], body: Body, header: OutcomeHeader) -> None:
        self.fold.validity.next_command = header.command_offset + 1
        self.digest = header.digest
        if decision.code == "bug" and decision.fault is not None:
            self.alarms.append(f"{self.decider.name} {key}: {decision.fault.message}")
        if decision.retires:
            del self.aggregates[key]
            self.retired[key] = -1
            return
        if key not in self.aggregates and not decision.events:
            return
        aggregate = self.aggregates.setdefault(key, Aggregate())
        aggregate.state = decision.state
        aggregate.version = header.to_version
        aggregate.unconfirmed = header.command_offset
        aggregate.remember(body, header.command_offset, self.decider.remembers)

    # ---- writing a decision down

    def _version(self, key: str) -> int:
        aggregate = self.aggregates.get(key)
        return aggregate.version if aggregate else 0

    def _header(
        self, key: str, command_offset: int, decision: Decision[S, E], trace: TraceParent | None
    ) -> OutcomeHeader:
        from_version = self._version(key)
        to_version = 0 if decision.retires else from_version + len(decision.events)
        validity = self.fold.validity
        return OutcomeHeader(
            claim_offset=validity.claim_offset,
            owner=validity.owner,
            command_offset=command_offset,
            from_version=from_version,
            to_version=to_version,
            digest=self.digest ^ digest.term(key, from_version) ^ digest.term(key, to_version),
            deadline=self.decider.deadline(decision.state) if decision.state is not None else None,
            trace=trace,
        )

    def _body(self, envelope: CommandEnvelope, decision: Decision[S, E], at: int, now: int) -> Body:
        """The fields of `OutcomeBody`, all of them, with the events already encoded."""
        events, state = decision.events, decision.state
        version = 0 if decision.retires else self._version(envelope.aggregate) + len(events)
        written = [RETIRED] if decision.retires else [self.decider.encode_event(event) for event in events]
        return {
            "command_id": envelope.id,
            "principal": envelope.principal,
            "aggregate": envelope.aggregate,
            "version": version if decision.version is None else decision.version,
            "at": at,
            "decided_at": now,
            "rules_version": self.decider.rules_version,
            "events": written,
            "refusal": decision.refusal,
            "fault": decision.fault,
            "duplicate_of": decision.duplicate_of,
            "state_hash": self.decider.state_hash(state, events) if events and state is not None else None,
            "asked_by": envelope.asked_by if decision.refusal or decision.fault else None,
        }


def _key_of(record: Record) -> str:
    return (record.key or b"")[: KEY_BYTES_MAX + 1].decode(errors="replace")


def _nobody(key: str) -> CommandEnvelope:
    return CommandEnvelope.model_construct(id="", principal="", aggregate=key, command={}, human=False)


def _encode(body: Body) -> bytes:
    """Compact JSON without the fields that are None."""
    present = {name: value for name, value in body.items() if value is not None}
    return to_json(present)
