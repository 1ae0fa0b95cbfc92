"""``capicua admin skip``: pass commands over that can be got rid of in no other way."""

import asyncio
import logging

import typer
from rich.console import Console

from bus.access import KafkaAccess
from bus.clock import Clock, SystemClock
from bus.confirmed import Confirmed
from bus.header import CommandsSkipped
from bus.kafka import KafkaLog
from bus.pipeline import SendFailed
from bus.records import Log, TopicPartition
from bus.settings import BusSettings
from bus.validity import Verdict
from capicua.server.bar import reading_bar
from capicua.server.brokers import UNREAD, list_topics, why_unread
from capicua.server.environment import SESSION_MS
from capicua.server.skip.plan import Refused, check_reason, lines, make_plan
from capicua.server.skip.reading import fold, waiting
from capicua.server.skip.writing import pass_over
from contracts.topics import DECIDERS, TOPICS

NOT_PASSED_OVER, REFUSED = 1, 2
DRY = "Nothing was written. Nobody will get an answer to these commands; to pass them over, add --yes."
VOID = "Nothing was passed over: {}. A command was decided or passed over in between; try again."
TIMER = "Start the timer again: it takes the timeouts among them for sent, and sends them anew only then."
UNKNOWN = "It is not known whether they were passed over ({}). Look without --yes: the next command tells."


def run(address: str, decider: str, partition: int, *, to: int, reason: str, yes: bool) -> int:
    """Prints what it would do, or does it; returns the exit status. Status 2: nothing was written."""
    logging.getLogger("aiokafka").setLevel(logging.CRITICAL)  # what goes wrong is said in a sentence below
    try:
        check_reason(reason)
        return asyncio.run(skip(address, decider, partition, to=to, reason=reason, yes=yes))
    except Refused as error:
        typer.echo(f"Refused: {error}.", err=True)
    except UNREAD as error:
        typer.echo(why_unread(error), err=True)
    return REFUSED


async def skip(address: str, decider: str, partition: int, *, to: int, reason: str, yes: bool) -> int:
    """Of the brokers at `address`, as whom the environment names. Raises `Refused`, and what brokers raise that do not
    answer; then nothing was written."""
    access = KafkaAccess.of(BusSettings(kafka_bootstrap=address))
    log, clock = KafkaLog(address, SESSION_MS, access), SystemClock()
    try:
        check_decider(decider, await list_topics(address, access))
        events = TopicPartition(f"{decider}.events", partition)
        commands = TopicPartition(f"{decider}.commands", partition)
        check_partition(events, await log.partition_count(events.topic))
        with reading_bar(Console(stderr=True)) as bar:
            bar.start((await log.bounds(events))[1])
            confirmed = await fold(log, events, bar.advance)
        plan = make_plan(commands, confirmed.validity, await log.bounds(commands), to)
        typer.echo("\n".join(lines(plan, await waiting(log, plan), clock.wall())))
        if yes:
            return await write(log, clock, confirmed, CommandsSkipped(plan.first, plan.last, reason))
        typer.echo(DRY)
        return 0
    finally:
        await log.close()


async def write(log: Log, clock: Clock, confirmed: Confirmed, skipped: CommandsSkipped) -> int:
    """Passes the commands over that come next in the log as it was folded; says how it ended."""
    try:
        judgement = await pass_over(log, clock, confirmed, skipped)
    except (SendFailed, *UNREAD) as error:
        typer.echo(UNKNOWN.format(f"{type(error).__name__}: {error}".rstrip(": ")), err=True)
        return NOT_PASSED_OVER
    if judgement.verdict is not Verdict.VALID:
        typer.echo(VOID.format(judgement.why), err=True)
        return NOT_PASSED_OVER
    typer.echo(f"Passed over: {skipped.first} to {skipped.last}. The next command is {skipped.last + 1}.")
    typer.echo(TIMER)
    return 0


def check_decider(decider: str, topics: set[str]) -> None:
    """Raises `Refused` when it has not both commands and events."""
    kinds = [{name.removesuffix(kind) for name in topics if name.endswith(kind)} for kind in (".commands", ".events")]
    deciders = set.intersection(*kinds) - ({topic.owner for topic in TOPICS} - set(DECIDERS))
    if decider not in deciders:
        raise Refused(f"expected a decider, one of {', '.join(sorted(deciders)) or 'none'}, got {decider}")


def check_partition(events: TopicPartition, partitions: int) -> None:
    """Raises `Refused` when there is no such one."""
    if not 0 <= events.partition < partitions:
        raise Refused(f"{events.topic}: expected a partition from 0 to {partitions - 1}, got {events.partition}")
