"""What followers of private rooms are told; names and screens are those of a gateway without Valkey."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis
from tests.gateway.doubles import Listener
from tests.memory_log import let_everybody_run

from bus.clock import BrokerTime, SystemClock
from bus.tasks import LoopTasks
from contracts.room import (
    HostChanged,
    MatchStarted,
    PersonAway,
    PersonEntered,
    PersonLeftRoom,
    RoomClosed,
    RoomEvents,
    RoomOpened,
    RoomReleased,
)
from contracts.table import Reservation
from gateway.company import Company
from gateway.hub import Hub
from gateway.places import Place
from gateway.private_rooms import PrivateRooms
from gateway.room_places import RoomPlaces
from gateway.talk import Talks

CODE = "ABC234"
OPENED = RoomOpened(host="ann", region="eu", ruleset={"preset": "draw", "seats": 2}, at=1, expires_at=2)
BEN = PersonEntered(account="ben", bot=False, seat=2)


class Rooms:
    """Rooms of a log that a test writes."""

    def __init__(self, rooms: PrivateRooms, talks: Talks) -> None:
        self.rooms = rooms
        self.talks = talks
        self._versions: dict[str, int] = {}

    def happens(self, *events: RoomEvents, code: str = CODE) -> None:
        version = self._versions[code] = self._versions.get(code, 0) + len(events)
        self.rooms.take(f"room-{code.lower()}", version, [event.model_dump(mode="json") for event in events])

    async def follow(self, account: str) -> Listener:
        room, listener = self.rooms.find(CODE), Listener(account)
        assert room is not None
        self.rooms.follow(room, listener)
        await self.told(listener, 1)
        return listener

    async def told(self, listener: Listener, count: int) -> list[int]:
        """The versions that a follower was told, once there are so many."""
        for _ in range(2000):
            if len(listener.told) >= count:
                break
            await let_everybody_run()
        return [told["version"] for told in listener.told if told["type"] == "private-room"]


@pytest.fixture
async def rooms() -> AsyncIterator[Rooms]:
    redis, clock = Redis.from_url("redis://127.0.0.1:1/0"), SystemClock()
    company = Company.of(redis, clock, BrokerTime(clock), LoopTasks())
    yield Rooms(company.rooms, company.talks)
    await redis.aclose()


async def test_followers_are_told_the_whole_room_now_and_after_every_change(rooms: Rooms) -> None:
    rooms.happens(OPENED)
    ann = await rooms.follow("ann")
    rooms.happens(BEN)
    assert await rooms.told(ann, 2) == [1, 2]
    assert [person["account"] for person in ann.told[-1]["people"]] == ["ann", "ben"]
    assert ann.told[-1]["people"][0]["name"].startswith("Guest ")


async def test_many_changes_at_once_are_told_as_one(rooms: Rooms) -> None:
    rooms.happens(OPENED)
    ann = await rooms.follow("ann")
    for number in range(10):
        rooms.happens(PersonEntered(account=f"g{number}", bot=False, seat=None))
    assert (await rooms.told(ann, 2))[-1] == 11
    assert len(ann.told) <= 3


async def test_who_does_not_follow_any_more_is_told_nothing(rooms: Rooms) -> None:
    rooms.happens(OPENED)
    ann, ben = await rooms.follow("ann"), await rooms.follow("ben")
    rooms.rooms.unfollow(CODE, ben)
    rooms.happens(BEN)
    assert await rooms.told(ann, 2) == [1, 2]
    assert await rooms.told(ben, 1) == [1]


async def test_nobody_listens_any_more_who_went_while_others_were_let_in(rooms: Rooms) -> None:
    class Going(Listener):
        def push(self, text: str) -> None:
            super().push(text)
            asyncio.get_running_loop().call_soon(rooms.rooms.unfollow, CODE, self)

    rooms.happens(OPENED, BEN)
    room = rooms.rooms.find(CODE)
    assert room is not None
    for follower in (Going("ann"), Going("ben")):
        rooms.rooms.follow(room, follower)
    await asyncio.gather(*(task for task in asyncio.all_tasks() if task.get_name() == "private-room"))
    assert rooms.talks.places == 0


async def test_who_follows_again_is_told_again(rooms: Rooms) -> None:
    rooms.happens(OPENED)
    ann = await rooms.follow("ann")
    room = rooms.rooms.find(CODE)
    assert room is not None
    rooms.rooms.follow(room, ann)
    assert await rooms.told(ann, 2) == [1, 1]


async def test_who_is_removed_is_told_so_and_sees_the_room_no_more(rooms: Rooms) -> None:
    rooms.happens(OPENED, BEN)
    ann, ben = await rooms.follow("ann"), await rooms.follow("ben")
    rooms.happens(PersonLeftRoom(account="ben", removed=True))
    assert await rooms.told(ann, 2) == [2, 3]
    assert await rooms.told(ben, 2) == [2]
    assert ben.told[-1]["code"] == "removed"
    rooms.happens(HostChanged(account="ann", reason="returned"))
    assert await rooms.told(ann, 3) == [2, 3, 4]
    assert len(ben.told) == 2


async def test_a_match_is_shown_as_starting_until_its_table_is_there_to_be_watched(rooms: Rooms) -> None:
    rooms.happens(OPENED, BEN)
    ann = await rooms.follow("ann")
    seats = (Reservation(account="ann"), Reservation(account="ben"))
    rooms.happens(MatchStarted(table_id="t1", ruleset=OPENED.ruleset, seats=seats))
    await rooms.told(ann, 2)
    rooms.rooms.opened("t1")
    assert await rooms.told(ann, 3) == [2, 3, 3]
    rooms.happens(RoomReleased(table_id="t1"))
    await rooms.told(ann, 4)
    stages = [(told["starting"], told["running"], told["table_id"]) for told in ann.told[1:]]
    assert stages == [(True, False, None), (False, True, "t1"), (False, False, "t1")]


async def test_a_closed_room_is_shown_once_more_and_forgotten(rooms: Rooms) -> None:
    rooms.happens(OPENED)
    ann = await rooms.follow("ann")
    rooms.happens(PersonLeftRoom(account="ann"), RoomClosed(at=9))
    assert await rooms.told(ann, 2) == [1, 3]
    assert ann.told[-1]["closed"]
    assert rooms.rooms.find(CODE) is None
    assert list(rooms.rooms.people) == []


async def test_people_can_be_away_from_all_their_rooms(rooms: Rooms) -> None:
    class Sockets(Hub):
        people: frozenset[str] = frozenset()

        @property
        def accounts(self) -> frozenset[str]:
            return self.people

    sockets = Sockets(lambda: 0.0)
    places = RoomPlaces(rooms.rooms, sockets)
    assert places.get("ben") is None
    rooms.happens(OPENED, BEN)
    rooms.happens(OPENED, BEN, code="XYZ789")
    assert sorted(places) == ["ann", "ben"]
    assert places.get("ben") == Place(bot=False, away=False)
    rooms.happens(PersonAway(account="ben", at=5))
    assert places.get("ben") == Place(bot=False, away=False)  # the other room is still to be told
    sockets.people = frozenset({"ben"})
    assert places.get("ben") == Place(bot=False, away=True)  # this one is to be told that ben is back
    rooms.happens(PersonLeftRoom(account="ben"))
    rooms.happens(PersonLeftRoom(account="ben"), code="XYZ789")
    assert places.get("ben") is None
