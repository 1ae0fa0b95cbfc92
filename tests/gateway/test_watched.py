from dataclasses import replace

import pytest
from tests.gateway.doubles import Listener
from tests.gateway.matches import START_MS, TABLE_ID, whole_match
from tests.memory_log import HandClock

from bus.clock import BrokerTime
from bus.outages import Outages
from gateway.step import Change, Step, Unreadable, fold
from gateway.watched import WatchedTable

CHANGES = whole_match(seed=31)
STEPS = fold(CHANGES)


def cached(step: Step) -> Step:
    """The step as the live cache has it."""
    return Step(0, step.version, step.at, (), step.state)


def test_a_watcher_who_comes_before_the_past_is_known_gets_one_whole_view() -> None:
    table, watcher = WatchedTable(TABLE_ID, BrokerTime(HandClock())), Listener("g1")
    table.add(watcher, 0)
    assert watcher.told == []
    table.begin([cached(STEPS[5])])
    assert watcher.versions == [(0, STEPS[5].version)]


def test_what_comes_while_the_cache_is_read_goes_on_top_of_it() -> None:
    table, watcher = WatchedTable(TABLE_ID, BrokerTime(HandClock())), Listener("g1")
    table.add(watcher, 0)
    for change in CHANGES[3:8]:
        table.take(change)
    table.begin([cached(STEPS[5])])
    assert table.newest == STEPS[7]
    table.take(CHANGES[8])
    assert watcher.versions[-1] == (STEPS[7].version, STEPS[8].version)


def test_a_cache_that_is_behind_what_was_read_is_noticed() -> None:
    table = WatchedTable(TABLE_ID, BrokerTime(HandClock()))
    table.add(Listener("g1"), 0)
    table.take(CHANGES[6])
    with pytest.raises(Unreadable, match="a version is missing"):
        table.begin([cached(STEPS[4])])


def test_a_past_out_of_the_log_lets_a_watcher_resume_at_its_version() -> None:
    table, watcher = WatchedTable(TABLE_ID, BrokerTime(HandClock())), Listener("g1")
    table.add(watcher, STEPS[5].version)
    table.begin(STEPS[:8])
    assert watcher.versions == [(step.from_version, step.version) for step in STEPS[6:8]]


def test_every_seat_and_the_spectators_get_their_own_view() -> None:
    table = WatchedTable(TABLE_ID, BrokerTime(HandClock()))
    watchers = [Listener("g1"), Listener("g2"), Listener("somebody"), Listener("g1")]
    for watcher in watchers:
        table.add(watcher, 0)
    table.begin([cached(STEPS[5])])
    table.take(CHANGES[6])
    assert [watcher.told[-1]["view"]["you"] for watcher in watchers] == [1, 2, None, 1]
    assert watchers[0].told == watchers[3].told
    assert watchers[2].told[-1]["view"]["hand"] is None


def test_a_change_that_is_already_there_is_passed_over() -> None:
    table, watcher = WatchedTable(TABLE_ID, BrokerTime(HandClock())), Listener("g1")
    table.add(watcher, 0)
    table.begin([cached(STEPS[5])])
    table.take(CHANGES[5])
    assert len(watcher.told) == 1


def test_a_watcher_that_left_is_told_nothing_more() -> None:
    table, watcher = WatchedTable(TABLE_ID, BrokerTime(HandClock())), Listener("g1")
    table.add(watcher, 0)
    table.begin([cached(STEPS[5])])
    table.remove(watcher)
    table.take(CHANGES[6])
    assert len(watcher.told) == 1
    assert not table.watched


def test_an_event_of_a_newer_version_leaves_the_last_good_state() -> None:
    table = WatchedTable(TABLE_ID, BrokerTime(HandClock()))
    table.add(Listener("g1"), 0)
    table.begin([cached(STEPS[5])])
    strange = Change(STEPS[5].version, STEPS[5].version + 1, 0, ({"type": "hand-shown"},))
    with pytest.raises(Unreadable):
        table.take(strange)
    assert table.newest is not None
    assert table.newest.version == STEPS[5].version


def test_who_comes_back_with_the_newest_version_is_told_of_the_time_given_back() -> None:
    table, outages = WatchedTable(TABLE_ID, BrokerTime(HandClock())), Outages()
    table.begin([replace(cached(STEPS[5]), outages=outages)])
    due = STEPS[5].view(None, START_MS).view["deadline"]
    outages.hear(due["set_at"])
    outages.hear(due["set_at"] + 4000)
    watcher = Listener("g1")
    table.add(watcher, STEPS[5].version)
    assert watcher.told[-1]["view"]["deadline"]["due_at"] == due["due_at"] + 9000


def test_what_the_next_change_has_told_is_not_told_again() -> None:
    table, watcher, outages = WatchedTable(TABLE_ID, BrokerTime(HandClock())), Listener("g1"), Outages()
    table.add(watcher, 0)
    table.begin([replace(cached(STEPS[5]), outages=outages)])
    due = STEPS[6].view(None, START_MS).view["deadline"]
    outages.hear(due["set_at"])
    outages.hear(due["set_at"] + 4000)
    table.take(replace(CHANGES[6], outages=outages))
    assert not table.outage_ended()
    assert watcher.told[-1]["view"]["deadline"]["given_back_ms"] == 9000
