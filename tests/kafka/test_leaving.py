"""A client that is given up while it is still starting."""

import asyncio
import gc

from bus.kafka import KafkaLog

SESSION_MS = 2000
MOMENTS = 60


async def test_a_writer_that_is_left_while_it_starts_leaves_no_connection_open(kafka_bootstrap: str) -> None:
    log = KafkaLog(kafka_bootstrap, SESSION_MS)
    for moment in range(MOMENTS):
        writer = log.writer("left")
        starting = asyncio.create_task(writer.start())
        for _ in range(moment):
            await asyncio.sleep(0)
        starting.cancel()
        await asyncio.wait([starting])
        await writer.stop()
    del writer, starting
    gc.collect()  # a connection that is found open now is an error, as every warning is
