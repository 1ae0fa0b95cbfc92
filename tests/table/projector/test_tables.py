import logging

import pytest
from tests.memory_log import MemoryLog
from tests.table.projector.timed_out_match import ONE, OVER, SEATS, TWO, decisions
from tests.writing_owner import WritingOwner

from bus.outcomes import Outcome, PartitionFold
from bus.records import TopicPartition
from contracts.lifecycle import LifecycleMessage, Source, TableWasFinished, TableWasOpened
from domino_rules import table
from domino_rules.table import Finished
from table.projector.tables import PartitionTables, Projected

SOURCE = TopicPartition("table.events", 4)


class Story:
    """A log of one partition, and the fold of it as it grows."""

    def __init__(self, committed: int = 0) -> None:
        self.log = MemoryLog()
        self.owner = WritingOwner(self.log, SOURCE)
        self.tables = PartitionTables(committed)
        self._fold = PartitionFold(SOURCE)

    def fold(self) -> list[LifecycleMessage]:
        """Takes what is new; the facts in it."""
        new = self.log.records[SOURCE][self._fold.position :]
        return [fact for outcome in self._fold.all(new) for fact in self.take(outcome)]

    def take(self, outcome: Outcome) -> list[LifecycleMessage]:
        return self.tables.take(outcome, outcome.body())

    def cache_all(self) -> list[str]:
        behind = self.tables.dirty()
        for table_id, projected in behind:
            self.tables.cached(table_id, projected)
        return [table_id for table_id, _ in behind]


def test_an_opening_is_a_fact_and_a_table_to_cache() -> None:
    story = Story()
    opening = decisions(ONE)[0]
    offset = story.owner.write(ONE, *opening)
    [fact] = story.fold()
    assert isinstance(fact, TableWasOpened)
    assert (fact.table_id, fact.region, fact.seats) == (ONE, "eu", SEATS)
    assert (fact.source, fact.at) == (Source(partition=4, offset=offset), story.log.clock.now)
    [(table_id, projected)] = story.tables.dirty()
    assert (table_id, projected.version, projected.offset) == (ONE, len(opening), offset)


def test_a_whole_match_has_two_facts_and_leaves_memory_once_its_end_is_cached() -> None:
    story = Story()
    for events in decisions(ONE):
        story.owner.write(ONE, *events)
    opened, finished = story.fold()
    assert isinstance(opened, TableWasOpened)
    assert isinstance(finished, TableWasFinished)
    assert set(finished.winners) < {"ann", "bob"}
    assert max(finished.scores) >= 50
    assert finished.absent == tuple(
        player.account for player in story.tables.dirty()[0][1].state.table.players if player.autopilot or player.left
    )
    [(_, projected)] = story.tables.dirty()
    assert isinstance(projected.state, Finished)
    assert story.cache_all() == [ONE]
    assert len(story.tables) == 0


def test_the_projected_state_is_the_fold_of_the_events() -> None:
    story = Story()
    state = None
    for events in decisions(ONE)[:5]:
        story.owner.write(ONE, *events)
        for payload in events:
            state = table.evolve(state, table.event_from_json(payload))
    story.fold()
    assert story.tables.dirty()[0][1].state == state


def test_a_table_that_changed_while_it_was_being_cached_is_cached_again() -> None:
    story = Story()
    first, second, *_ = decisions(ONE)
    story.owner.write(ONE, *first)
    story.fold()
    [(_, before)] = story.tables.dirty()
    story.owner.write(ONE, *second)
    story.fold()
    story.tables.cached(ONE, before)
    assert story.cache_all() == [ONE]
    assert story.tables.dirty() == []


def test_a_flushed_cache_wants_every_live_table_again_and_no_finished_one() -> None:
    story = Story()
    for events in decisions(OVER):
        story.owner.write(OVER, *events)
    for table_id in (ONE, TWO):
        story.owner.write(table_id, *decisions(table_id)[0])
    story.fold()
    story.cache_all()
    story.tables.all_dirty()
    assert story.cache_all() == [ONE, TWO]


def test_a_table_that_was_over_before_the_committed_offset_is_forgotten_while_replaying() -> None:
    story = Story(committed=10_000)
    for events in decisions(ONE):
        story.owner.write(ONE, *events)
    story.owner.write(TWO, *decisions(TWO)[0])
    story.fold()
    assert [table_id for table_id, _ in story.tables.dirty()] == [TWO]
    assert len(story.tables) == 1


def test_an_event_of_a_newer_version_passes_over_its_table_alone(caplog: pytest.LogCaptureFixture) -> None:
    story = Story()
    story.owner.write(ONE, *decisions(ONE)[0])
    story.owner.write(ONE, {"type": "chess-played", "secret": "6-6"})
    story.owner.write(ONE, {"type": "chess-played"})
    story.owner.write(TWO, *decisions(TWO)[0])
    with caplog.at_level(logging.ERROR):
        facts = story.fold()
    assert [fact.table_id for fact in facts] == [ONE, TWO]
    assert story.cache_all() == [TWO]
    [line] = caplog.messages
    assert "chess-played" in line
    assert "6-6" not in line


def test_a_retired_table_is_no_fact_and_leaves_nothing_behind() -> None:
    story = Story()
    for events in decisions(ONE):
        story.owner.write(ONE, *events)
    story.owner.retire(ONE)
    assert [type(fact) for fact in story.fold()] == [TableWasOpened, TableWasFinished]
    assert story.cache_all() == [ONE], "its end is cached all the same, with the time of its going"
    assert len(story.tables) == 0


def test_a_table_that_could_not_be_read_is_forgotten_when_it_is_retired(caplog: pytest.LogCaptureFixture) -> None:
    story = Story()
    story.owner.write(ONE, *decisions(ONE)[0])
    story.owner.write(ONE, {"type": "chess-played"})
    story.fold()
    caplog.clear()
    story.owner.retire(ONE)
    assert story.fold() == []
    assert caplog.records == []
    assert story.tables._unreadable == set()


def test_a_gap_in_a_tables_versions_passes_over_it() -> None:
    story = Story()
    first, second, *_ = decisions(ONE)
    story.owner.write(ONE, *first)
    story.owner.versions[ONE] += 1
    story.owner.write(ONE, *second)
    story.fold()
    assert len(story.tables) == 0


def test_a_state_that_is_over_says_so() -> None:
    state = None
    for events in decisions(ONE):
        for payload in events:
            state = table.evolve(state, table.event_from_json(payload))
    assert state is not None
    assert Projected(state, 1, 1, 1).over
