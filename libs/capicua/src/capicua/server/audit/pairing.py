"""Commands and their outcomes, matched as they are read; whichever comes first waits for the other."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from bus.header import OutcomeHeader
from bus.records import Record
from capicua.server.audit.body import Body
from capicua.server.audit.over import fingerprint
from capicua.server.audit.report import Cause

Tell = Callable[[Cause, int, object, object], None]
"""Cause, command offset, expected, got."""
NOBODY = fingerprint("\n")
KEY_KEPT = 128
"""No aggregate's name has more characters; of a longer key an outcome repeats only the beginning."""


class Asked(NamedTuple):
    """A command: fingerprints of its record's key and of (principal, id), and its log time in ms."""

    key: int
    identity: int
    at: int


class Answered(NamedTuple):
    """What a valid outcome says of its command; `at` is None where the body could not be read."""

    key: int
    identity: int
    at: int | None


@dataclass(slots=True)
class Pairing:
    """One partition's. Commands before `begin` have expired, those before `passed` are decided or passed over; `first`
    is the first command that is known, None while there is none."""

    tell: Tell
    begin: int = 0
    passed: int = 0
    first: int | None = None
    position: int = 0
    asked: dict[int, Asked] = field(default_factory=dict)
    answered: dict[int, Answered] = field(default_factory=dict)

    def command(self, record: Record) -> None:
        if self.first is None:
            self.first = record.offset
        elif record.offset != self.position:
            self.tell(Cause.COMMAND_GAP, record.offset, self.position, record.offset)
        self.position = record.offset + 1
        key = fingerprint((record.key or b"").decode(errors="replace")[:KEY_KEPT])
        asked = Asked(key, _identity(record.value), record.log_time)
        answered = self.answered.pop(record.offset, None)
        if answered is not None:
            self._compare(record.offset, asked, answered)
        elif record.offset >= self.passed:
            self.asked[record.offset] = asked

    def outcome(self, header: OutcomeHeader, key: str, body: Body | None) -> None:
        """A valid outcome, which comes once for each offset."""
        offset = header.command_offset
        if body is None:
            answered = Answered(fingerprint(key[:KEY_KEPT]), NOBODY, None)
        else:
            identity = fingerprint(f"{body.principal}\n{body.command_id}")
            answered = Answered(fingerprint(key[:KEY_KEPT]), identity, body.at)
        asked = self.asked.pop(offset, None)
        if asked is not None:
            self._compare(offset, asked, answered)
        elif offset >= self.begin and (self.first is None or offset >= self.position):
            self.answered[offset] = answered

    def skip(self, first: int, last: int) -> None:
        """These commands need no outcome, nor when they come later."""
        self.passed = last + 1
        for offset in [offset for offset in self.asked if first <= offset <= last]:
            del self.asked[offset]

    def end(self, demanded: int | None, known_end: int | None) -> int:
        """Tells what is unmatched, and returns how many commands wait for an outcome.

        Every command before `demanded` must have one, every one at all when it is None; `known_end` is where the
        command topic ended, if that is known.
        """
        for offset in self.asked:
            if demanded is None or offset < demanded:
                self.tell(Cause.COMMAND_UNANSWERED, offset, "one valid outcome", "none")
        for offset in self.answered:
            if known_end is not None or self.first is not None:
                expected = f"a command, of those to {self.position if known_end is None else known_end}"
                self.tell(Cause.COMMAND_UNKNOWN, offset, expected, "none")
        return len(self.asked)

    def _compare(self, offset: int, asked: Asked, answered: Answered) -> None:
        if answered.at is None:
            return
        if asked.key != answered.key or answered.identity not in (asked.identity, NOBODY):
            self.tell(Cause.COMMAND_MISMATCH, offset, "the outcome of this command", "another one's")
        if asked.at != answered.at:
            self.tell(Cause.WRONG_TIME, offset, asked.at, answered.at)


def _identity(value: bytes | None) -> int:
    """Of whoever can be read; an outcome says nobody where the command is none."""
    try:
        raw = json.loads(value or b"")
        return fingerprint(f"{raw['principal']}\n{raw['id']}")
    except (KeyError, RecursionError, TypeError, ValueError):
        return NOBODY
