"""``capicua admin timers``: which deadlines stand, which are overdue, and how late they took effect lately."""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, nullcontext

from rich.console import Console

from bus.access import KafkaAccess
from bus.health import Progress
from bus.parts import Parts, kafka_parts
from bus.settings import BusSettings
from capicua.server.bar import reading_bar
from capicua.server.brokers import list_topics
from capicua.server.environment import SESSION_MS
from capicua.server.timers.lines import lines
from capicua.server.timers.reading import Reading, Survey
from capicua.server.timers.report import Report, make_report
from capicua.server.verdict import EVENT_TOPICS, UNREADABLE, are_event_topics, tell
from timer.snapshots import SnapshotLoader
from timer.snapshots.records import TOPIC


def run(address: str, topics: Sequence[str], *, as_json: bool, told: int, whole: bool) -> int:
    """Prints what stands, the `told` worst of what is overdue one by one, and returns the exit status."""
    logging.getLogger("aiokafka").setLevel(logging.CRITICAL)  # what goes wrong is said in a sentence below
    names = tuple(dict.fromkeys(topics)) or EVENT_TOPICS
    if not are_event_topics(names):
        return UNREADABLE

    def read() -> Report:
        return make_report(asyncio.run(survey(address, names, whole=whole)), told)

    return tell(read, lines, lambda report: report.healthy, as_json)


async def survey(address: str, topics: Sequence[str], *, whole: bool) -> Survey:
    """Of the brokers at `address`, read as whom the environment names; `whole`, from the logs' start. Raises what
    brokers raise that do not answer."""
    settings = BusSettings(kafka_bootstrap=address, session_ms=SESSION_MS)
    log, parts = kafka_parts(settings)
    try:
        there = await list_topics(address, KafkaAccess.of(settings))
        kept = not whole and TOPIC in there and set(topics) <= set(EVENT_TOPICS)
        with reading_bar(Console(stderr=True)) as bar:
            async with snapshots_of(parts, topics) if kept else nullcontext() as snapshots:
                return await Reading(parts, bar, snapshots).survey(topics)
    finally:
        await log.close()


@asynccontextmanager
async def snapshots_of(parts: Parts, topics: Sequence[str]) -> AsyncIterator[SnapshotLoader]:
    """The timer's, of these topics. Raises `LogUnavailable`."""
    loader = SnapshotLoader(parts, [*topics], Progress(parts.clock))
    try:
        await loader.start()
        yield loader
    finally:
        await loader.stop()
