"""``capicua admin audit``: read the deciders' logs from their start and say whether the protocol holds in them."""

import asyncio
import json
import logging
from collections.abc import Iterator, Sequence

from rich.console import Console

from bus.access import KafkaAccess
from bus.kafka import KafkaLog
from bus.settings import BusSettings
from capicua.server.audit.aggregates import OnHash, TableHash
from capicua.server.audit.auditor import EVENTS, Known, audit
from capicua.server.audit.report import Report
from capicua.server.audit.source import BESIDE, LogSource
from capicua.server.bar import reading_bar
from capicua.server.brokers import list_topics
from capicua.server.environment import SESSION_MS
from capicua.server.output import say
from capicua.server.verdict import EVENT_TOPICS, UNREADABLE, are_event_topics, tell

TOLD = 20


def run(address: str, topics: Sequence[str], *, as_json: bool, hashes: bool, settled: bool, snapshots: bool) -> int:
    """Prints what the audit finds and returns the exit status."""
    logging.getLogger("aiokafka").setLevel(logging.CRITICAL)  # what goes wrong is said in a sentence below
    names = topics or EVENT_TOPICS
    if not are_event_topics(names):
        return UNREADABLE
    deciders = [name.removesuffix(EVENTS) for name in names]
    on_hash = (_json_hash if as_json else _text_hash) if hashes else None

    def report() -> Report:
        return asyncio.run(read(address, deciders, settled=settled, snapshots=snapshots, on_hash=on_hash))

    return tell(report, lines, lambda found: found.clean, as_json)


async def read(
    address: str,
    deciders: Sequence[str],
    *,
    settled: bool = False,
    snapshots: bool = False,
    on_hash: OnHash | None = None,
) -> Report:
    """The audit of what the brokers at `address` hold of `deciders`, read as whom the environment names. Raises what
    brokers raise that do not answer."""
    access = KafkaAccess.of(BusSettings(kafka_bootstrap=address))
    log = KafkaLog(address, SESSION_MS, access)
    try:
        with reading_bar(Console(stderr=True)) as bar:
            topics = await list_topics(address, access)
            kinds = BESIDE if snapshots else BESIDE[:1]
            beside = [name for decider in deciders for kind in kinds if (name := f"{decider}{kind}") in topics]
            source = LogSource(log, deciders, bar.advance, beside)
            known = await source.survey(Known(settled=settled))
            bar.start(source.total)
            return await audit(source.records(), known, on_hash=on_hash)
    finally:
        await log.close()


def lines(report: Report) -> Iterator[str]:
    """The report for people."""
    yield (
        f"{report.records} records and {report.commands} commands in {report.partitions} partitions: "
        f"{report.valid} valid outcomes ({report.refusals} refusals, {report.faults} faults, "
        f"{report.duplicates} repeated, {report.timeouts} timeouts), {report.claims} claims, "
        f"{report.heartbeats} heartbeats, {report.skipped} commands passed over, {report.outages} outages"
    )
    yield (
        f"{report.aggregates} aggregates ({report.tables_over} tables over, {report.retired} retired), "
        f"{report.hashes_checked} state hashes and {report.deals_checked} deals checked; "
        f"{report.waiting} commands wait, {report.overdue} deadlines overdue"
        f"{f' by up to {report.overdue_ms_max} ms' if report.overdue else ''}"
    )
    yield f"{report.markers} markers and {report.snapshots} snapshots, {report.snapshots_unreadable} not readable"
    for why, count in report.void.most_common():
        yield f"void, {why.value}: {count} ({why.meaning})"
    for tag, count in report.unknown_events.most_common():
        yield f"tables not folded, unknown event {tag}: {count}"
    for violation in report.violations[:TOLD]:
        yield f"VIOLATION {violation}"
    for cause, count in report.counts.most_common():
        yield f"violations, {cause.value}: {count} ({cause.meaning})"
    yield "Clean." if report.clean else "NOT clean."


def _json_hash(found: TableHash) -> None:
    say(json.dumps(found._asdict()))


def _text_hash(found: TableHash) -> None:
    say(f"{found.table_id} {found.version} {found.status} {found.state_hash}")
