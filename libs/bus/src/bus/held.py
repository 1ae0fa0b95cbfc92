"""Reading one partition once, from its first record to its end as it stands."""

from collections.abc import AsyncIterator

from bus.records import Log, Record, TopicPartition
from bus.tail import POLL_MS


async def held(log: Log, partition: TopicPartition, name: str) -> AsyncIterator[Record]:
    """Every record that the partition holds now, by a reader called `name`. Nothing of it may have been cleaned away:
    its first offset is 0, and its last record is there. Raises what the log raises."""
    _, end = await log.bounds(partition)
    if end == 0:
        return
    reader = log.reader(name)
    await reader.start([partition])
    reader.seek(partition, 0)
    try:
        position = 0
        while position < end:
            for record in (await reader.poll(POLL_MS)).get(partition, ()):
                position = record.offset + 1
                if record.offset < end:
                    yield record
    finally:
        await reader.stop()
