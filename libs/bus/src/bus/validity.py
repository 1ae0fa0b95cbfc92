"""The fold rule of an event log: which records count. Every reader believes this function and nothing else.

An outcome counts if and only if its claim is the newest claim record before it, by offset *and* by owner, and its
command is exactly the one after the last valid outcome's. What a paused owner appends late, and all that follows a lost
record of a pipelined series, is in the log and counts for nobody. Nor does anything that was claimed before commands
were passed over: whoever owned the partition then may have decided one of them, and more on top of it.
"""

from dataclasses import dataclass, field, replace
from enum import Enum

from bus.header import (
    HEADER,
    Claim,
    CommandsSkipped,
    EventHeader,
    Founding,
    Heartbeat,
    MalformedHeader,
    OutcomeHeader,
    unpack,
)
from bus.outages import Outages
from bus.records import Record


class Verdict(Enum):
    """What a record of an event partition is worth."""

    VALID = "valid"  # an outcome that counts, or a valid passing-over of commands
    PROTOCOL = "protocol"  # founding, claim, heartbeat of the current claim
    STALE_CLAIM = "stale-claim"  # written under a claim that is not the newest
    BROKEN_CHAIN = "broken-chain"  # not exactly the next command
    MALFORMED = "malformed"  # no readable header, or not appended under the broker's clock


@dataclass(slots=True)
class Judgement:
    """`header` is None when malformed; `why` says what was expected and got when the record does not count."""

    verdict: Verdict
    header: EventHeader | None
    why: str = ""


@dataclass(slots=True)
class Trials:
    """Claims under which nothing was decided although commands waited: maybe one of them kills whoever decides it.

    `fruitless` and `alone` count those in a row before the newest claim, all and those made alone; `waiting` is the
    command that the newest claim began with, None when none waited, and `now_alone` how it was made.
    """

    fruitless: int = 0
    alone: int = 0
    waiting: int | None = None
    now_alone: bool = False

    def ended(self, next_command: int) -> tuple[int, int]:
        """The two counts with the newest claim among them: what a claim made now would be preceded by."""
        if self.waiting is None or self.waiting != next_command:
            return 0, 0
        return self.fruitless + 1, self.alone + self.now_alone

    def claimed(self, claim: Claim, next_command: int) -> None:
        self.fruitless, self.alone = self.ended(next_command)
        self.waiting = next_command if claim.commands_end > next_command else None
        self.now_alone = claim.alone


@dataclass(slots=True)
class Validity:
    """The state of the rule for one partition: fold every record through `judge`, in order, from offset 0 or from where
    a marker has it."""

    log_id: bytes | None = None
    claim_offset: int = -1
    owner: bytes = b""
    commands_end: int = 0
    next_command: int = 0
    outages: Outages = field(default_factory=Outages)
    trials: Trials = field(default_factory=Trials)

    def copy(self) -> "Validity":
        """One that may be folded on by itself."""
        return replace(self, outages=replace(self.outages), trials=replace(self.trials))

    def judge(self, record: Record) -> Judgement:
        """Judges one record and takes note of it."""
        try:
            header = unpack(record.header(HEADER))
        except MalformedHeader as error:
            return Judgement(Verdict.MALFORMED, None, str(error))
        if not record.appended_time:
            return Judgement(Verdict.MALFORMED, None, "expected LogAppendTime, got CreateTime")
        match header:
            case OutcomeHeader():
                return self._judge_outcome(header, record)
            case Heartbeat(owner, jump):
                if owner != self.owner:
                    return Judgement(Verdict.STALE_CLAIM, header, "a heartbeat of a claim that is not the newest")
                self.outages.hear(record.log_time, record.passed)
                if jump is not None:
                    self.outages.jump(jump.begin, jump.end)
            case Claim(owner, commands_end):
                self.claim_offset, self.owner, self.commands_end = record.offset, owner, commands_end
                self.trials.claimed(header, self.next_command)
                self.outages.claimed(record.log_time, record.passed)
            case Founding(log_id):
                if record.offset != 0:
                    return Judgement(Verdict.STALE_CLAIM, header, "a founding record behind the first offset")
                self.log_id = log_id
            case CommandsSkipped(first, last, _):
                if first != self.next_command or last < first:
                    return self._broken(header, first)
                self.next_command = last + 1
                self.claim_offset, self.owner = -1, b""
                return Judgement(Verdict.VALID, header)
        return Judgement(Verdict.PROTOCOL, header)

    def _judge_outcome(self, header: OutcomeHeader, record: Record) -> Judgement:
        if header.claim_offset != self.claim_offset or header.owner != self.owner:
            why = f"expected the claim at offset {self.claim_offset}, got {header.claim_offset}"
            return Judgement(Verdict.STALE_CLAIM, header, why)
        if header.command_offset != self.next_command:
            return self._broken(header, header.command_offset)
        self.next_command += 1
        self.outages.hear(record.log_time, record.passed)
        return Judgement(Verdict.VALID, header)

    def _broken(self, header: EventHeader, got: int) -> Judgement:
        return Judgement(Verdict.BROKEN_CHAIN, header, f"expected command offset {self.next_command}, got {got}")
