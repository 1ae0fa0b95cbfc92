"""How an aggregate lies in a snapshot topic: its key, its bytes, its chunks.

Keys are `aggregate@claim_offset@as_of#chunk/chunks`. The bytes behind all chunks of a key together are sealed: a format
version, a checksum, then what was sealed.
"""

import struct
import zlib
from collections.abc import Iterator
from typing import Any, Generic, NamedTuple

from pydantic_core import from_json, to_json

from bus.aggregate import Aggregate, Frozen, Thawed
from bus.answers import Answers
from bus.decider import C, Decider, E, S

FORMAT = 1
CHUNK_BYTES_MAX = 512 * 1024

_SEAL = struct.Struct(">BI")
SEAL_BYTES = _SEAL.size
"""By so much what is sealed is longer than what was to be."""
_VERSION = struct.Struct(">Q")


class UnreadableSnapshot(Exception):
    """A snapshot is damaged, or of a version not known here. The log has it all. Carries no content."""


class RecordKey(NamedTuple):
    """`chunk` counts from 1 to `chunks`."""

    aggregate: str
    claim_offset: int
    as_of: int
    chunk: int
    chunks: int

    def pack(self) -> bytes:
        return f"{self.aggregate}@{self.claim_offset}@{self.as_of}#{self.chunk}/{self.chunks}".encode()

    @classmethod
    def unpack(cls, key: bytes) -> "RecordKey":
        """Raises `UnreadableSnapshot`."""
        try:
            aggregate, claim_offset, rest = key.rsplit(b"@", 2)
            as_of, _, chunks_text = rest.partition(b"#")
            chunk, _, chunks = chunks_text.partition(b"/")
            return cls(aggregate.decode(), int(claim_offset), int(as_of), int(chunk), int(chunks))
        except ValueError:
            raise UnreadableSnapshot(f"expected the key of a snapshot's record, got {len(key)} other bytes") from None


def seal(content: bytes) -> bytes:
    return _SEAL.pack(FORMAT, zlib.crc32(content)) + content


def unseal(sealed: bytes) -> bytes:
    """What was sealed. Raises `UnreadableSnapshot`."""
    if len(sealed) < _SEAL.size:
        raise UnreadableSnapshot(f"expected at least {_SEAL.size} bytes, got {len(sealed)}")
    version, checksum = _SEAL.unpack_from(sealed)
    if version != FORMAT:
        raise UnreadableSnapshot(f"expected format {FORMAT}, got {version}")
    content = sealed[_SEAL.size :]
    if zlib.crc32(content) != checksum:
        raise UnreadableSnapshot("expected bytes of another checksum")
    return content


class StateCodec(Generic[S, C, E]):
    """Aggregates of one decider as bytes and back."""

    def __init__(self, decider: Decider[S, C, E]) -> None:
        self._decider = decider

    def encode(self, aggregate: Aggregate[S]) -> bytes:
        """The content of its record; of one that nobody has touched since it was restored, the bytes it came with."""
        frozen = aggregate.frozen
        if frozen is None:
            state = aggregate.state
            body = {
                "state": None if state is None else self._decider.state_to_json(state),
                "answers": aggregate.answers.to_json(),
            }
            frozen = to_json(body)
        return _VERSION.pack(aggregate.version) + frozen

    def put_to_rest(self, aggregate: Aggregate[S], content: bytes) -> None:
        """Of what rests its `content` is enough, which must have been encoded just now."""
        if aggregate.frozen is None and aggregate.state is not None and self._decider.rests(aggregate.state):
            aggregate.freeze(Frozen(split_version(content)[1], self.thaw))

    def thaw(self, payload: bytes) -> Thawed[S]:
        """Raises `UnreadableSnapshot`."""
        try:
            body: dict[str, Any] = from_json(payload)
            state = None if body["state"] is None else self._decider.state_from_json(body["state"])
            return Thawed(state, Answers.from_json(body["answers"]))
        except Exception as error:  # noqa: BLE001 - a decider may raise what it likes
            raise UnreadableSnapshot(f"{type(error).__name__} in a state of a snapshot") from None


def split_version(content: bytes) -> tuple[int, bytes]:
    """The aggregate's version, and what `StateCodec.thaw` takes."""
    return _VERSION.unpack_from(content)[0], content[_VERSION.size :]


def chunks_of(aggregate: str, claim_offset: int, as_of: int, content: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Keys and values of the records that hold `content`."""
    sealed = seal(content)
    count = -(-len(sealed) // CHUNK_BYTES_MAX)
    for number in range(count):
        key = RecordKey(aggregate, claim_offset, as_of, number + 1, count)
        yield key.pack(), sealed[number * CHUNK_BYTES_MAX : (number + 1) * CHUNK_BYTES_MAX]
