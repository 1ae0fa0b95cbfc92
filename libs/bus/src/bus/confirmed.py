"""What an owner knows of its partition from the log alone: the fold of its tail, not from what it decided."""

from dataclasses import dataclass, field

from bus.header import CommandsSkipped, OutcomeHeader
from bus.outcomes import MalformedBody, Outcome, key_of
from bus.records import Record, TopicPartition
from bus.snapshots import Marker
from bus.validity import Judgement, Validity, Verdict


@dataclass(slots=True)
class Confirmed:
    """`position` is the next event offset, `digest` that of the last valid outcome. `last_command_id` is that of the
    last valid outcome when it was known at the start; `last` is its record when there was one since."""

    events: TopicPartition
    validity: Validity = field(default_factory=Validity)
    position: int = 0
    digest: int = 0
    last_command_id: str | None = None
    last: tuple[Record, OutcomeHeader] | None = None

    def take(self, record: Record) -> Judgement:
        """Folds the next record of the tail."""
        judgement = self.validity.judge(record)
        self.position = record.offset + 1
        if judgement.verdict is Verdict.VALID:
            match judgement.header:
                case OutcomeHeader() as header:
                    self.digest = header.digest
                    self.last = record, header
                case CommandsSkipped():
                    self.last = self.last_command_id = None
        return judgement

    def mark(self, rules_version: str, snapshot_version: int) -> Marker:
        """This very place in the log; how many aggregates a snapshot holds is not known here."""
        command_id = self.last_command_id if self.last is None else self._command_id(*self.last)
        return Marker(
            self.position, self.validity.copy(), self.digest, command_id, 0, 0, rules_version, snapshot_version
        )

    def _command_id(self, record: Record, header: OutcomeHeader) -> str | None:
        value = record.value or b""
        outcome = Outcome(self.events, record.offset, key_of(record), header, value, record.log_time)
        try:
            return outcome.body().command_id or None
        except MalformedBody:
            return None
