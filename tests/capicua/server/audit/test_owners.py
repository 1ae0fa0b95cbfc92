"""The audit of what real owners write, snapshots included, in memory."""

import asyncio
from dataclasses import replace

from tests.bus.owning import OFTEN, add, decided, owning, send, until_decided, with_snapshot
from tests.memory_log import MemoryLog

from bus.records import NewRecord, TopicPartition
from bus.runtime import DeciderRuntime
from capicua.server.audit import Known, LogSource, Report, Void, audit
from contracts.envelope import CommandEnvelope
from contracts.table import OpenTable, Reservation, SitDown
from table.decider import TableDecider

TABLE_ID = "01hf7yat000000000000000000"
BESIDE = ("markers", "snapshots")


async def audited(log: MemoryLog, decider: str = "tally") -> Report:
    source = LogSource(log, [decider], beside=[f"{decider}.{kind}" for kind in BESIDE])
    known = await source.survey(Known(settled=True))
    return await audit(source.records(), known)


async def test_owners_that_follow_each_other_leave_a_clean_log_and_true_snapshots() -> None:
    log = await with_snapshot(commands=6)
    async with owning(log, OFTEN):
        add(log, "a0", -1, "refused")
        add(log, "a1", 1, "c1")  # again
        send(log, "a0", {"type": "explode"}, "fault")
        log.put(NewRecord("tally.commands", 0, b"a0", b"unreadable"))
        add(log, "a0", 1, "last")
        await until_decided(log, '"last"')
    report = await audited(log)
    assert report.clean, report.violations
    assert not report.void
    assert (report.valid, report.refusals, report.faults, report.duplicates) == (11, 1, 2, 1)
    assert report.markers >= 1
    assert report.snapshots >= 2
    assert report.snapshots_unreadable == 0


async def test_a_send_whose_result_is_unknown_and_a_lost_one_leave_a_clean_log() -> None:
    log = MemoryLog(partitions=1)
    async with owning(log):
        add(log, "a0", 1, '"first"')
        await until_decided(log, "first")
        log.trouble += [ConnectionError("landed"), ConnectionError("lost")]
        for number in range(5):
            add(log, "a0", 1, f"c{number}")
        async with asyncio.timeout(10):
            while len(decided(log)) < 6:
                await log.moved.wait()
    report = await audited(log)
    assert report.clean, report.violations
    assert report.claims >= 2
    assert report.valid == 6
    assert report.void[Void.AFTER_A_GAP] >= 1


async def test_a_real_table_in_a_snapshot_is_the_table_as_the_log_has_it() -> None:
    log = MemoryLog(partitions=1)
    log.assigned = {TopicPartition("table.commands", 0)}
    runtime = DeciderRuntime(TableDecider(), replace(log.parts(), chance=lambda: 0.0), 2000, OFTEN)
    await runtime.start()
    work = asyncio.create_task(runtime.run())
    seats = (Reservation(account="ann"), Reservation(account="bob"))
    ask(log, "lobby", OpenTable(ruleset={"preset": "draw"}, seats=seats, region="eu"))
    ask(log, "ann", SitDown(client_seed="luck"))
    ask(log, "bob", SitDown())
    await log.until("table.events", 5)
    await log.until("table.markers", len(log.all("table.markers")) + 2)
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)
    report = await audited(log, "table")
    assert report.clean, report.violations
    assert (report.deals_checked, report.aggregates) == (1, 1)
    assert report.snapshots >= 1


def ask(log: MemoryLog, principal: str, command: OpenTable | SitDown) -> None:
    payload = command.model_dump(mode="json")
    envelope = CommandEnvelope(id=f"{principal}-1", principal=principal, aggregate=TABLE_ID, command=payload)
    log.put(NewRecord("table.commands", 0, TABLE_ID.encode(), envelope.model_dump_json().encode()))
