from dataclasses import dataclass, field

from redis.asyncio import Redis
from tests.gateway.doubles import Listener
from tests.gateway.matches import Match, whole_match
from tests.gateway.written import LOG_ID, Written
from tests.memory_log import let_everybody_run

from bus.clock import BrokerTime
from bus.partitioning import partition_of
from bus.records import TopicPartition
from bus.tasks import LoopTasks
from contracts.envelope import Retired
from gateway.history import History
from gateway.live_cache import LiveCache
from gateway.past import Origin, Past
from gateway.step import Change
from gateway.tables import IDLE_MAX, IDLE_SECONDS, Tables

CHANGES = whole_match(seed=51)


@dataclass
class Here:
    """Tables over a log in memory, without a cache."""

    written: Written = field(default_factory=Written)

    def __post_init__(self) -> None:
        log, tasks = self.written.log, LoopTasks()
        nobody = LiveCache(Redis.from_url("redis://127.0.0.1:1/0"))
        self.tables = Tables(
            Past(nobody, History(log, log.clock, tasks), self._origin), log.clock, BrokerTime(log.clock), tasks
        )

    def _origin(self, table_id: str) -> Origin:
        partition = TopicPartition("table.events", partition_of(table_id, self.written.log.partitions))
        return Origin(partition, LOG_ID.hex(), self.written.folds[partition].validity.outages)

    def happens(self, table_id: str, change: Change) -> None:
        """The change is written and read."""
        outcome = self.written.change(table_id, change)
        self.tables.note(outcome)
        if self.tables.wants(table_id):
            self.tables.take(outcome, outcome.body())

    async def watch(self, table_id: str, account: str = "g1", version: int = 0) -> Listener:
        """A watcher who has been told what there is to tell."""
        listener = Listener(account)
        self.tables.watch(table_id, listener, version)
        while not listener.told:
            await let_everybody_run()
        return listener


async def test_a_table_is_known_from_its_opening_on_and_told_of_once() -> None:
    here = Here()
    assert "t1" not in here.tables
    opened = here.written.change("t1", CHANGES[0])
    assert here.tables.note(opened)
    assert "t1" in here.tables
    assert not here.tables.note(here.written.change("t1", CHANGES[1]))


async def test_a_refused_opening_makes_no_table() -> None:
    here = Here()
    assert not here.tables.note(here.written.outcome("table.events", "t1", (0, 0)))
    assert "t1" not in here.tables


async def test_a_watcher_gets_the_past_and_then_every_change() -> None:
    here = Here()
    here.happens("t1", CHANGES[0])
    here.happens("t1", CHANGES[1])
    watcher = await here.watch("t1")
    here.happens("t1", CHANGES[2])
    assert watcher.versions == [(0, CHANGES[1].to_version), (CHANGES[2].from_version, CHANGES[2].to_version)]


async def test_what_happens_while_the_past_is_read_is_not_lost() -> None:
    here = Here()
    here.happens("t1", CHANGES[0])
    watcher = Listener("g1")
    here.tables.watch("t1", watcher, 0)
    here.happens("t1", CHANGES[1])
    while not watcher.told:
        await let_everybody_run()
    here.happens("t1", CHANGES[2])
    assert watcher.versions[0][1] >= CHANGES[1].to_version
    assert watcher.versions[-1][1] == CHANGES[2].to_version


async def test_a_table_that_nobody_watches_any_more_is_kept_for_a_minute() -> None:
    here = Here()
    here.happens("t1", CHANGES[0])
    watcher = await here.watch("t1")
    here.tables.unwatch("t1", watcher)
    here.happens("t1", CHANGES[1])
    back = await here.watch("t1", version=CHANGES[0].to_version)
    assert back.versions == [(CHANGES[1].from_version, CHANGES[1].to_version)]

    here.tables.unwatch("t1", back)
    here.written.log.clock.now += int(IDLE_SECONDS * 1000) + 1
    here.tables.evict()
    assert not here.tables.wants("t1")
    assert here.tables.newest("t1") is None
    assert "t1" in here.tables


async def test_no_more_than_a_thousand_unwatched_tables_are_kept() -> None:
    here = Here()
    watcher = Listener("g1")
    for number in range(IDLE_MAX + 1):
        here.happens(f"t{number}", CHANGES[0])
        here.tables.watch(f"t{number}", watcher, 0)
        here.tables.unwatch(f"t{number}", watcher)
    assert not here.tables.wants("t0")
    assert here.tables.wants(f"t{IDLE_MAX}")
    await here.tables.stop()


async def test_an_event_of_a_newer_version_is_told_to_the_watchers_and_other_tables_go_on() -> None:
    here = Here()
    for table_id in ("t1", "t2"):
        here.happens(table_id, CHANGES[0])
    one, two = await here.watch("t1"), await here.watch("t2")
    first = CHANGES[0].to_version
    here.happens("t1", Change(first, first + 1, 0, ({"type": "hand-shown", "hand": "6-6"},)))
    assert (one.told[-1]["code"], one.told[-1]["table_id"]) == ("table-unreadable", "t1")
    assert "6-6" not in str(one.told[-1])
    assert not here.tables.wants("t1")
    here.happens("t2", CHANGES[1])
    assert two.versions[-1][1] == CHANGES[1].to_version
    again = await here.watch("t1")
    assert again.told[-1]["code"] == "table-unreadable"


async def test_a_retired_table_is_no_table_any_more_and_its_watchers_are_told() -> None:
    here = Here()
    here.happens("t1", CHANGES[0])
    watcher = await here.watch("t1")
    version = CHANGES[0].to_version
    here.happens("t1", Change(version, 0, 0, (Retired().model_dump(),)))
    assert (watcher.told[-1]["code"], watcher.told[-1]["table_id"]) == ("unknown-table", "t1")
    assert "t1" not in here.tables
    assert not here.tables.wants("t1")
    refused = here.written.outcome("table.events", "t1", (0, 0))
    assert not here.tables.note(refused)
    assert "t1" not in here.tables


async def test_one_that_is_retired_while_its_past_is_read_is_told_of_once() -> None:
    here = Here()
    here.happens("t1", CHANGES[0])
    watcher = Listener("g1")
    here.tables.watch("t1", watcher, 0)
    here.happens("t1", Change(CHANGES[0].to_version, 0, 0, (Retired().model_dump(),)))
    await let_everybody_run()
    assert [told["code"] for told in watcher.told] == ["unknown-table"]
    await here.tables.stop()


async def test_a_body_that_cannot_be_read_is_told_to_the_watchers() -> None:
    here = Here()
    here.happens("t1", CHANGES[0])
    watcher = await here.watch("t1")
    here.tables.cannot_read("t1")
    assert watcher.told[-1]["code"] == "table-unreadable"


async def test_a_log_that_does_not_answer_is_told_and_a_later_watch_tries_again() -> None:
    here = Here()
    here.happens("t1", CHANGES[0])
    here.written.log.away = True
    watcher = await here.watch("t1")
    assert (watcher.told[-1]["code"], watcher.told[-1]["table_id"]) == ("table-unavailable", "t1")
    here.written.log.away = False
    assert (await here.watch("t1")).versions == [(0, CHANGES[0].to_version)]


async def test_seats_are_known_while_a_table_is_in_memory() -> None:
    here = Here()
    here.happens("t1", CHANGES[0])
    assert here.tables.newest("t1") is None
    await here.watch("t1")
    newest = here.tables.newest("t1")
    assert newest is not None
    assert [newest.seat_of(account) for account in (*Match(seed=51).accounts, "g9")] == [1, 2, None]
