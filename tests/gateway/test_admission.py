"""Who is let in by a server's answer, into a room that goes on while the server is asked."""

import asyncio
import secrets
from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis
from tests.gateway.test_private_rooms import BEN, OPENED, Rooms

from bus.clock import BrokerTime, SystemClock
from bus.tasks import LoopTasks
from contracts.room import PersonAway, PersonLeftRoom, RoomClosed, RoomEvents
from gateway.company import Company
from gateway.identity import Identity
from gateway.private_room import Room
from gateway.problems import ProblemError
from gateway.room_codes import draw_code


class Door:
    """Of one room, whose log a test writes."""

    def __init__(self, company: Company) -> None:
        self.company = company
        self.code = draw_code()
        self._rooms = Rooms(company.rooms, company.talks)
        self._rooms.happens(OPENED, code=self.code)

    async def admit(self, asker: Identity, *meanwhile: RoomEvents) -> Room:
        """`meanwhile` happens while the server is asked."""
        address = secrets.token_hex(8)
        asking = asyncio.create_task(self.company.admission.admit(asker, address, self.code))
        await asyncio.sleep(0)
        assert not asking.done()
        self._rooms.happens(*meanwhile, code=self.code)
        return await asking


@pytest.fixture
async def door(redis_url: str) -> AsyncIterator[Door]:
    redis, clock = Redis.from_url(redis_url), SystemClock()
    yield Door(Company.of(redis, clock, BrokerTime(clock), LoopTasks()))
    await redis.aclose()


async def test_a_screen_is_given_the_room_with_what_happened_while_its_pairing_was_looked_up(door: Door) -> None:
    screen = Identity(f"s{secrets.token_hex(8)}", "eu", screen=True)
    await door.company.screens.pair(screen.account, door.code)
    room = await door.admit(screen, PersonAway(account="ann", at=3))
    assert (room.version, room.people["ann"].away) == (2, True)


@pytest.mark.parametrize(
    ("meanwhile", "code"),
    [
        ((BEN, PersonLeftRoom(account="ben", removed=True)), "removed"),
        ((RoomClosed(at=3),), "unknown-code"),
    ],
)
async def test_nobody_is_let_into_a_room_as_it_was_before_the_code_was_judged(
    door: Door, meanwhile: tuple[RoomEvents, ...], code: str
) -> None:
    with pytest.raises(ProblemError) as refused:
        await door.admit(Identity("ben", "eu"), *meanwhile)
    assert refused.value.problem.code == code
