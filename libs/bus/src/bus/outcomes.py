"""Valid outcomes as readers get them: judged by the fold rule, decoded only when somebody asks."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_core import from_json

from bus.decider import Deadline
from bus.header import Heartbeat, OutcomeHeader
from bus.outages import Outages, no_outages
from bus.records import Record, TopicPartition
from bus.validity import Judgement, Validity, Verdict
from contracts.envelope import Fault, OutcomeBody, Refusal


class MalformedBody(ValueError):
    """A valid outcome's body cannot be read or does not agree with its header. Carries no content."""


@dataclass(slots=True, unsafe_hash=True)  # never changed; a frozen one takes longer to make: see `bus.header`
class Outcome:
    """One valid outcome at `offset` of `source`, appended at `logged_at` in ms of log time; `value` is its body, not
    decoded yet. `outages` are those of its partition, which go on growing as it is read on."""

    source: TopicPartition
    offset: int
    aggregate: str
    header: OutcomeHeader
    value: bytes
    logged_at: int
    outages: Outages = field(default_factory=no_outages, compare=False, repr=False)

    @property
    def deadline(self) -> Deadline | None:
        return self.header.deadline

    @property
    def changes(self) -> bool:
        """Whether it holds events; refusals, faults and duplicates hold none."""
        return self.header.to_version != self.header.from_version

    def fields(self) -> dict[str, Any]:
        """The decoded body as its fields; those that may be missing may be missing, refusal and fault are messages.
        Raises `MalformedBody`.

        It is read as our own deciders write it: nobody else may write the topic, and they have validated it. That its
        fields are there and of their types is all that is checked; validating it anew would cost a fold more than all
        else that it does.
        """
        try:
            fields = _read(self.value)
        except (ValueError, KeyError, TypeError):
            raise MalformedBody(f"the outcome at {self.source}:{self.offset} has no readable body") from None
        header, count = self.header, len(fields["events"])
        if (
            fields["aggregate"] != self.aggregate
            or count != (1 if header.retires else header.to_version - header.from_version)
            or fields["version"] > header.to_version
        ):
            raise MalformedBody(f"the outcome at {self.source}:{self.offset} disagrees with its header")
        return fields

    def body(self) -> OutcomeBody:
        """The decoded body. Raises `MalformedBody`."""
        return OutcomeBody.model_construct(_FIELDS, **self.fields())


def _read(value: bytes) -> dict[str, Any]:
    fields: dict[str, Any] = from_json(value)
    for name, kind in _KINDS:
        if type(fields[name]) is not kind:
            raise TypeError(name)
    fields["events"] = events = tuple(fields.get("events", ()))
    for event in events:
        if type(event) is not dict:
            raise TypeError("events")
    if (refusal := fields.get("refusal")) is not None:
        fields["refusal"] = Refusal.model_validate(refusal)
    if (fault := fields.get("fault")) is not None:
        fields["fault"] = Fault.model_validate(fault)
    return fields


_KINDS = (
    ("command_id", str),
    ("principal", str),
    ("aggregate", str),
    ("version", int),
    ("at", int),
    ("decided_at", int),
    ("rules_version", str),
)
_FIELDS = set(OutcomeBody.model_fields)


@dataclass(slots=True)
class PartitionFold:
    """One reader's place in one event partition: the fold rule, and counts of what did not count."""

    source: TopicPartition
    validity: Validity = field(default_factory=Validity)
    position: int = 0
    ignored: dict[Verdict, int] = field(default_factory=dict)

    def take(self, record: Record) -> Outcome | None:
        """Folds the next record; an outcome comes back only when it is valid."""
        self.position = record.offset + 1
        judgement = self.validity.judge(record)
        header = judgement.header
        if judgement.verdict is Verdict.VALID and isinstance(header, OutcomeHeader):
            return self._outcome(record, header)
        if judgement.verdict not in (Verdict.VALID, Verdict.PROTOCOL) and not isinstance(header, Heartbeat):
            self._ignore(judgement)
        return None

    def _outcome(self, record: Record, header: OutcomeHeader) -> Outcome:
        value, outages = record.value or b"", self.validity.outages
        return Outcome(self.source, record.offset, key_of(record), header, value, record.log_time, outages)

    def _ignore(self, judgement: Judgement) -> None:
        self.ignored[judgement.verdict] = self.ignored.get(judgement.verdict, 0) + 1

    def all(self, records: Sequence[Record]) -> Iterator[Outcome]:
        """The valid outcomes among `records`, in order."""
        for record in records:
            outcome = self.take(record)
            if outcome is not None:
                yield outcome


FoldOf = Callable[[TopicPartition], PartitionFold]
"""The place of the reader of a partition."""


def key_of(record: Record) -> str:
    return (record.key or b"").decode(errors="replace")
