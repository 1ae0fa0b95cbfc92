"""Buckets, and what is looked through."""

import random

from bus.decider import Deadline
from bus.records import TopicPartition
from timer.alarms import Alarms
from timer.calendar import AHEAD_MS, LOOK_SLICE

NOON = 1_700_000_000_000
FIRST, SECOND = TopicPartition("table.events", 0), TopicPartition("lobby.events", 0)


def ready() -> Alarms:
    alarms = Alarms()
    for source in (FIRST, SECOND):
        alarms.gain(source)
        alarms.ready(source)
    return alarms


def at(due_at: int) -> Deadline:
    return Deadline("turn", f"turn-{due_at}", NOON, due_at)


def everything_due(alarms: Alarms, now: int) -> list[int]:
    """When what is due by `now` was due, in the order in which it rings."""
    taken: list[int] = []
    while (next_look := alarms.next_look) is not None and next_look < now:
        taken += [alarm.due_at for alarm in alarms.take_due(now, 10_000)]
    return taken


def test_what_is_disarmed_or_moved_leaves_its_bucket() -> None:
    alarms = ready()
    assert alarms.take_due(NOON, 1) == []
    for name in ("ended", "later", "sooner"):
        alarms.set(FIRST, name, at(NOON + 60_000))
    alarms.set(FIRST, "ended", None)
    alarms.set(FIRST, "later", at(NOON + 90_000))
    alarms.set(FIRST, "sooner", at(NOON + 30_000))
    assert everything_due(alarms, NOON + 70_000) == [NOON + 30_000]
    assert everything_due(alarms, NOON + 100_000) == [NOON + 90_000]
    assert alarms.next_look is None


def test_partitions_take_turns_in_the_order_of_time() -> None:
    alarms = ready()
    for number in range(10):
        alarms.set((FIRST, SECOND)[number % 2], f"t{number}", at(NOON + number))
    assert [alarm.due_at for alarm in alarms.take_due(NOON + 100, 100)] == [NOON + number for number in range(10)]


def test_nothing_rings_before_all_that_might_ring_earlier_has_been_seen() -> None:
    """What was set first is looked at last."""
    alarms = ready()
    for number in range(3 * LOOK_SLICE):
        alarms.set(FIRST, f"t{number}", at(NOON + number))
    taken = everything_due(alarms, NOON + 10_000)
    assert taken == list(range(NOON, NOON + 3 * LOOK_SLICE))


def test_hours_of_alarms_set_long_before_ring_in_order_whatever_pace_they_are_looked_at() -> None:
    alarms, chance = ready(), random.Random(1)
    times = [NOON + chance.randrange(6 * AHEAD_MS) for _ in range(3 * LOOK_SLICE)]
    for number, due_at in enumerate(times):
        alarms.set((FIRST, SECOND)[number % 2], f"t{number}", at(due_at))
    taken: list[int] = []
    now = NOON
    while now <= NOON + 6 * AHEAD_MS + 60_000:
        taken += everything_due(alarms, now)
        now += 60_000
    assert taken == sorted(times)
