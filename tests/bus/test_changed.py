"""What a snapshot must hold: every change that the log has confirmed, also where more is under way."""

from tests.bus.test_shard import Bench, add


def test_a_confirmed_change_is_one_though_a_later_decision_is_still_under_way() -> None:
    bench = Bench()
    first, second = bench.send(add(1)), bench.send(add(2))
    bench.shard.confirm("a", first.header, 2)
    assert list(bench.shard.take_changed()) == ["a"], "a marker behind the first must not leave it out"
    assert bench.shard.aggregates["a"].unconfirmed == second.header.command_offset
    bench.shard.confirm("a", second.header, 3)
    assert (list(bench.shard.take_changed()), bench.shard.aggregates["a"].as_of) == (["a"], 3)


def test_a_confirmed_change_is_one_though_its_aggregate_is_being_retired() -> None:
    bench = Bench()
    first = bench.send(add(1))
    bench.send({"type": "retire"})
    bench.shard.confirm("a", first.header, 2)
    assert list(bench.shard.take_changed()) == ["a"]
