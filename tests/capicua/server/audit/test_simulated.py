"""The audit of what the whole product leaves behind after a run of simulated faults."""

from contextlib import nullcontext
from typing import Any

import pytest
from tests.simulation import running
from tests.simulation.broker import Broker
from tests.simulation.planted import PLANTED
from tests.simulation.result import Result
from tests.simulation.running import simulate
from tests.simulation.world import World

from capicua.server.audit import Auditor, Cause, Known, Report

ORDER = ("markers", "snapshots", "commands", "events")


def simulated(seed: int, monkeypatch: pytest.MonkeyPatch, planted: Any = nullcontext) -> tuple[Result, Broker]:
    """The run's result, and the broker with all that it holds."""
    worlds: list[World] = []

    class Kept(World):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            worlds.append(self)

    monkeypatch.setattr(running, "World", Kept)
    with planted():
        result = simulate(seed)
    return result, worlds[0].broker


def audited(broker: Broker, *, settled: bool) -> Report:
    """With `settled`, every command must have an outcome but the last of each partition: tables play on by themselves,
    and one of their commands may be under way when the run ends."""
    partitions = {topic: count for topic, count in broker.topics.items() if topic.endswith(".events")}
    ends = {place: len(held.records) for place, held in broker.partitions.items() if place.topic.endswith(".commands")}
    answered = {place: end - 1 for place, end in ends.items()} if settled else {}
    auditor = Auditor(Known(partitions=partitions, answered=answered))
    for kind in ORDER:
        for place, held in broker.partitions.items():
            if place.topic.endswith(f".{kind}"):
                for record in held.records:
                    if record is not None:
                        auditor.take(record)
    return auditor.finish()


@pytest.mark.parametrize("seed", [2, 6, 14, 21])
def test_what_a_run_of_faults_leaves_behind_is_clean(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    result, broker = simulated(seed, monkeypatch)
    assert result.violation is None
    report = audited(broker, settled=True)
    assert report.clean, report.violations[:5]
    assert report.valid == result.outcomes
    assert report.void.total() > 0
    assert report.outages > 0


@pytest.mark.parametrize(
    ("name", "cause"),
    [
        ("optimistic state kept", Cause.VERSION_GAP),
        ("no answers", Cause.DECIDED_TWICE),
        ("too early", Cause.TIMEOUT_EARLY),
    ],
)
def test_a_mistake_that_is_planted_in_the_product_shows_in_its_log(
    name: str, cause: Cause, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(1, 17):
        _, broker = simulated(seed, monkeypatch, PLANTED[name][1])
        if audited(broker, settled=False).counts[cause]:
            return
    pytest.fail(f"{cause.value} was not found in 16 seeds")
