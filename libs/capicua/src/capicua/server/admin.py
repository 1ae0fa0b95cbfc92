"""``capicua admin``: what people look at when something could not be decided, or may have gone wrong."""

import asyncio
import json
import logging
import os
from typing import Annotated

import typer
from aiokafka.errors import KafkaError

from bus.kafka import KafkaLog
from bus.local import Home
from bus.local.ports import HOST
from bus.records import LogTruncated, LogUnavailable, TopicPartition
from capicua.server.audit import command as auditing
from capicua.server.environment import SESSION_MS
from capicua.server.reports import reports
from capicua.server.skip import command as skipping
from capicua.server.timers import command as timing
from contracts.envelope import DeadLetter
from contracts.topics import TOPICS

POLL_MS = 200
DEAD_TOPICS = tuple(topic.name for topic in TOPICS if topic.body is DeadLetter)

admin = typer.Typer(name="admin", help="Look after a running Capicua.", no_args_is_help=True)
admin.add_typer(reports, no_args_is_help=True)


@admin.callback()
def group() -> None:
    """Look after a running Capicua."""


@admin.command("dead-letters")
def dead_letters(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """List the commands that could not be decided, and why; oldest first in each partition."""
    logging.getLogger("aiokafka").setLevel(logging.CRITICAL)  # what goes wrong is said in a sentence below
    try:
        letters = asyncio.run(read_dead_letters(bootstrap()))
    except (KafkaError, LogTruncated, LogUnavailable, OSError) as error:
        typer.echo(f"The dead letters cannot be read ({type(error).__name__}): is Capicua up? 'capicua status' tells.")
        raise typer.Exit(1) from None
    for letter in letters:
        typer.echo(json.dumps(letter.model_dump()) if as_json else sentence(letter))
    if not letters and not as_json:
        typer.echo("No dead letters.")


@admin.command()
def audit(
    topics: Annotated[list[str] | None, typer.Argument(help="Event topics, as table.events; all without.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object, the last line.")] = False,
    hashes: Annotated[bool, typer.Option("--hashes", help="Print every table's last state hash too.")] = False,
    settled: Annotated[
        bool, typer.Option("--settled", help="Nothing is being decided: every command must have its outcome.")
    ] = False,
    snapshots: Annotated[
        bool, typer.Option("--snapshots", help="Hold every snapshot against the log too; takes memory for each.")
    ] = False,
) -> None:
    """Read event logs from their start and check every rule of theirs anew.

    Exit status: 0 clean, 1 not, 2 unread, 141 nobody reads the output any more.
    """
    raise typer.Exit(
        auditing.run(bootstrap(), topics or (), as_json=as_json, hashes=hashes, settled=settled, snapshots=snapshots)
    )


@admin.command()
def skip(
    decider: Annotated[str, typer.Argument(help="Whose commands, as table.")],
    partition: Annotated[int, typer.Argument(help="The partition, as 3.")],
    to: Annotated[int, typer.Option("--to", help="The offset of the last command to pass over.")],
    reason: Annotated[str, typer.Option("--reason", help="Why; it stays in the log for ever.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do it; without, it is only told what would be done.")] = False,
) -> None:
    """Pass commands over, the next one and those up to an offset: for what can be got rid of in no other way.

    Nobody gets an answer to them. Exit status: 0 done or told, 1 not passed over, 2 refused or unread.
    """
    raise typer.Exit(skipping.run(bootstrap(), decider, partition, to=to, reason=reason, yes=yes))


@admin.command()
def timers(
    topics: Annotated[list[str] | None, typer.Argument(help="Event topics, as table.events; all without.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    told: Annotated[int, typer.Option("--overdue", min=0, help="List so many of the overdue, the oldest first.")] = 0,
    whole: Annotated[
        bool, typer.Option("--whole", help="Read the logs from their start, not on from the timer's snapshots.")
    ] = False,
) -> None:
    """Show which deadlines are armed and which are overdue, and how late timeouts were lately.

    Exit status: 0 well, 1 something is overdue or waits for an owner, 2 unread, 141 nobody reads the output any more.
    """
    raise typer.Exit(timing.run(bootstrap(), topics or (), as_json=as_json, told=told, whole=whole))


def bootstrap() -> str:
    """The address in KAFKA_BOOTSTRAP, else of the Kafka that was started here last."""
    return os.environ.get("KAFKA_BOOTSTRAP") or f"{HOST}:{Home.from_environment().ports().get('kafka', 0)}"


async def read_dead_letters(address: str) -> list[DeadLetter]:
    """Everything that the `*.dead` topics hold. Raises what a broker that does not answer raises."""
    log = KafkaLog(address, SESSION_MS)
    reader = log.reader("admin")
    try:
        partitions = [
            TopicPartition(topic, number) for topic in DEAD_TOPICS for number in range(await log.partition_count(topic))
        ]
        bounds = {partition: await log.bounds(partition) for partition in partitions}
        unread = {partition: end for partition, (begin, end) in bounds.items() if begin < end}
        await reader.start(partitions)
        for partition in unread:
            reader.seek(partition, bounds[partition][0])
        letters: list[DeadLetter] = []
        while unread:
            for partition, records in (await reader.poll(POLL_MS)).items():
                letters += [DeadLetter.model_validate_json(record.value or b"") for record in records]
                if records[-1].offset + 1 >= unread.get(partition, 0):
                    unread.pop(partition, None)
        return letters
    finally:
        await reader.stop()
        await log.close()


def sentence(letter: DeadLetter) -> str:
    who = f" from {letter.principal}" if letter.principal else ""
    return f"{letter.topic}:{letter.partition}:{letter.offset}{who}: {letter.code}: {letter.message}"
