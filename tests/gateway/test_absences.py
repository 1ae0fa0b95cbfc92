"""Who is noted away and back, by gateways that know of each other through a real Valkey, and by one without."""

import secrets
from collections.abc import AsyncIterator, Collection
from dataclasses import dataclass, field

import pytest
from redis.asyncio import Redis
from tests.memory_log import HandClock, let_everybody_run

from bus.clock import BrokerTime
from bus.tasks import LoopTasks
from contracts.region import PersonCameBack, PersonWentAway, Pool, TicketQueued, TicketWithdrawn
from gateway.absences import GONE_SECONDS, LOOKED_MAX, MISSED_SECONDS, Absences
from gateway.hub import Hub
from gateway.places import Place, Places
from gateway.presence import EXPIRY_MS, Presence

POOL = Pool(preset="draw", seats=2, target=50)


class Sockets(Hub):
    """A hub whose people come and go as a test says."""

    def __init__(self) -> None:
        super().__init__(lambda: 0.0)
        self._people: set[str] = set()

    @property
    def accounts(self) -> Collection[str]:
        return self._people

    def now_has(self, *people: str) -> None:
        left, self._people = self._people - set(people), set(people)
        for account in left:
            for listener in self._listeners:
                listener(account)


@dataclass
class Gateway:
    """One gateway's view of a log that all share. What it notes goes into `noted`, not into the log."""

    redis: Redis
    clock: HandClock
    places: Places
    noted: list[tuple[str, bool]] = field(default_factory=list)
    sockets: Sockets = field(default_factory=Sockets)

    def __post_init__(self) -> None:
        presence = Presence(self.redis, "eu", secrets.token_hex(4))
        time = BrokerTime(self.clock)
        self.absences = Absences(self.places, self.sockets, presence, self.note, self.clock, time, LoopTasks())

    async def note(self, account: str, _: Place, away: bool) -> None:
        self.noted.append((account, away))

    async def look(self, seconds: float = 0) -> list[tuple[str, bool]]:
        """What it has noted by a look after so many seconds."""
        self.clock.now += int(seconds * 1000)
        await self.absences.look()
        await let_everybody_run()
        return self.noted


@dataclass
class Region:
    redis: Redis
    clock: HandClock = field(default_factory=HandClock)
    places: Places = field(default_factory=Places)
    ann: str = field(default_factory=lambda: f"ann-{secrets.token_hex(8)}")

    def gateway(self) -> Gateway:
        return Gateway(self.redis, self.clock, self.places)

    def queue(self) -> None:
        self.places.take(TicketQueued(account=self.ann, pool=POOL, bots="none", bot=False, queued_at=0))

    def went_away(self) -> None:
        self.places.take(PersonWentAway(account=self.ann, at=0))


@pytest.fixture
async def region(redis_url: str) -> AsyncIterator[Region]:
    async with Redis.from_url(redis_url) as redis:
        yield Region(redis)


@pytest.fixture
async def lonely() -> AsyncIterator[Region]:
    """Its Valkey is away."""
    async with Redis(host="127.0.0.1", port=1) as redis:
        yield Region(redis)


async def test_who_waits_and_has_been_gone_for_five_seconds_is_noted_away_once(region: Region) -> None:
    here = region.gateway()
    region.queue()
    here.sockets.now_has(region.ann)
    assert await here.look() == []
    here.sockets.now_has()
    assert await here.look(1) == []
    assert await here.look(GONE_SECONDS - 2) == []
    assert await here.look(1) == [(region.ann, True)]
    region.went_away()
    assert await here.look(30) == [(region.ann, True)]


async def test_a_crowd_without_places_keeps_nobody_from_being_noted(region: Region) -> None:
    here = region.gateway()
    region.queue()
    here.sockets.now_has(*(f"passer-by-{number}" for number in range(2 * LOOKED_MAX)))
    here.sockets.now_has()
    here.sockets.now_has(region.ann)
    here.sockets.now_has()
    assert await here.look(GONE_SECONDS) == [(region.ann, True)]


async def test_who_was_here_before_there_was_a_place_is_known_too(region: Region) -> None:
    here = region.gateway()
    here.sockets.now_has(region.ann)
    await here.look()
    region.queue()
    here.sockets.now_has()
    await here.look(1)
    assert await here.look(GONE_SECONDS) == [(region.ann, True)]


async def test_a_short_break_is_none(region: Region) -> None:
    here = region.gateway()
    region.queue()
    for people in ({region.ann}, set(), {region.ann}):
        here.sockets.now_has(*people)
        await here.look(3)
    assert await here.look(30) == []


async def test_who_is_at_another_gateway_is_not_away(region: Region) -> None:
    one, other = region.gateway(), region.gateway()
    region.queue()
    one.sockets.now_has(region.ann)
    other.sockets.now_has(region.ann)
    await one.look()
    await other.look()
    one.sockets.now_has()
    for _ in range(4):
        await other.look(4)
        assert await one.look() == []
    assert other.noted == []


async def test_who_is_back_is_noted_back_by_the_gateway_where_that_is(region: Region) -> None:
    here = region.gateway()
    region.queue()
    region.went_away()
    assert await here.look() == []
    here.sockets.now_has(region.ann)
    assert await here.look(1) == [(region.ann, False)]
    assert await here.look(1) == [(region.ann, False)]
    region.places.take(PersonCameBack(account=region.ann))
    assert await here.look(10) == [(region.ann, False)]


async def test_people_of_a_gateway_that_is_gone_are_noted_away_by_another(region: Region) -> None:
    gone, left = region.gateway(), region.gateway()
    region.queue()
    gone.sockets.now_has(region.ann)
    await gone.look()
    await left.look()
    assert await left.look(1) == []
    region.clock.now += EXPIRY_MS
    assert await left.look() == []
    await left.look(1)
    assert await left.look(MISSED_SECONDS) == [(region.ann, True)]


async def test_who_waits_no_more_is_nobodys_concern(region: Region) -> None:
    here = region.gateway()
    region.queue()
    here.sockets.now_has(region.ann)
    await here.look()
    here.sockets.now_has()
    await here.look(1)
    region.places.take(TicketWithdrawn(account=region.ann))
    assert await here.look(60) == []


async def test_without_redis_who_leaves_is_noted_away_and_nobody_else_is(lonely: Region) -> None:
    one, other = lonely.gateway(), lonely.gateway()
    lonely.queue()
    one.sockets.now_has(lonely.ann)
    await one.look()
    for _ in range(4):
        assert await other.look(8) == []
    one.sockets.now_has()
    await one.look(1)
    assert await one.look(GONE_SECONDS) == [(lonely.ann, True)]


async def test_presence_counts_everybody_once_over_all_gateways(region: Region) -> None:
    room = secrets.token_hex(4)
    one, other = (Presence(region.redis, room, name) for name in ("one", "other"))
    now = region.clock.now
    assert await one.in_room("draw", ["ann", "bea"], [], now) == 2
    assert await other.in_room("draw", ["bea", "cid"], [], now) == 3
    assert await one.in_room("draw", [], ["ann"], now) == 2
    assert await other.in_room("draw", [], [], now + EXPIRY_MS) == 0
