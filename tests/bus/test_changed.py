"""What a snapshot must hold: every change that the log has confirmed, also where more is under way."""

from typing import Any

import pytest
from tests.bus.tally import TallyDecider
from tests.bus.test_shard import Bench, TallyShard

from bus.aggregate import Aggregate
from bus.confirmed import Confirmed
from bus.records import TopicPartition
from bus.shard import Shard
from bus.snapshots.records import UnreadableSnapshot


def test_a_confirmed_change_is_one_though_a_later_decision_is_still_under_way() -> None:
    bench = Bench()
    first, second = bench.send(added(1)), bench.send(added(2))
    bench.shard.confirm("a", first.header, 2)
    assert list(bench.shard.take_changed()) == ["a"], "a marker behind the first must not leave it out"
    assert bench.shard.aggregates["a"].unconfirmed == second.header.command_offset
    bench.shard.confirm("a", second.header, 3)
    assert (list(bench.shard.take_changed()), bench.shard.aggregates["a"].as_of) == (["a"], 3)


def test_a_confirmed_change_is_one_though_its_aggregate_is_being_retired() -> None:
    bench = Bench()
    first = bench.send(added(1))
    bench.send({"type": "retire"})
    bench.shard.confirm("a", first.header, 2)
    assert list(bench.shard.take_changed()) == ["a"]


def test_a_snapshot_of_which_a_change_is_missing_is_not_believed() -> None:
    bench = Bench()
    bench.send(added(1))
    marker = confirmed(bench).mark("1", 1)
    bench.send(added(2))
    restored: TallyShard = Shard(TallyDecider(), 0, 1)
    restored.adopt(marker)
    restored.aggregates["a"] = Aggregate(0, -1)
    with pytest.raises(UnreadableSnapshot, match="a: expected version 0, got 1 at"):
        restored.restore(bench.log[-1])


def added(number: int) -> dict[str, Any]:
    return {"type": "add", "number": number}


def confirmed(bench: Bench) -> Confirmed:
    """What the log shows up to here."""
    known = Confirmed(TopicPartition("tally.events", 0))
    for record in bench.log:
        known.take(record)
    return known
