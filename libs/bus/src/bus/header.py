"""The one packed header of every record in an event topic: its kind and all that the fold rule needs.

Layout, big-endian: one byte kind, one byte layout version, then the kind's fields. Texts are UTF-8 behind one length
byte. Nothing of the body is needed to judge a record.
"""

import struct
from dataclasses import dataclass

from bus.decider import Deadline

HEADER = "capicua"
LAYOUT = 1
TEXT_BYTES_MAX = 255
ID_BYTES = 16
"""Of a log's and of a claim's random id."""

_FOUNDING, _CLAIM, _HEARTBEAT, _OUTCOME, _SKIPPED = range(1, 6)
_PREFIX = struct.Struct(">BB")
_CLAIM_FIELDS = struct.Struct(">16sq")
_ALONE = 1 << 62  # a bit that no offset reaches: readers that do not know it still read the claim
_OUTCOME_FIELDS = struct.Struct(">BBq16sqIIQBB")  # with the prefix
_DEADLINE_TIMES = struct.Struct(">qq")
_DEADLINE_FIELDS = struct.Struct(">qqB")  # with the length of the kind
_JUMP = struct.Struct(">qq")
_SKIPPED_FIELDS = struct.Struct(">qq")
_TRACE = struct.Struct(">16s8sB")


class MalformedHeader(ValueError):
    """The packed header is missing, doubled, cut short, too long, or of an unknown kind or layout."""


@dataclass(frozen=True, slots=True)
class Founding:
    """The first record of an event partition: the log's own random id."""

    log_id: bytes


@dataclass(frozen=True, slots=True)
class Claim:
    """`owner` (16 random bytes, used once) takes the partition; `commands_end` commands were there by then. `alone`: of
    the partitions under suspicion its process works this one only, until an outcome is confirmed."""

    owner: bytes
    commands_end: int
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Jump:
    """The broker's clock was seen to go ahead by itself, from `begin` to `end`, or nobody was heard in between, in ms
    of log time. At the moment 0: this owner tells of silences."""

    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """`jump` is one that the owner has seen since its last heartbeat. Readers of before there were any pass such a
    heartbeat over, and hear the next one."""

    owner: bytes
    jump: Jump | None = None


@dataclass(frozen=True, slots=True)
class TraceParent:
    """W3C trace context: 16 bytes trace id, 8 bytes parent span id, flags."""

    trace_id: bytes
    span_id: bytes
    flags: int


@dataclass(slots=True, unsafe_hash=True)  # a frozen one takes three times as long to make, and one is for each record
class OutcomeHeader:
    """`digest`: 64 bits over all (aggregate, version) of the partition after this outcome. `deadline`: the aggregate's
    standing one. Versions count events, so `to_version - from_version` is how many the body holds; version 0 does not
    exist, or no longer."""

    claim_offset: int
    owner: bytes
    command_offset: int
    from_version: int
    to_version: int
    digest: int
    deadline: Deadline | None
    trace: TraceParent | None

    @property
    def retires(self) -> bool:
        """Whether the aggregate leaves memory by it."""
        return self.to_version == 0 < self.from_version


@dataclass(frozen=True, slots=True)
class CommandsSkipped:
    """Commands `first` to `last` (both included) are passed over. Written by the operators' tool only."""

    first: int
    last: int
    reason: str


EventHeader = Founding | Claim | Heartbeat | OutcomeHeader | CommandsSkipped


def _text(value: str) -> bytes:
    raw = value.encode()
    if len(raw) > TEXT_BYTES_MAX:
        raise ValueError(f"expected at most {TEXT_BYTES_MAX} bytes of text in a header, got {len(raw)}")
    return bytes((len(raw),)) + raw


def pack(header: EventHeader) -> bytes:
    """The header's bytes. Raises ValueError when a text is longer than 255 bytes or a number does not fit."""
    try:
        match header:
            case OutcomeHeader():
                return _pack_outcome(header)
            case Founding(log_id):
                return _PREFIX.pack(_FOUNDING, LAYOUT) + log_id
            case Claim(owner, commands_end, alone):
                return _PREFIX.pack(_CLAIM, LAYOUT) + _CLAIM_FIELDS.pack(owner, commands_end | alone * _ALONE)
            case Heartbeat(owner, jump):
                told = b"" if jump is None else _JUMP.pack(jump.begin, jump.end)
                return _PREFIX.pack(_HEARTBEAT, LAYOUT) + owner + told
            case CommandsSkipped(first, last, reason):
                return _PREFIX.pack(_SKIPPED, LAYOUT) + _SKIPPED_FIELDS.pack(first, last) + _text(reason)
    except struct.error as error:
        raise ValueError(f"a header field does not fit: {error}") from None


def _pack_outcome(header: OutcomeHeader) -> bytes:
    deadline, trace = header.deadline, header.trace
    parts = [
        _OUTCOME_FIELDS.pack(
            _OUTCOME,
            LAYOUT,
            header.claim_offset,
            header.owner,
            header.command_offset,
            header.from_version,
            header.to_version,
            header.digest,
            deadline is not None,
            trace is not None,
        ),
    ]
    if deadline is not None:
        parts += (_DEADLINE_TIMES.pack(deadline.set_at, deadline.due_at), _text(deadline.kind), _text(deadline.ref))
    if trace is not None:
        parts.append(_TRACE.pack(trace.trace_id, trace.span_id, trace.flags))
    return b"".join(parts)


def unpack(data: bytes | None) -> EventHeader:
    """The header of a record of an event topic. Raises `MalformedHeader`, never anything else."""
    if data is None:
        raise MalformedHeader("expected one packed header, got none or several")
    try:
        kind, layout = data[0], data[1]
        if layout != LAYOUT:
            raise MalformedHeader(f"expected header layout {LAYOUT}, got {layout}")
        header, end = _unpack_outcome(data) if kind == _OUTCOME else _unpack_kind(kind, data, _PREFIX.size)
    except (struct.error, IndexError, UnicodeDecodeError) as error:
        raise MalformedHeader(f"a header of {len(data)} bytes is cut short or garbled: {error}") from None
    if end != len(data):
        raise MalformedHeader(f"expected a header of {end} bytes, got {len(data)}")
    return header


def _unpack_kind(kind: int, data: bytes, at: int) -> tuple[EventHeader, int]:
    if kind == _HEARTBEAT:
        owner, end = _exactly(data, at, ID_BYTES), at + ID_BYTES
        if len(data) == end:
            return Heartbeat(owner), end
        return Heartbeat(owner, Jump(*_JUMP.unpack_from(data, end))), end + _JUMP.size
    if kind == _CLAIM:
        owner, commands_end = _CLAIM_FIELDS.unpack_from(data, at)
        return Claim(owner, commands_end & ~_ALONE, bool(commands_end & _ALONE)), at + _CLAIM_FIELDS.size
    if kind == _FOUNDING:
        return Founding(_exactly(data, at, ID_BYTES)), at + ID_BYTES
    if kind == _SKIPPED:
        first, last = _SKIPPED_FIELDS.unpack_from(data, at)
        reason, end = _read_text(data, at + _SKIPPED_FIELDS.size)
        return CommandsSkipped(first, last, reason), end
    raise MalformedHeader(f"expected a record kind from {_FOUNDING} to {_SKIPPED}, got {kind}")


def _unpack_outcome(data: bytes) -> tuple[OutcomeHeader, int]:
    """Most records of a log are outcomes, and some readers need nothing else of them: this is written to be quick. A
    text that is cut short is found out by where it would have ended."""
    fields = _OUTCOME_FIELDS.unpack_from(data)
    _, _, claim_offset, owner, command_offset, from_version, to_version, digest, has_deadline, has_trace = fields
    if has_deadline > 1 or has_trace > 1:
        raise MalformedHeader("expected 0 or 1 for the presence of deadline and trace")
    at = _OUTCOME_FIELDS.size
    deadline: Deadline | None = None
    if has_deadline:
        set_at, due_at, length = _DEADLINE_FIELDS.unpack_from(data, at)
        kind_at = at + _DEADLINE_FIELDS.size
        ref_at = kind_at + length + 1
        at = ref_at + data[ref_at - 1]
        deadline = Deadline(data[kind_at : ref_at - 1].decode(), data[ref_at:at].decode(), set_at, due_at)
    trace: TraceParent | None = None
    if has_trace:
        trace = TraceParent(*_TRACE.unpack_from(data, at))
        at += _TRACE.size
    outcome = OutcomeHeader(claim_offset, owner, command_offset, from_version, to_version, digest, deadline, trace)
    return outcome, at


def _exactly(data: bytes, at: int, size: int) -> bytes:
    if len(data) < at + size:
        raise MalformedHeader(f"expected {at + size} bytes, got {len(data)}")
    return data[at : at + size]


def _read_text(data: bytes, at: int) -> tuple[str, int]:
    end = at + 1 + data[at]
    return _exactly(data, at + 1, data[at]).decode(), end
