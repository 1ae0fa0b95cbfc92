"""Takes the table's one partition over as its runtime does, and says on standard output what that took."""

import asyncio
import json
import logging
import os
import sys
import time
from pathlib import Path

import uvloop

from bus.hearing import Hearing
from bus.inbox import Inbox
from bus.kafka import KafkaLog
from bus.parts import Parts
from bus.records import TopicPartition
from bus.restoring import Restoring
from bus.shard import Shard
from table.decider import TableDecider

EVENTS = TopicPartition("table.events", 0)


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


async def restore(bootstrap: str) -> dict[str, float]:
    log = KafkaLog(bootstrap, 6000)
    parts, decider = Parts(log), TableDecider()
    reader = log.reader("bench-events")
    await reader.start([EVENTS])
    before, began, cpu = resident(), time.monotonic(), time.process_time()
    shard = Shard(decider, 0, 1)
    arrived = asyncio.Event()
    inbox = Inbox(reader, EVENTS, arrived, Hearing(parts.clock).read)

    async def pump() -> None:
        while True:
            for records in (await reader.poll(100)).values():
                inbox.put(records)

    async def arrival() -> None:
        arrived.clear()
        if not len(inbox):
            await arrived.wait()

    pumping = asyncio.create_task(pump())
    restoring = Restoring(parts, decider, shard, inbox, arrival, lambda: None)
    await restoring.load(trusted=True)
    await restoring.fold()
    await restoring.check_digest()
    found = {
        "seconds": time.monotonic() - began,
        "cpu_seconds": time.process_time() - cpu,
        "bytes": resident() - before,
        "aggregates": len(shard.aggregates),
        "from_snapshot": restoring.snapshot.marker is not None,
    }
    pumping.cancel()
    await asyncio.gather(pumping, return_exceptions=True)
    await reader.stop()
    await log.close()
    awake = sum(aggregate.state is not None for aggregate in shard.aggregates.values())
    return found | {"bytes_awake": resident() - before, "awake": awake}


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, stream=sys.stderr)
    logging.getLogger("aiokafka").setLevel(logging.ERROR)
    print(json.dumps(uvloop.run(restore(sys.argv[1]))))
