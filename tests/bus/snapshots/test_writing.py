"""A snapshot holds what the log has confirmed and nothing else, and clears away what it replaces."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import pytest
from tests.bus.owning import MARKERS, OFTEN, SNAPSHOTS, add, owning, until_decided, with_snapshot
from tests.bus.tally import Tally, TallyDecider
from tests.memory_log import MemoryLog, let_everybody_run

from bus.aggregate import Aggregate
from bus.records import TopicPartition
from bus.snapshots import Marker, Snapshot, SnapshotWriter
from bus.snapshots.loading import load
from bus.snapshots.records import CHUNK_BYTES_MAX, RecordKey
from bus.snapshots.writing import FOLDED_MIN, Owned, SnapshotFailed
from bus.tasks import end
from bus.validity import Validity

HOUR_SECONDS = 3600.0


@dataclass
class Owner:
    """Stands for an owner under the claim at `claim`, whose log has been confirmed up to `position`."""

    claim: int = 1
    position: int = 2
    aggregates: dict[str, Aggregate[Tally]] = field(default_factory=dict)
    retired: dict[str, int] = field(default_factory=dict)
    changed: dict[str, None] = field(default_factory=dict)
    settling: list[bool] = field(default_factory=list)

    def change(self, name: str, total: int) -> None:
        aggregate = self.aggregates.setdefault(name, Aggregate())
        aggregate.state = Tally(total)
        aggregate.version += 1
        aggregate.as_of = self.position
        self.position += 1
        self.changed[name] = None

    def retire(self, name: str) -> None:
        del self.aggregates[name]
        self.retired[name] = self.position
        self.position += 1
        self.changed[name] = None

    def owned(self) -> Owned[Tally]:
        return Owned(self.aggregates, self.retired, self._take_changed, self._mark, self.settling.append)

    def _take_changed(self) -> Iterable[str]:
        changed, self.changed = self.changed, {}
        return changed

    def _mark(self) -> Marker:
        return Marker(self.position, Validity(b"l" * 16, self.claim, b"o" * 16), 0, None, 0, 0, "1", 1)


Writer = SnapshotWriter[Tally, object, object]


def writer_of(log: MemoryLog, owner: Owner, before: Snapshot | None = None) -> Writer:
    return SnapshotWriter(log.parts(), TallyDecider(), 0, owner.owned(), before or Snapshot())  # type: ignore[arg-type]


async def loaded(log: MemoryLog) -> Snapshot:
    return await load(log.parts(), "tally", 0, lambda _: None)


def kept(log: MemoryLog, partition: TopicPartition) -> dict[bytes, bytes]:
    """What compaction would leave."""
    newest = {record.key or b"": record.value for record in log.records.get(partition, [])}
    return {key: value for key, value in newest.items() if value is not None}


async def test_the_first_snapshot_of_a_claim_is_full_and_later_ones_hold_what_changed() -> None:
    log, owner = MemoryLog(partitions=1), Owner()
    owner.change("a", 1)
    owner.change("b", 1)
    owner.changed.clear()
    writer = writer_of(log, owner)
    await writer.write()
    assert [record.key for record in log.records[SNAPSHOTS]] == [b"a@1@2#1/1", b"b@1@3#1/1"]
    owner.change("b", 2)
    await writer.write()
    assert log.records[SNAPSHOTS][2].key == b"b@1@4#1/1"
    snapshot = await loaded(log)
    assert snapshot.marker is not None
    assert (snapshot.marker.position, snapshot.marker.aggregates) == (5, 2)
    assert {name: (each.version, each.as_of) for name, each in snapshot.aggregates.items()} == {
        "a": (1, 2),
        "b": (2, 4),
    }


async def test_what_a_newer_marker_replaces_goes_and_the_last_record_is_no_tombstone() -> None:
    log, owner = MemoryLog(partitions=1), Owner()
    owner.change("a", 1)
    writer = writer_of(log, owner)
    for total in range(3):
        owner.change("a", total)
        await writer.write()
    assert set(kept(log, SNAPSHOTS)) == {b"a@1@5#1/1", b"@1@0#1/1"}
    assert log.records[SNAPSHOTS][-1].value is not None


async def test_a_new_claim_clears_the_old_ones_away_once_its_own_marker_is_durable() -> None:
    log, owner = MemoryLog(partitions=1), Owner()
    owner.change("a", 1)
    await writer_of(log, owner).write()
    heir = Owner(claim=10, position=11, aggregates=owner.aggregates)
    writer = writer_of(log, heir, await loaded(log))
    await writer.write()
    assert set(kept(log, MARKERS)) == {b"0@10"}
    assert log.records[MARKERS][-1].value is not None
    assert set(kept(log, SNAPSHOTS)) == {b"a@10@2#1/1", b"@10@0#1/1"}


async def test_without_a_durable_marker_nothing_is_cleared_away_and_the_next_round_makes_up_for_it() -> None:
    log, owner = MemoryLog(partitions=1), Owner()
    owner.change("a", 1)
    await writer_of(log, owner).write()
    heir = Owner(claim=10, position=11, aggregates=owner.aggregates)
    writer = writer_of(log, heir, await loaded(log))
    log.trouble = [TimeoutError("lost")]
    with pytest.raises(SnapshotFailed):
        await writer.write()
    before = await loaded(log)
    assert before.marker is not None
    assert before.marker.validity.claim_offset == 1
    assert list(before.aggregates) == ["a"]
    await writer.write()
    after = await loaded(log)
    assert after.marker is not None
    assert after.marker.validity.claim_offset == 10
    assert list(after.aggregates) == ["a"]


async def test_an_aggregate_with_a_decision_under_way_is_waited_for_and_its_owner_asked_to_rest() -> None:
    log, owner = MemoryLog(partitions=1), Owner()
    owner.change("a", 1)
    owner.aggregates["a"].unconfirmed = 5
    writing = asyncio.create_task(writer_of(log, owner).write())
    while not owner.settling:
        await let_everybody_run()
    assert log.records.get(SNAPSHOTS) is None
    owner.aggregates["a"].unconfirmed = -1
    await writing
    assert owner.settling[-1] is False
    assert list((await loaded(log)).aggregates) == ["a"]


async def test_a_retired_one_is_told_of_before_its_records_go() -> None:
    log, owner = MemoryLog(partitions=1), Owner()
    owner.change("a", 1)
    owner.change("b", 1)
    writer = writer_of(log, owner)
    await writer.write()
    owner.retire("a")
    marker = await writer.write()
    assert (marker.aggregates, owner.retired) == (1, {})
    assert [(record.key, record.value is None) for record in log.records[SNAPSHOTS]][2:] == [
        (b"a@1@4#1/1", False),
        (b"a@1@2#1/1", True),
        (b"a@1@4#1/1", True),
        (b"@1@0#1/1", False),
    ]
    assert list((await loaded(log)).aggregates) == ["b"]


@pytest.mark.parametrize("retires", [True, False])
async def test_an_older_record_that_lands_behind_a_newer_one_does_not_count(retires: bool) -> None:
    log, owner = MemoryLog(partitions=1), Owner()
    owner.change("a", 1)
    writer = writer_of(log, owner)
    await writer.write()
    if retires:
        owner.retire("a")
    else:
        owner.change("a", 2)
    await writer.write()
    older, newer = log.records[SNAPSHOTS][:2]
    log.records[SNAPSHOTS] = [older, newer, replace(older, offset=2)]
    versions = {name: each.version for name, each in (await loaded(log)).aggregates.items()}
    assert versions == ({} if retires else {"a": 2})


async def test_a_retired_one_is_told_of_although_the_round_before_failed() -> None:
    log, owner = MemoryLog(partitions=1), Owner()
    owner.change("a", 1)
    writer = writer_of(log, owner)
    await writer.write()
    owner.change("a", 2)
    log.trouble = [TimeoutError("lost")]
    with pytest.raises(SnapshotFailed):
        await writer.write()
    owner.retire("a")
    await writer.write()
    assert set(kept(log, SNAPSHOTS)) == {b"@1@0#1/1"}
    assert (await loaded(log)).aggregates == {}


async def test_one_whose_end_the_log_has_not_confirmed_is_waited_for() -> None:
    log, owner = MemoryLog(partitions=1), Owner()
    owner.change("a", 1)
    writer = writer_of(log, owner)
    await writer.write()
    owner.change("a", 2)
    owner.retire("a")
    end_at, owner.retired["a"] = owner.retired["a"], -1
    writing = asyncio.create_task(writer.write())
    while not owner.settling:
        await let_everybody_run()
    assert len(log.records[SNAPSHOTS]) == 1
    owner.retired["a"] = end_at
    await writing
    assert (await loaded(log)).aggregates == {}


async def test_an_aggregate_of_any_size_comes_back() -> None:
    log, owner = MemoryLog(partitions=1), Owner()
    owner.change("a", 10 ** (CHUNK_BYTES_MAX + 100))
    await writer_of(log, owner).write()
    keys = [RecordKey.unpack(record.key or b"") for record in log.records[SNAPSHOTS]]
    assert [(key.chunk, key.chunks) for key in keys] == [(1, 2), (2, 2)]
    assert (await loaded(log)).aggregates["a"].version == 1


async def test_what_rests_is_kept_as_its_bytes_and_is_all_there_when_somebody_asks() -> None:
    log, owner = MemoryLog(partitions=1), Owner()
    owner.change("resting", 1000)
    owner.change("awake", 1)
    await writer_of(log, owner).write()
    assert owner.aggregates["awake"].frozen is None
    assert owner.aggregates["resting"].frozen is not None
    assert owner.aggregates["resting"].state == Tally(1000)
    assert owner.aggregates["resting"].frozen is None


async def test_a_snapshot_with_a_quarantined_aggregate_says_so() -> None:
    log, owner = MemoryLog(partitions=1), Owner()
    owner.change("a", 1)
    owner.aggregates["a"].quarantined = "ZeroDivisionError while folding"
    assert (await writer_of(log, owner).write()).quarantined == 1


async def test_a_log_that_no_marker_knows_gets_one_at_once_and_any_other_in_its_time() -> None:
    log, owner = MemoryLog(partitions=1), Owner()
    work = asyncio.create_task(writer_of(log, owner).run(HOUR_SECONDS))
    await log.until(MARKERS.topic, 1)
    await end([work])
    heir = Owner(claim=10, position=11)
    work = asyncio.create_task(writer_of(log, heir, await loaded(log)).run(HOUR_SECONDS))
    await let_everybody_run()
    await end([work])
    assert len(log.all(MARKERS.topic)) == 1


async def test_what_took_long_to_fold_is_written_down_at_once() -> None:
    log = MemoryLog(partitions=1)
    await writer_of(log, Owner()).write()
    heir = Owner(claim=10, position=2 + FOLDED_MIN)
    work = asyncio.create_task(writer_of(log, heir, await loaded(log)).run(HOUR_SECONDS))
    await let_everybody_run()
    assert len(log.all(MARKERS.topic)) == 1
    await end([work])
    heir.position += 1
    work = asyncio.create_task(writer_of(log, heir, await loaded(log)).run(HOUR_SECONDS))
    await log.until(MARKERS.topic, 2)
    await end([work])


async def test_an_owner_writes_its_snapshots_by_itself_and_starts_again_from_the_newest() -> None:
    log = await with_snapshot()
    first = await loaded(log)
    add(log, "a1", 1, "later")
    async with owning(log, OFTEN):
        await until_decided(log, "later")
        await log.until(MARKERS.topic, len(log.all(MARKERS.topic)) + 3)
    second = await loaded(log)
    assert first.marker is not None
    assert second.marker is not None
    assert second.marker.position > first.marker.position
    assert second.marker.validity.claim_offset > first.marker.validity.claim_offset
    assert second.aggregates["a1"].version == first.aggregates["a1"].version + 1
