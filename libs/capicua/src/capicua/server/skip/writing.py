"""Writing down that commands are passed over, and reading back whether it counts."""

import asyncio

from bus.clock import Clock
from bus.confirmed import Confirmed
from bus.header import HEADER, CommandsSkipped, pack
from bus.pipeline import Pipeline, started
from bus.records import Log, NewRecord
from bus.tail import POLL_MS
from bus.validity import Judgement

WRITER = "skip"
READ_BACK_SECONDS_MAX = 15.0


async def pass_over(log: Log, clock: Clock, confirmed: Confirmed, skipped: CommandsSkipped) -> Judgement:
    """Appends `skipped` and folds on until it is read back; returns how it was judged.

    Another record that says the very same may be found for it. Then both are void, or the first counts, which is all
    that was wanted. Raises `SendFailed`, `TimeoutError`, or what the log raises: whether it was written is not known.
    """
    events = confirmed.events
    reader, writer = log.reader(WRITER), log.writer(WRITER)
    pipeline = Pipeline(writer, clock, WRITER)
    try:
        async with asyncio.timeout(READ_BACK_SECONDS_MAX):
            await reader.start([events])
            reader.seek(events, confirmed.position)
            await started(writer)
            await pipeline.append(NewRecord(*events, None, b"", ((HEADER, pack(skipped)),)))
            while True:
                for record in (await reader.poll(POLL_MS)).get(events, ()):
                    judgement = confirmed.take(record)
                    if judgement.header == skipped:
                        return judgement
                pipeline.check()
    finally:
        await asyncio.gather(reader.stop(), writer.stop())
