"""Reading one partition once, from its first record to its end as it stands."""

from collections.abc import AsyncIterator

from bus.records import Log, LogUnavailable, Record, TopicPartition
from bus.tail import POLL_MS

EMPTY_POLLS_MAX = 150
"""A quarter of a minute."""


async def held(log: Log, partition: TopicPartition, name: str) -> AsyncIterator[Record]:
    """Every record that the partition holds now, by a reader called `name`. Nothing of it may have been cleaned away:
    its first offset is 0, and its last record is there. Raises what the log raises, and `LogUnavailable` when nothing
    comes for a quarter of a minute."""
    _, end = await log.bounds(partition)
    if end == 0:
        return
    reader = log.reader(name)
    try:
        await reader.start([partition])
        reader.seek(partition, 0)
        position = empty = 0
        while position < end:
            records = (await reader.poll(POLL_MS)).get(partition, ())
            empty = 0 if records else empty + 1
            if empty > EMPTY_POLLS_MAX:
                raise LogUnavailable(f"{partition}: expected records to {end}, got none from {position}")
            for record in records:
                position = record.offset + 1
                if record.offset < end:
                    yield record
    finally:
        await reader.stop()
