"""Valid outcomes as readers get them: judged by the fold rule, decoded only when somebody asks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bus.decider import Deadline
from bus.header import Heartbeat, OutcomeHeader
from bus.records import Record, TopicPartition
from bus.validity import Judgement, Validity, Verdict
from contracts.envelope import OutcomeBody


class MalformedBody(ValueError):
    """A valid outcome's body cannot be read or does not agree with its header. Carries no content."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One valid outcome at `offset` of `source`; `value` is its body, not decoded yet."""

    source: TopicPartition
    offset: int
    aggregate: str
    header: OutcomeHeader
    value: bytes

    @property
    def deadline(self) -> Deadline | None:
        return self.header.deadline

    @property
    def changes(self) -> bool:
        """Whether it holds events; refusals, faults and duplicates hold none."""
        return self.header.to_version > self.header.from_version

    def body(self) -> OutcomeBody:
        """The decoded body. Raises `MalformedBody`."""
        try:
            body = OutcomeBody.model_validate_json(self.value)
        except ValueError:
            raise MalformedBody(f"the outcome at {self.source}:{self.offset} has no readable body") from None
        events = self.header.to_version - self.header.from_version
        if body.aggregate != self.aggregate or len(body.events) != events or body.version > self.header.to_version:
            raise MalformedBody(f"the outcome at {self.source}:{self.offset} disagrees with its header")
        return body


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
        key, value = record.key or b"", record.value or b""
        aggregate = key.decode(errors="replace")
        return Outcome(self.source, record.offset, aggregate, header, value)

    def _ignore(self, judgement: Judgement) -> None:
        self.ignored[judgement.verdict] = self.ignored.get(judgement.verdict, 0) + 1

    def all(self, records: Sequence[Record]) -> Iterator[Outcome]:
        """The valid outcomes among `records`, in order."""
        for record in records:
            outcome = self.take(record)
            if outcome is not None:
                yield outcome
