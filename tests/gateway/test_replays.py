"""What a replay says of a finished match, from a log in memory."""

from collections.abc import Sequence
from dataclasses import replace

from tests.gateway.matches import TABLE_ID, whole_match
from tests.gateway.written import Written

from bus.clock import SystemClock
from bus.decider import Deadline
from bus.partitioning import partition_of
from bus.records import TopicPartition
from bus.tasks import LoopTasks
from contracts.api import Replay
from gateway.history import History
from gateway.replays import replay_of
from gateway.step import Change

DAY_MS = 24 * 60 * 60 * 1000
CHANGES = whole_match(seed=71)


async def replay(written: Written) -> Replay:
    partition = TopicPartition("table.events", partition_of(TABLE_ID, written.log.partitions))
    history = History(written.log, SystemClock(), LoopTasks())
    return replay_of(TABLE_ID, await history.of(partition, TABLE_ID), {"g1"})


def deadline_of(change: Change) -> Deadline | None:
    """The deadline that stands after a change that started a turn."""
    started = [event for event in change.events if event["type"] == "turn-started"]
    return Deadline("turn", "", started[-1]["set_at"], started[-1]["due_at"]) if started else None


def write(
    written: Written, changes: Sequence[Change] = CHANGES, silent_before: int | None = None, silent_ms: int = 4000
) -> None:
    """The match, decided at its own times; before one of its changes its owner is silent for a while."""
    clock, late = written.log.clock, 0
    for number, change in enumerate(changes):
        while clock.now + 1000 < change.at + late:
            clock.now += 1000
            written.heartbeat(TABLE_ID)
        late += silent_ms if number == silent_before else 0
        clock.now = max(clock.now, change.at + late)
        written.change(TABLE_ID, change, deadline=deadline_of(change))


async def test_a_match_without_an_outage_has_no_time_given_back() -> None:
    written = Written()
    write(written)
    told = await replay(written)
    assert [outcome.version for outcome in told.outcomes] == [change.to_version for change in CHANGES]
    assert {outcome.given_back_ms for outcome in told.outcomes} == {0}


async def test_time_given_back_stands_at_the_outcome_before_which_the_service_was_silent_and_nowhere_else() -> None:
    written, number = Written(), 6
    assert deadline_of(CHANGES[number - 1]) is not None
    write(written, silent_before=number, silent_ms=4000)
    given_back = [outcome.given_back_ms for outcome in (await replay(written)).outcomes]
    silence = given_back[number] - 5000
    assert 4000 <= silence < 6000  # and what the player thought before it
    assert given_back[:number] + given_back[number + 1 :] == [0] * (len(CHANGES) - 1)


async def test_a_replay_tells_it_also_long_after_readers_have_forgotten_the_outage() -> None:
    written, number = Written(), 6
    write(written, silent_before=number)
    written.heartbeat(TABLE_ID)
    before = await replay(written)
    written.log.clock.now += 2 * DAY_MS
    partition = written.heartbeat(TABLE_ID)
    written.log.clock.now += 10_000
    written.heartbeat(TABLE_ID)
    assert min(outage.begin for outage in written.folds[partition].validity.outages.known) > CHANGES[-1].at
    assert await replay(written) == before


async def test_a_replay_tells_a_credit_as_the_log_has_it() -> None:
    written = Written()
    started = next(event for event in CHANGES[6].events if event["type"] == "turn-started")
    credited = started | {"due_at": started["due_at"] + 80, "credit_ms": 80}
    events = tuple(credited if event is started else event for event in CHANGES[6].events)
    write(written, (*CHANGES[:6], replace(CHANGES[6], events=events), *CHANGES[7:]))
    assert credited in (await replay(written)).outcomes[6].events
