"""A standing deadline as bytes: an object for each of a million would not fit.

Layout, big-endian: when it rings and under which attempt; then, as it stands in a snapshot too, what the aggregate
waits for: `set_at`, `due_at`, the kind behind one length byte, the ref.
"""

import struct

from bus.decider import Deadline

TIME_MAX = (1 << 63) - 1
"""The latest time that fits, in ms."""

_RINGING = struct.Struct(">qI")
_RING_AT = struct.Struct(">q")
_STANDING = struct.Struct(">qqB")
_KIND_LENGTH = _RINGING.size + _STANDING.size - 1
_KIND = _KIND_LENGTH + 1
_DUE_AT = slice(8, 16)
"""Of what stands: bytes as those that say when it rings."""
_FIRST_ATTEMPT = struct.pack(">I", 1)

ring_at_of = _RING_AT.unpack_from
"""A tuple of one: when the packed alarm rings, in ms of broker time."""


def standing(deadline: Deadline) -> bytes:
    """What the aggregate waits for. Two of them are equal if and only if the deadlines are."""
    kind = deadline.kind.encode()
    return _STANDING.pack(deadline.set_at, deadline.due_at, len(kind)) + kind + deadline.ref.encode()


def ringing(ring_at: int, attempt: int, stands: bytes) -> bytes:
    """`stands`, to be rung at `ring_at` ms of broker time."""
    return _RINGING.pack(min(ring_at, TIME_MAX), attempt) + stands


def first_ringing(stands: bytes) -> bytes:
    """`stands`, to be rung when it falls due."""
    return stands[_DUE_AT] + _FIRST_ATTEMPT + stands


def stands_of(packed: bytes) -> bytes:
    return packed[_RINGING.size :]


def repeats(packed: bytes, stands: bytes) -> bool:
    """Whether the alarm is one of what `stands`."""
    return len(packed) == _RINGING.size + len(stands) and packed.endswith(stands)


def kind_of(packed: bytes) -> bytes:
    return packed[_KIND : _KIND + packed[_KIND_LENGTH]]


def attempt_of(packed: bytes) -> int:
    attempt: int = _RINGING.unpack_from(packed)[1]
    return attempt


def times_of(packed: bytes) -> tuple[int, int]:
    """When the deadline was set, and when it falls due, in ms of log time."""
    set_at, due_at, _ = _STANDING.unpack_from(packed, _RINGING.size)
    return set_at, due_at


def deadline_of(packed: bytes) -> Deadline:
    set_at, due_at, length = _STANDING.unpack_from(packed, _RINGING.size)
    end = _KIND + length
    return Deadline(packed[_KIND:end].decode(), packed[end:].decode(), set_at, due_at)


def is_standing(stands: bytes) -> bool:
    """Whether these bytes can be what an aggregate waits for; its texts are believed."""
    return len(stands) >= _STANDING.size and len(stands) >= _STANDING.size + stands[_STANDING.size - 1]
