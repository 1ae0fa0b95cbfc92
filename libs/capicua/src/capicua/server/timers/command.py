"""``capicua admin timers``: which deadlines stand, which are overdue, and how late they took effect lately."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, nullcontext

import typer
from rich.console import Console

from bus.access import KafkaAccess
from bus.health import Progress
from bus.parts import Parts, kafka_parts
from bus.settings import BusSettings
from capicua.server.bar import reading_bar
from capicua.server.brokers import UNREAD, list_topics, why_unread
from capicua.server.environment import SESSION_MS
from capicua.server.output import OutputClosed, output_closed, say
from capicua.server.timers.lines import lines
from capicua.server.timers.reading import EVENTS, Reading, Survey
from capicua.server.timers.report import make_report
from contracts.topics import TOPICS
from timer.snapshots import SnapshotLoader
from timer.snapshots.records import TOPIC

OVERDUE, UNREADABLE = 1, 2
TOPICS_READ = tuple(topic.name for topic in TOPICS if topic.name.endswith(EVENTS))


def run(address: str, topics: Sequence[str], *, as_json: bool, told: int, whole: bool) -> int:
    """Prints what stands, the `told` worst of what is overdue one by one, and returns the exit status."""
    logging.getLogger("aiokafka").setLevel(logging.CRITICAL)  # what goes wrong is said in a sentence below
    names = tuple(dict.fromkeys(topics)) or TOPICS_READ
    if strange := [name for name in names if not name.endswith(EVENTS)]:
        typer.echo(f"Expected event topics, as {', '.join(TOPICS_READ)}, got {', '.join(strange)}.", err=True)
        return UNREADABLE
    try:
        report = make_report(asyncio.run(survey(address, names, whole=whole)), told)
        say(json.dumps(report.to_json()) if as_json else "\n".join(lines(report)))
    except OutputClosed:
        return output_closed()
    except UNREAD as error:
        typer.echo(why_unread(error), err=True)
        return UNREADABLE
    return 0 if report.healthy else OVERDUE


async def survey(address: str, topics: Sequence[str], *, whole: bool) -> Survey:
    """Of the brokers at `address`, read as whom the environment names; `whole`, from the logs' start. Raises what
    brokers raise that do not answer."""
    settings = BusSettings(kafka_bootstrap=address, session_ms=SESSION_MS)
    log, parts = kafka_parts(settings)
    there = await list_topics(address, KafkaAccess.of(settings))
    kept = not whole and TOPIC in there and set(topics) <= set(TOPICS_READ)
    try:
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
