"""What is retired leaves memory, and comes back neither from the log nor from a snapshot, whatever became of that."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

import pytest
from tests.bus.owning import (
    EVENTS,
    MARKERS,
    OFTEN,
    SNAPSHOTS,
    add,
    decided,
    folded,
    owning,
    send,
    until_decided,
    with_snapshot,
)
from tests.bus.tally import Command, Event, Tally, TallyDecider
from tests.bus.test_shard import OWNER, Bench, TallyShard, body
from tests.bus.test_shard import add as adds
from tests.memory_log import MemoryLog

from bus import digest
from bus.aggregate import Aggregate
from bus.decider import Context
from bus.header import HEADER, OutcomeHeader, pack
from bus.records import NewRecord
from bus.shard import Shard
from bus.snapshots.loading import load
from bus.snapshots.records import StateCodec, chunks_of
from contracts.envelope import Refusal, Retired, TimeOut

RETIRE = {"type": "retire"}


async def with_a_retired_one() -> MemoryLog:
    """`a0` and `a1` stand in a snapshot; then `a0` is retired, and no snapshot was written since."""
    log = await with_snapshot()
    async with owning(log):
        send(log, "a0", RETIRE, "retire-it")
        await until_decided(log, "retire-it")
    return log


async def retired_in_a_snapshot() -> MemoryLog:
    """`a0` and `a1` stood in a snapshot; the same owner has retired `a0`, and written what it has to tell of that."""
    log = MemoryLog(partitions=1)
    async with owning(log, OFTEN):
        add(log, "a0", 1, "c0")
        add(log, "a1", 1, "c1")
        await until_decided(log, '"c1"')
        await log.until(MARKERS.topic, len(log.all(MARKERS.topic)) + 2)
        send(log, "a0", RETIRE, "retire-it")
        await until_decided(log, "retire-it")
        await log.until(MARKERS.topic, len(log.all(MARKERS.topic)) + 3)
    return log


async def answer(log: MemoryLog, aggregate: str, command_id: str = "one-more") -> int:
    """The version of `aggregate` after one more command that a new owner decides, with snapshots."""
    add(log, aggregate, 1, command_id)
    async with owning(log, OFTEN):
        version = (await until_decided(log, f'"{command_id}"')).version
        await log.until(MARKERS.topic, len(log.all(MARKERS.topic)) + 2)
    return version


def on_disk(log: MemoryLog) -> set[str]:
    """Aggregates of which compaction would leave a record."""
    newest = {record.key or b"": record.value for record in log.records[SNAPSHOTS]}
    return {key.decode().partition("@")[0] for key, value in newest.items() if value is not None} - {""}


# ---- the shard


def test_what_is_retired_leaves_memory_and_the_digest_with_its_answers() -> None:
    bench = Bench()
    bench.send(adds(1), "x")
    retired = bench.send(RETIRE)
    assert (body(retired)["events"], body(retired)["version"]) == ([{"type": "retired"}], 0)
    assert (retired.header.from_version, retired.header.to_version, retired.header.digest) == (1, 0, 0)
    assert bench.shard.aggregates == bench.folded().aggregates == {}
    assert bench.send(adds(-1), "x").code == "negative", "no first answer is known any more"
    assert bench.shard.aggregates == bench.folded().aggregates == {}
    assert bench.folded().alarms == []


def test_neighbours_stay_and_keep_their_share_of_the_digest() -> None:
    bench = Bench()
    bench.send(adds(1))
    header = OutcomeHeader(1, OWNER, 1, 0, 1, digest.term("a", 1) ^ digest.term("b", 1), None, None)
    other = {**body(bench.send(adds(2))), "aggregate": "b", "version": 1}
    bench.log[-1] = replace(
        bench.log[-1], key=b"b", value=json.dumps(other).encode(), headers=((HEADER, pack(header)),)
    )
    bench.shard = bench.folded()
    bench.send(RETIRE)
    assert list(bench.folded().aggregates) == ["b"]
    assert bench.folded().digest == digest.term("b", 1)
    assert bench.folded().alarms == []


def test_retiring_what_does_not_exist_changes_nothing() -> None:
    bench = Bench()
    nothing = bench.send(RETIRE)
    assert (nothing.code, nothing.header.to_version, body(nothing)["events"]) == ("accepted", 0, [])
    assert bench.folded().aggregates == {}


def test_a_retired_one_is_known_as_such_until_a_snapshot_has_told_of_it() -> None:
    bench = Bench()
    bench.send(adds(1))
    retired = bench.send(RETIRE)
    assert bench.shard.retired == {"a": -1}, "the log has not confirmed it"
    bench.shard.confirm("a", retired.header, 3)
    assert (bench.shard.retired, list(bench.shard.take_changed())) == ({"a": 3}, ["a"])


def test_a_version_that_does_not_follow_is_an_alarm_when_retiring_too() -> None:
    bench = Bench()
    bench.send(adds(1))
    bench.send(RETIRE)
    header = OutcomeHeader(1, OWNER, 1, 7, 0, 0, None, None)
    bench.log[-1] = replace(bench.log[-1], headers=((HEADER, pack(header)),))
    folded = bench.folded()
    assert any("expected version 1, got 7" in alarm for alarm in folded.alarms)
    assert folded.aggregates == {}


class Late(TallyDecider):
    """Its alarm retires."""

    def decide(self, state: Tally | None, command: Command, context: Context) -> Sequence[Event] | Refusal | Retired:
        return Retired() if isinstance(command, TimeOut) else super().decide(state, command, context)


def test_a_later_command_finds_it_retired_by_its_deadline() -> None:
    bench = Bench()
    bench.shard.decider = Late()
    bench.send({"type": "arm", "milliseconds": 100}, at=5000)
    late = bench.send(adds(-1), at=5101)
    assert (late.code, late.header.to_version, body(late)["events"]) == ("negative", 0, [{"type": "retired"}])
    assert bench.folded().aggregates == {}


def test_nothing_is_made_anew_by_the_command_that_finds_it_retired() -> None:
    bench = Bench()
    bench.shard.decider = Late()
    bench.send({"type": "arm", "milliseconds": 100}, at=5000)
    assert bench.send(adds(1), at=5101).code == "bug"
    assert bench.shard.aggregates["a"].version == 1


# ---- restoring


async def test_a_snapshot_that_is_older_than_the_retiring_brings_nothing_back() -> None:
    log = await with_a_retired_one()
    assert await answer(log, "a1") == 3
    assert list(folded(log).aggregates) == ["a1"]
    assert on_disk(log) == {"a1"}


async def test_a_repeated_retiring_changes_nothing() -> None:
    log = await with_a_retired_one()
    send(log, "a0", RETIRE, "retire-it")
    async with owning(log, OFTEN), asyncio.timeout(10):
        while len(decided(log)) < 6:
            await log.moved.wait()
    assert [body.version for body in decided(log)][-2:] == [0, 0]
    assert decided(log)[-1].events == ()
    assert await answer(log, "a1") == 3


@pytest.mark.parametrize("made", [with_a_retired_one, retired_in_a_snapshot])
async def test_what_was_retired_is_made_anew_and_lives_on_as_such(made: Callable[[], Awaitable[MemoryLog]]) -> None:
    log = await made()
    assert await answer(log, "a0") == 1
    assert folded(log).aggregates["a0"].version == 1
    assert folded(log).alarms == []
    assert on_disk(log) == {"a0", "a1"}
    assert await answer(log, "a0", "once-more") == 2


async def test_an_owner_with_snapshots_tells_of_the_end_and_then_leaves_no_record() -> None:
    log = await retired_in_a_snapshot()
    assert on_disk(log) == {"a1"}
    snapshot = await load(log.parts(), "tally", 0, lambda _: None)
    assert snapshot.marker is not None
    assert (list(snapshot.aggregates), snapshot.marker.aggregates) == (["a1"], 1)
    assert await answer(log, "a1") == 2


async def test_a_crash_before_the_old_records_are_cleared_away_brings_nothing_back() -> None:
    log = await retired_in_a_snapshot()
    log.records[SNAPSHOTS] = [
        replace(record, offset=number)
        for number, record in enumerate(record for record in log.records[SNAPSHOTS] if record.value is not None)
    ]
    snapshot = await load(log.parts(), "tally", 0, lambda _: None)
    assert list(snapshot.aggregates) == ["a1"]
    assert await answer(log, "a1") == 2


async def test_a_stale_record_of_a_retired_one_is_found_out_by_the_digest() -> None:
    log = await with_a_retired_one()
    assert await answer(log, "a1") == 3
    snapshot = await load(log.parts(), "tally", 0, lambda _: None)
    assert snapshot.marker is not None
    claim = snapshot.marker.validity.claim_offset
    stale: Aggregate[Tally] = Aggregate(version=2, as_of=7)
    stale.state = Tally(total=2)
    for key, value in chunks_of("a0", claim, stale.as_of, StateCodec(TallyDecider()).encode(stale)):
        log.put(NewRecord(*SNAPSHOTS, key, value))
    assert await answer(log, "a0", "after-that") == 1, "made anew, and not changed again"


@pytest.mark.parametrize("after", [1, 2])
async def test_what_came_behind_a_marker_of_one_retired_since_is_passed_over(after: int) -> None:
    """Its record was not written any more: it left memory between the marker's place in the log and its turn."""
    log = await with_a_retired_one()
    shard: TallyShard = Shard(TallyDecider(), 0, 1)
    snapshot = await load(log.parts(), "tally", 0, lambda _: None)
    records = log.all(EVENTS.topic)
    place = next(record.offset for record in records if record.value and b'"a0"' in record.value) + after
    for record in records[:place]:
        shard.restore(record)
    assert snapshot.marker is not None
    marker = replace(
        snapshot.marker, position=place, validity=shard.fold.validity.copy(), digest=shard.digest, aggregates=0
    )
    restored: TallyShard = Shard(TallyDecider(), 0, 1)
    restored.adopt(marker)
    for name, known in shard.aggregates.items():
        if name != "a0":
            restored.aggregates[name] = known
    for record in records[place:]:
        restored.restore(record)
    assert restored.alarms == []
    assert restored.digest_of_aggregates(restored.aggregates) == restored.digest
