"""What may become of snapshots: compacted, lost, damaged, of a newer version. The log must do without them."""

import random
from contextlib import suppress
from dataclasses import replace

from tests.simulation.broker import Broker

from bus.records import NewRecord, Record, TopicPartition
from bus.snapshots.marker import Marker
from bus.snapshots.records import UnreadableSnapshot

TIMERS = "timer.snapshots"


def damage(broker: Broker, chance: random.Random, how: str) -> None:
    """`how`: `compact`, `lose`, `lose-marker`, `lose-all`, `corrupt`, `stale` or `newer`, to a partition of a
    decider's or of the timer's."""
    snapshots = sorted(partition for partition in broker.partitions if partition.topic.endswith(".snapshots"))
    records = chance.choice(snapshots)
    markers = TopicPartition(records.topic.replace(".snapshots", ".markers"), records.partition)
    if markers not in broker.partitions:
        markers = records
    match how:
        case "compact":
            for partition in (records, markers):
                _compact(broker, partition)
        case "lose":
            _lose(broker, records, [record for record in _held(broker, records) if chance.random() < 0.3])
        case "lose-marker":
            _lose(broker, markers, _held(broker, markers)[-1:])
        case "lose-all":
            for partition in (records, markers):
                _lose(broker, partition, _held(broker, partition))
        case "corrupt":
            _corrupt(broker, chance, chance.choice((records, markers)))
        case "stale" if records.topic == TIMERS:
            _revive(broker, chance, records)
        case "newer" if records.topic == TIMERS:
            _of_newer_timer(broker, chance, records)
        case _:
            broker.append(NewRecord(*markers, f"{markers.partition}@0".encode(), b"\x63newer than anybody knows"))


def _held(broker: Broker, partition: TopicPartition) -> list[Record]:
    return [record for record in broker.partitions[partition].records if record is not None]


def _lose(broker: Broker, partition: TopicPartition, lost: list[Record]) -> None:
    for record in lost:
        broker.partitions[partition].records[record.offset] = None


def _compact(broker: Broker, partition: TopicPartition) -> None:
    """Of each key the newest record stays, and in the end not even a tombstone."""
    held = _held(broker, partition)
    newest = {record.key: record.offset for record in held}
    _lose(broker, partition, [record for record in held if newest[record.key] != record.offset or not record.value])


def _revive(broker: Broker, chance: random.Random, partition: TopicPartition) -> None:
    """An old snapshot of the timer's stands in the topic again, behind the newest."""
    held = [record for record in _held(broker, partition) if record.value and record.key]
    markers = [record.key for record in held if b"#" not in (record.key or b"")]
    if not markers:
        return
    old = chance.choice(markers)
    for record in held:
        if (record.key or b"").partition(b"#")[0] == old:
            broker.append(NewRecord(*partition, record.key, record.value))


def _of_newer_timer(broker: Broker, chance: random.Random, partition: TopicPartition) -> None:
    """A whole snapshot in a layout that is not known yet, or one whose seal is not."""
    held = [record for record in _held(broker, partition) if record.value and b"#" not in (record.key or b"")]
    if not held:
        return
    record = chance.choice(held)
    source, value = (record.key or b"").partition(b"@")[0], b"\x63newer than anybody knows"
    with suppress(UnreadableSnapshot):
        marker = Marker.unpack(record.value or b"")
        if chance.random() < 0.5:
            value = replace(marker, position=marker.position + 1, snapshot_version=99).pack()
    broker.append(NewRecord(*partition, source + b"@newer", value))


def _corrupt(broker: Broker, chance: random.Random, partition: TopicPartition) -> None:
    held = [record for record in _held(broker, partition) if record.value]
    if not held:
        return
    record = chance.choice(held)
    value = bytearray(record.value or b"")
    value[chance.randrange(len(value))] ^= 1 << chance.randrange(8)
    broker.partitions[partition].records[record.offset] = Record(
        *partition, record.offset, record.timestamp, record.key, bytes(value), record.headers
    )
