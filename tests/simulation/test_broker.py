"""The simulated broker's clock: what is held against the time that people had."""

import random
from collections.abc import Iterator

import pytest
from tests.simulation.broker import Broker
from tests.simulation.loop import SimulationLoop
from tests.simulation.processes import NOON

HOUR_MS = 3_600_000


@pytest.fixture
def broker() -> Iterator[Broker]:
    loop = SimulationLoop(random.Random(1))
    yield Broker(loop, random.Random(1), {})
    loop.close()


def wait(broker: Broker, seconds: float) -> None:
    broker.loop.call_later(seconds, broker.loop.stop)
    broker.loop.run_forever()


def test_an_hour_that_is_let_pass_over_a_moment_has_lasted_since_then(broker: Broker) -> None:
    wait(broker, 1.0)
    broker.let_pass(HOUR_MS)
    wait(broker, 0.5)
    assert broker.lasted(NOON + 2000) == pytest.approx(3600.5, abs=0.1)
    assert broker.since(NOON + 2000) == pytest.approx(0.5, abs=0.1)


def test_an_hour_that_had_passed_before_a_moment_has_not_lasted_since_then(broker: Broker) -> None:
    broker.let_pass(HOUR_MS)
    wait(broker, 2.0)
    assert broker.lasted(NOON + HOUR_MS + 1000) == pytest.approx(1.0, abs=0.1)


def test_a_clock_that_is_set_ahead_over_a_moment_has_lasted_for_what_people_waited(broker: Broker) -> None:
    wait(broker, 1.0)
    broker.step(5000)
    wait(broker, 0.5)
    assert broker.lasted(NOON + 3000) == pytest.approx(0.5, abs=0.1)
