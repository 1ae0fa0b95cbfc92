from collections.abc import Iterator
from itertools import accumulate, pairwise

import pytest

from capicua.pinger import EVERY_MS, LATE_MS, SOON_MS, Pinger
from capicua.server_clock import ServerClock
from contracts.api import Ping, Pong

TICK_MS = 250


class Machine:
    def __init__(self) -> None:
        self.local = 0
        self.wall = 1_000_000
        self.clock = ServerClock(lambda: self.local, lambda: self.wall)
        self.pinger = Pinger(self.clock, lambda: self.local, lambda: self.wall)

    def pass_ms(self, ms: int) -> None:
        self.local += ms
        self.wall += ms

    def ticks(self, until_ms: int) -> Iterator[tuple[int, Ping]]:
        """When which ping is sent."""
        while self.local < until_ms:
            ping = self.pinger.due()
            if ping is not None:
                yield self.local, ping
            self.pass_ms(TICK_MS)


@pytest.fixture
def machine() -> Machine:
    return Machine()


def test_pings_come_soon_after_connecting_and_then_regularly(machine: Machine) -> None:
    sent = [at for at, _ in machine.ticks(17_000)]
    assert len(sent) == 1 + len(SOON_MS) + 3
    for at, planned in zip(sent, accumulate(SOON_MS, initial=0), strict=False):
        assert planned <= at <= planned + len(SOON_MS) * TICK_MS
    assert [later - earlier for earlier, later in pairwise(sent[len(SOON_MS) :])] == [EVERY_MS] * 3


def test_every_ping_has_an_id_of_its_own_and_its_answer_sets_the_clock(machine: Machine) -> None:
    (_, first), (_, second) = list(machine.ticks(1_000))
    assert first.id != second.id
    machine.pinger.answered(Pong(id=second.id, server_time=9_000_000))
    assert 0 <= machine.clock.now_ms() - 9_000_000 <= (machine.clock.round_trip_ms or 0)
    before = machine.clock.offset_ms
    machine.pinger.answered(Pong(id=second.id, server_time=1))
    machine.pinger.answered(Pong(id="of-another", server_time=1))
    assert machine.clock.offset_ms == before


def test_after_a_sleep_in_which_the_monotonic_clock_went_on_a_ping_is_due_at_once(machine: Machine) -> None:
    list(machine.ticks(2_000))
    machine.pass_ms(LATE_MS + 1)
    assert machine.pinger.due() is not None
    machine.pass_ms(TICK_MS)
    assert machine.pinger.due() is None


@pytest.mark.parametrize("step", [LATE_MS + 1, 3_600_000, -3_600_000])
def test_after_a_sleep_in_which_it_stood_or_when_the_machines_clock_is_set_too(machine: Machine, step: int) -> None:
    list(machine.ticks(2_000))
    machine.wall += step
    assert machine.pinger.due() is not None
    machine.pass_ms(TICK_MS)
    assert machine.pinger.due() is None


def test_an_answer_whose_way_led_through_a_sleep_is_not_believed(machine: Machine) -> None:
    sent = list(machine.ticks(2_000))
    machine.wall += 60_000
    machine.pinger.due()
    machine.pinger.answered(Pong(id=sent[-1][1].id, server_time=1))
    assert machine.clock.round_trip_ms is None
