"""How a partition's alarms lie in `timer.snapshots`: keys, and chunks of many of them.

The keys of a partition's snapshot are `source@generation#number` of each chunk, and of the marker, which says that they
are whole, `source@generation`. A generation is used once, so that two timers never write the same snapshot. Partition n
of the topic holds those of every decider's partition n.
"""

import struct
from collections.abc import Iterator
from typing import NamedTuple

from bus.records import TopicPartition
from bus.snapshots.records import UnreadableSnapshot, unseal
from timer.packing import is_standing

TOPIC = "timer.snapshots"
LAYOUT = 1
"""Of a chunk, as its marker has it: how many bytes an aggregate's name has and how many what stands, then both."""

_LENGTHS = struct.Struct(">HH")


class RecordKey(NamedTuple):
    """`chunk` counts from 1; 0 is the marker."""

    source: TopicPartition
    generation: str
    chunk: int = 0

    def pack(self) -> bytes:
        key = prefix_of(self.source) + self.generation.encode()
        return key + b"#%d" % self.chunk if self.chunk else key

    @classmethod
    def unpack(cls, key: bytes) -> "RecordKey":
        """Raises `UnreadableSnapshot`."""
        try:
            source, _, rest = key.decode().partition("@")
            topic, _, partition = source.rpartition(":")
            generation, _, chunk = rest.partition("#")
            return cls(TopicPartition(topic, int(partition)), generation, int(chunk or 0))
        except ValueError:
            raise UnreadableSnapshot(f"expected the key of a snapshot's record, got {len(key)} other bytes") from None


def prefix_of(source: TopicPartition) -> bytes:
    """What the keys of the partition's snapshots begin with."""
    return f"{source.topic}:{source.partition}@".encode()


def entry(aggregate: str, stands: bytes) -> bytes:
    name = aggregate.encode()
    return _LENGTHS.pack(len(name), len(stands)) + name + stands


def entries(sealed: bytes) -> Iterator[tuple[str, bytes]]:
    """The aggregates of a chunk, and what stands for each. Raises `UnreadableSnapshot`."""
    content = unseal(sealed)
    at, end = 0, len(content)
    try:
        while at < end:
            name_length, length = _LENGTHS.unpack_from(content, at)
            name_at = at + _LENGTHS.size
            stands_at = name_at + name_length
            at = stands_at + length
            stands = content[stands_at:at]
            if len(stands) != length or not is_standing(stands):
                raise UnreadableSnapshot("what stands for an aggregate cannot be read")
            yield content[name_at:stands_at].decode(), stands
    except (struct.error, UnicodeDecodeError) as error:
        raise UnreadableSnapshot(f"{type(error).__name__} in a chunk") from None
