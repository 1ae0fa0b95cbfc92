"""Where a key belongs: the same murmur2 everywhere, so that a table lives on one partition for life."""

from aiokafka.partitioner import murmur2


def partition_of(aggregate: str, partitions: int) -> int:
    """The partition of an aggregate among `partitions`, as Kafka's default partitioner has it."""
    hashed: int = murmur2(aggregate.encode())
    return (hashed & 0x7FFFFFFF) % partitions
