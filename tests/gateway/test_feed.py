from dataclasses import dataclass, field
from typing import Any

from redis.asyncio import Redis
from tests.gateway.doubles import Listener
from tests.gateway.matches import START_MS, TABLE_ID, whole_match
from tests.gateway.test_tables import Here
from tests.memory_log import let_everybody_run

from bus.clock import BrokerTime, SystemClock
from bus.tasks import LoopTasks
from contracts.api import MatchCalledOff, YourTable
from contracts.message import Message
from contracts.region import MatchMade, Pool, TableReleased
from contracts.room import MatchStarted, RoomReleased
from contracts.table import Reservation
from gateway.answers import Answers, Asked
from gateway.company import Company
from gateway.feed import Feed
from gateway.hub import Hub
from gateway.region import RegionHere
from gateway.step import fold
from gateway.whereabouts import Whereabouts

CHANGES = whole_match(seed=61)
MATCH = MatchMade(
    table_id=TABLE_ID,
    pool=Pool(preset="draw", seats=2, target=50),
    seats=(Reservation(account="g1"), Reservation(account="g2")),
)


class Told(Hub):
    """Keeps who was told of which table."""

    def __init__(self) -> None:
        super().__init__(lambda: 0.0)
        self.of: list[tuple[str, tuple[str, ...]]] = []

    def tell(self, accounts: Any, message: YourTable | MatchCalledOff) -> None:
        what = message.table_id if isinstance(message, YourTable) else f"no {message.table_id}: {message.code}"
        self.of.append((what, tuple(accounts)))


@dataclass
class Feeding:
    here: Here = field(default_factory=Here)
    whereabouts: Whereabouts = field(default_factory=Whereabouts)
    answers: Answers = field(default_factory=Answers)
    hub: Told = field(default_factory=Told)

    def __post_init__(self) -> None:
        clock = SystemClock()
        company = Company.of(Redis(), clock, BrokerTime(clock), LoopTasks())
        region = RegionHere("eu", company.names.name_of)
        self.feed = Feed(self.here.tables, self.whereabouts, self.answers, self.hub, region, company.rooms)

    def lobby(self, *events: Message, aggregate: str = "eu") -> None:
        payloads = tuple(event.model_dump(mode="json") for event in events)
        versions = (0, len(payloads))
        self.feed.outcome(self.here.written.outcome("lobby.events", aggregate, versions, events=payloads))

    def table(self, number: int, **body: Any) -> None:
        self.feed.outcome(self.here.written.change(TABLE_ID, CHANGES[number], **body))


async def test_people_are_told_of_their_table_when_it_is_open_whichever_log_is_read_first() -> None:
    one = Feeding()
    one.lobby(MATCH)
    assert one.hub.of == []
    one.table(0)
    assert one.hub.of == [(TABLE_ID, ("g1", "g2"))]
    one.table(1)
    assert len(one.hub.of) == 1

    other = Feeding()
    other.table(0)
    other.lobby(MATCH)
    assert other.hub.of == [(TABLE_ID, ("g1", "g2"))]


async def test_a_released_table_is_left() -> None:
    feeding = Feeding()
    feeding.table(0)
    feeding.lobby(MATCH)
    feeding.lobby(TableReleased(table_id=TABLE_ID))
    assert feeding.whereabouts.tables_of("g1") == ()


async def test_who_had_a_seat_at_a_table_that_was_never_opened_is_told_so() -> None:
    feeding = Feeding()
    feeding.lobby(MATCH)
    feeding.lobby(TableReleased(table_id=TABLE_ID, not_opened="stale-id", accounts=("g1", "g2")))
    assert feeding.hub.of == [(f"no {TABLE_ID}: stale-id", ("g1", "g2"))]
    assert not feeding.whereabouts.is_stranger("eve", TABLE_ID)


async def test_the_people_of_a_rooms_match_that_was_never_opened_are_told_so_and_its_bots_by_their_region() -> None:
    feeding = Feeding()
    seats = (*MATCH.seats, Reservation(account="h1", bot=True, strength="expert"))
    started = MatchStarted(table_id=TABLE_ID, ruleset={"preset": "party", "seats": 3}, seats=seats)
    never = RoomReleased(table_id=TABLE_ID, region="eu", not_opened="stale-id")
    feeding.lobby(started, never, aggregate="room-abc234")
    feeding.lobby(TableReleased(table_id=TABLE_ID, not_opened="stale-id", accounts=("h1",)))
    assert feeding.hub.of == [(f"no {TABLE_ID}: stale-id", ("g1", "g2")), (f"no {TABLE_ID}: stale-id", ("h1",))]


async def test_events_of_the_lobby_that_this_version_does_not_know_are_passed_over() -> None:
    feeding = Feeding()
    strange = {"type": "room-opened", "code": "ABC"}
    match = MATCH.model_dump(mode="json")
    feeding.feed.outcome(feeding.here.written.outcome("lobby.events", "eu", (0, 2), events=(strange, match)))
    feeding.table(0)
    assert feeding.hub.of == [(TABLE_ID, ("g1", "g2"))]


async def test_a_malformed_event_of_the_lobby_is_passed_over_and_its_command_answered() -> None:
    feeding = Feeding()
    future = feeding.answers.expect(Asked("lobby.events", "eu", "g1", "a"))
    broken = {"type": "match-made", "table_id": 7}
    written = feeding.here.written
    feeding.feed.outcome(
        written.outcome("lobby.events", "eu", (0, 1), events=(broken,), principal="g1", command_id="a")
    )
    assert future.done()


async def test_an_answer_goes_to_who_asked_after_the_view_has_gone_out() -> None:
    feeding = Feeding()
    feeding.table(0)
    watcher: Listener = await feeding.here.watch(TABLE_ID)
    future = feeding.answers.expect(Asked("table.events", TABLE_ID, "g1", "a"))
    future.add_done_callback(lambda _: watcher.push('{"type":"answer"}'))
    feeding.table(1, principal="g1", command_id="a")
    await let_everybody_run()
    assert [message["type"] for message in watcher.told] == ["view", "view", "answer"]


async def test_an_unreadable_body_is_passed_over_where_nobody_needs_it() -> None:
    feeding = Feeding()
    feeding.table(0)
    feeding.feed.outcome(feeding.here.written.outcome("table.events", TABLE_ID, (2, 3), b"not json"))
    feeding.feed.outcome(feeding.here.written.outcome("lobby.events", "eu", (0, 1), b"not json"))
    assert feeding.hub.of == []
    feeding.lobby(MATCH)
    assert feeding.hub.of == [(TABLE_ID, ("g1", "g2"))]


async def test_an_unreadable_body_ends_the_views_of_its_table_alone() -> None:
    feeding = Feeding()
    feeding.table(0)
    watcher = await feeding.here.watch(TABLE_ID)
    version = CHANGES[0].to_version
    feeding.feed.outcome(feeding.here.written.outcome("table.events", TABLE_ID, (version, version + 1), b"not json"))
    assert watcher.told[-1]["code"] == "table-unreadable"


async def test_when_an_outage_has_ended_its_tables_are_told_of_their_later_deadlines_and_only_then() -> None:
    feeding = Feeding()
    for number in range(4):
        feeding.table(number)
    here, clock = feeding.here, feeding.here.written.log.clock
    due = fold(CHANGES[:4])[-1].view(1, START_MS).view["deadline"]
    clock.now = due["set_at"]
    partition = here.written.heartbeat(TABLE_ID)
    watchers = [await here.watch(TABLE_ID, account) for account in ("g1", "g2", "somebody")]
    await feeding.feed.flush(partition, 0)
    clock.now += 4000
    here.written.heartbeat(TABLE_ID)
    for _ in range(2):
        await feeding.feed.flush(partition, 0)
    version, later = CHANGES[3].to_version, due | {"due_at": due["due_at"] + 9000, "given_back_ms": 9000}
    for watcher in watchers:
        before, after = watcher.told
        assert (before["version"], before["view"]["deadline"]) == (version, due)
        assert (after["from_version"], after["version"], after["events"]) == (version, version, [])
        assert after["view"] == before["view"] | {"deadline": later}


async def test_who_comes_after_an_outage_sees_the_later_deadline_at_once_and_is_told_of_it_once() -> None:
    feeding = Feeding()
    for number in range(4):
        feeding.table(number)
    here, clock = feeding.here, feeding.here.written.log.clock
    due = fold(CHANGES[:4])[-1].view(1, START_MS).view["deadline"]
    clock.now = due["set_at"]
    here.written.heartbeat(TABLE_ID)
    clock.now += 4000
    partition = here.written.heartbeat(TABLE_ID)
    later = due | {"due_at": due["due_at"] + 9000, "given_back_ms": 9000}
    for version in (0, CHANGES[2].to_version, CHANGES[3].to_version):
        watcher = await here.watch(TABLE_ID, "g1", version)
        await feeding.feed.flush(partition, 0)
        assert [told["view"]["deadline"] for told in watcher.told] == [later]


async def test_an_outage_of_another_partition_or_of_an_earlier_deadline_tells_nobody_anything() -> None:
    feeding = Feeding()
    for number in range(4):
        feeding.table(number)
    here, clock = feeding.here, feeding.here.written.log.clock
    watcher = await here.watch(TABLE_ID)
    clock.now = fold(CHANGES[:4])[-1].view(1, START_MS).view["deadline"]["due_at"] + 1
    partition = here.written.heartbeat(TABLE_ID)
    await feeding.feed.flush(partition, 0)
    told = len(watcher.told)
    clock.now += 4000
    here.written.heartbeat(TABLE_ID)
    await feeding.feed.flush(partition, 0)
    await feeding.feed.flush(partition._replace(partition=partition.partition + 1), 0)
    assert len(watcher.told) == told
