"""A second opinion on which records of an event partition count, written from the protocol and not from `bus.validity`.

It keeps every claim that it has met, and asks of an outcome: which claim does it name, is that the newest, is its owner
that claim's, and is its command the first one without an outcome? Only the packed header's decoding is shared.
"""

from collections import OrderedDict
from dataclasses import dataclass, field

from bus.header import (
    HEADER,
    LAYOUT,
    Claim,
    CommandsSkipped,
    EventHeader,
    Founding,
    Heartbeat,
    MalformedHeader,
    OutcomeHeader,
    unpack,
)
from bus.records import Record
from capicua.server.audit.report import Void

CLAIMS_KEPT = 4096
KINDS = range(1, 6)


@dataclass(slots=True)
class Judge:
    """`next_command` is None while the log's beginning is not known: then the newest claim's first outcome tells."""

    claims: OrderedDict[int, bytes] = field(default_factory=OrderedDict)
    newest: int | None = None
    next_command: int | None = 0

    def read(self, record: Record) -> EventHeader | Void:
        """The record's header, or why it has none that is worth judging."""
        found = [value for name, value in record.headers if name == HEADER]
        if len(found) != 1:
            return Void.DOUBLED_HEADER if found else Void.NO_HEADER
        try:
            header = unpack(found[0])
        except MalformedHeader:
            prefix = found[0][:2]
            foreign = len(prefix) == 2 and (prefix[0] not in KINDS or prefix[1] != LAYOUT)
            return Void.FOREIGN_KIND if foreign else Void.MALFORMED_HEADER
        return header if record.appended_time else Void.CREATE_TIME

    def judge(self, offset: int, header: EventHeader) -> Void | None:
        """Takes note of the record at `offset`; None when it counts."""
        match header:
            case OutcomeHeader():
                return self._outcome(header)
            case Heartbeat(owner):
                return None if self.is_current(owner) else Void.ZOMBIE_HEARTBEAT
            case Claim(owner):
                self._claim(offset, owner)
                return None
            case Founding():
                return None if offset == 0 else Void.LATE_FOUNDING
            case CommandsSkipped(first, last):
                return self._skip(first, last)

    def adopt(self, claim_offset: int, owner: bytes, next_command: int) -> None:
        """Believes a marker of a log whose beginning is missing."""
        self._claim(claim_offset, owner)
        self.next_command = next_command

    def is_current(self, owner: bytes) -> bool:
        return self.newest is not None and self.claims[self.newest] == owner

    def _claim(self, offset: int, owner: bytes) -> None:
        self.claims[offset] = owner
        self.newest = offset
        if len(self.claims) > CLAIMS_KEPT:
            self.claims.popitem(last=False)

    def _outcome(self, header: OutcomeHeader) -> Void | None:
        owner = self.claims.get(header.claim_offset)
        if owner is None:
            return Void.UNKNOWN_CLAIM
        if owner != header.owner:
            return Void.WRONG_OWNER
        if header.claim_offset != self.newest:
            return Void.ZOMBIE_CLAIM
        if self.next_command is not None and header.command_offset != self.next_command:
            return Void.REPEATED if header.command_offset < self.next_command else Void.AFTER_A_GAP
        self.next_command = header.command_offset + 1
        return None

    def _skip(self, first: int, last: int) -> Void | None:
        if last < first or (self.next_command is not None and first != self.next_command):
            return Void.BAD_SKIP
        self.newest, self.next_command = None, last + 1
        return None
