import asyncio

import pytest
from tests.gateway.matches import whole_match
from tests.gateway.written import Written

from bus.outcomes import MalformedBody
from bus.partitioning import partition_of
from bus.records import TopicPartition
from bus.tasks import LoopTasks
from contracts.envelope import Retired
from gateway.history import History, PastUnavailable
from gateway.step import Change, fold

CHANGES = whole_match(seed=41)


def place(written: Written, table_id: str) -> TopicPartition:
    return TopicPartition("table.events", partition_of(table_id, written.log.partitions))


def history_of(written: Written) -> History:
    return History(written.log, written.log.clock, LoopTasks())


def same_partition(written: Written, count: int) -> list[str]:
    """Ids of tables that share a partition."""
    first = place(written, "t0")
    found = (f"t{number}" for number in range(1000) if place(written, f"t{number}") == first)
    return [next(found) for _ in range(count)]


async def test_a_tables_changes_are_found_among_those_of_others() -> None:
    written = Written()
    one, two = same_partition(written, 2)
    for change in CHANGES:
        written.change(one, change)
        written.outcome("table.events", one, (change.to_version, change.to_version))
        written.change(two, change)
    found = await history_of(written).of(place(written, one), one)
    assert {outcome.aggregate for outcome, _ in found} == {one}
    assert fold(Change.of(outcome, body) for outcome, body in found) == fold(CHANGES)


async def test_the_past_of_a_retired_table_is_all_that_was_played_at_it() -> None:
    written = Written()
    for change in CHANGES:
        written.change("t0", change)
    written.change("t0", Change(CHANGES[-1].to_version, 0, 0, (Retired().model_dump(),)))
    found = await history_of(written).of(place(written, "t0"), "t0")
    assert fold(Change.of(outcome, body) for outcome, body in found) == fold(CHANGES)


async def test_a_table_that_never_was_has_no_past() -> None:
    written = Written()
    written.change("t0", CHANGES[0])
    assert await history_of(written).of(place(written, "t0"), "tnosuch") == []
    assert await history_of(Written()).of(place(written, "t0"), "t0") == []


async def test_one_reading_serves_all_who_wait_for_the_partition() -> None:
    written = Written()
    tables = same_partition(written, 5)
    for table_id in tables:
        written.change(table_id, CHANGES[0])
    history = history_of(written)
    found = await asyncio.gather(*(history.of(place(written, table_id), table_id) for table_id in tables))
    assert [len(outcomes) for outcomes in found] == [1] * 5
    assert written.log.readers == 1


async def test_a_body_that_cannot_be_read_is_told_to_who_waits_and_the_next_asker_is_served() -> None:
    written = Written()
    broken, good = same_partition(written, 2)
    written.outcome("table.events", broken, (0, 1), b"not json")
    written.change(good, CHANGES[0])
    history = history_of(written)
    with pytest.raises(MalformedBody):
        await history.of(place(written, broken), broken)
    assert len(await history.of(place(written, good), good)) == 1


async def test_a_log_that_does_not_answer_is_told_to_who_waits() -> None:
    written = Written()
    written.log.away = True
    with pytest.raises(PastUnavailable, match="LogUnavailable"):
        await history_of(written).of(place(written, "t0"), "t0")
