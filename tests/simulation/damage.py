"""What may become of snapshots: compacted, lost, damaged, of a newer version. The log must do without them."""

import random

from tests.simulation.broker import Broker

from bus.records import NewRecord, Record, TopicPartition


def damage(broker: Broker, chance: random.Random, how: str) -> None:
    """`how`: `compact`, `lose`, `lose-marker`, `lose-all`, `corrupt` or `newer`, to one decider's partition."""
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
