"""Clocks of brokers that differ are told; records that come late are not mistaken for that."""

import random

import pytest
from tests.memory_log import HandClock

from bus.records import Record
from bus.skew import ALARM_SECONDS, LOOK_SECONDS, SKEW_MS, Skew


class Bench:
    """Partitions that are read once a second; `ahead` is by how many ms the clock of each one's leader is wrong."""

    def __init__(self, *ahead: int) -> None:
        self.clock = HandClock()
        self.skew = Skew(self.clock)
        self.ahead = list(ahead)
        self.chance = random.Random(1)

    def pass_seconds(self, seconds: int, late: int = 0) -> None:
        """Most records are up to 50 ms late, some of partition 0 are `late` ms."""
        for _ in range(seconds):
            self.clock.now += 1000
            for partition, ahead in enumerate(self.ahead):
                latency = self.chance.randrange(50)
                if partition == 0 and late and self.chance.random() < 0.7:
                    latency = late
                at = self.clock.now + ahead - latency
                self.skew.learn(Record("table.events", partition, 0, at, None, b"", ()))


def alarms(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if "clocks differ" in record.getMessage()]


def test_a_clock_that_is_ahead_of_the_others_is_told_by_its_partition(caplog: pytest.LogCaptureFixture) -> None:
    bench = Bench(0, 0, SKEW_MS + 60, 0)
    bench.pass_seconds(30)
    assert alarms(caplog) == [], "it may be chance yet"
    bench.pass_seconds(40)
    (alarm,) = alarms(caplog)
    assert "table.events:2 is ahead" in alarm


def test_it_is_told_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    bench = Bench(0, 1000)
    bench.pass_seconds(40)
    before = len(alarms(caplog))
    bench.pass_seconds(5 * int(ALARM_SECONDS))
    assert len(alarms(caplog)) - before == 5


def test_clocks_that_are_kept_well_enough_alarm_nobody(caplog: pytest.LogCaptureFixture) -> None:
    Bench(0, SKEW_MS - 60, 70).pass_seconds(300)
    assert alarms(caplog) == []


def test_records_that_come_late_are_no_skew(caplog: pytest.LogCaptureFixture) -> None:
    Bench(0, 0).pass_seconds(300, late=5000)
    assert alarms(caplog) == []


def test_a_leader_whose_clock_is_another_is_noticed_and_forgotten_again(caplog: pytest.LogCaptureFixture) -> None:
    bench = Bench(0, 0)
    bench.pass_seconds(100)
    bench.ahead[1] = 3000
    bench.pass_seconds(int(LOOK_SECONDS))
    assert len(alarms(caplog)) == 1
    bench.ahead[1] = 0
    bench.pass_seconds(int(ALARM_SECONDS))
    told = len(alarms(caplog))
    bench.pass_seconds(5 * int(ALARM_SECONDS))
    assert len(alarms(caplog)) == told


def test_a_partition_that_is_read_no_more_is_not_compared(caplog: pytest.LogCaptureFixture) -> None:
    bench = Bench(0, 3000)
    bench.pass_seconds(35)
    bench.ahead.pop()
    bench.pass_seconds(65)
    caplog.clear()
    bench.pass_seconds(300)
    assert alarms(caplog) == []
