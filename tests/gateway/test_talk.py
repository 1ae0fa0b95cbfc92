"""Talk on a real server, as two gateways pass it on."""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from redis.asyncio import Redis
from tests.gateway.belled import belled

from bus.clock import BrokerTime, SystemClock
from bus.tasks import LoopTasks
from contracts.names import fallback_name
from gateway.bells import Bells
from gateway.merged import Merged
from gateway.mutes import Mutes
from gateway.names import Names
from gateway.talk import KEPT_MAX, KEPT_MS, SAID_MAX, Place, Talks, TalkUnavailable, TooMuchTalk


@dataclass(eq=False)
class Ear:
    """A socket that keeps what it is told, in order."""

    account: str
    told: asyncio.Queue[dict[str, Any]] = field(default_factory=asyncio.Queue)

    @property
    def accounts(self) -> tuple[str, ...]:
        return (self.account,)

    def push(self, text: str) -> None:
        self.told.put_nowait(json.loads(text))

    async def hears(self, count: int) -> list[str]:
        """The next so many things."""
        async with asyncio.timeout(10):
            talks = [await self.told.get() for _ in range(count)]
        return [talk["phrase"] or talk["text"] for talk in talks]


@dataclass
class Here:
    """One gateway's talk."""

    redis: Any
    mutes: Mutes
    talks: Talks


@asynccontextmanager
async def talking(redis_url: str) -> AsyncIterator[Here]:
    async with belled(redis_url) as (redis, bells):
        names, mutes = Names(redis), Mutes(redis, bells, Merged(redis))
        talks = Talks(redis, bells, names, mutes, BrokerTime(SystemClock()), LoopTasks())
        yield Here(redis, mutes, talks)


@pytest.fixture
async def here(redis_url: str) -> AsyncIterator[Here]:
    async with talking(redis_url) as found:
        yield found


def place(code: str = "ABC234") -> Place:
    return Place(f"room:{secrets.token_hex(8)}", lambda account: not account.startswith("deaf"), code=code)


def somebody() -> str:
    return f"g{secrets.token_hex(8)}"


async def test_what_is_said_at_one_gateway_is_heard_at_all_of_them_in_order(here: Here, redis_url: str) -> None:
    room, ann, one, other = place(), somebody(), Ear("one"), Ear("other")
    async with talking(redis_url) as there:
        await here.talks.listen(room, one)
        await there.talks.listen(room, other)
        await here.talks.say(ann, room, "hello", None)
        await there.talks.say(ann, room, None, "how do you do")
        assert await one.hears(2) == await other.hears(2) == ["hello", "how do you do"]


async def test_talk_says_who_when_and_where(here: Here) -> None:
    room, ann, ear = place(), somebody(), Ear("ear")
    await here.talks.listen(room, ear)
    before = SystemClock().wall()
    await here.talks.say(ann, room, "capicua", None)
    async with asyncio.timeout(10):
        talk = await ear.told.get()
    assert before - 1 <= talk.pop("at") <= SystemClock().wall()
    said_by = {"said_by": ann, "name": fallback_name(ann)}
    assert talk == {"type": "talk", "table_id": None, "code": "ABC234", "phrase": "capicua", "text": None} | said_by


async def test_who_comes_later_hears_the_last_of_what_was_said_and_only_with_leave(here: Here) -> None:
    room, late, later, deaf = place(), Ear("late"), Ear("later"), Ear("deaf")
    for number in range(7):
        await here.talks.say(f"{somebody()}", room, None, f"{number}")
    await here.talks.listen(room, later)
    await here.talks.listen(room, deaf, 50)
    await here.talks.listen(room, late, 3)
    await here.talks.say(somebody(), room, None, "now")
    assert await late.hears(4) == ["4", "5", "6", "now"]
    assert await later.hears(1) == ["now"]
    assert deaf.told.empty()


@pytest.mark.parametrize(
    "entry", [{"by": "ann", "phrase": "of-tomorrow"}, {"by": "ann", "text": "x" * 999}, {"to": ""}]
)
async def test_what_this_version_cannot_read_keeps_nobody_from_hearing_the_rest(
    here: Here, entry: dict[str, str]
) -> None:
    room, ann, ear, later = place(), somebody(), Ear("ear"), Ear("later")
    await here.talks.listen(room, ear)
    await here.redis.xadd(room.bell, entry)
    await here.talks.say(ann, room, "hello", None)
    assert await ear.hears(1) == ["hello"]
    await here.talks.listen(room, later, 50)
    assert await later.hears(1) == ["hello"]


async def test_who_has_muted_an_account_does_not_hear_it_from_the_seat_of_its_guest(here: Here) -> None:
    room, ann, guest, ben = place(), somebody(), somebody(), somebody()
    ear, other = Ear(somebody()), Ear(somebody())
    await here.redis.set(f"muted:{ear.account}", json.dumps([ann]))
    for listener in (ear, other):
        await here.talks.listen(room, listener)
    await here.talks.say(guest, room, None, "loud", person=ann)
    await here.talks.say(ben, room, None, "low")
    assert await other.hears(2) == ["loud", "low"]
    assert await ear.hears(1) == ["low"]


async def test_a_guests_seat_gives_nobody_more_to_say(here: Here) -> None:
    room, ann = place(), somebody()
    for number in range(SAID_MAX):
        await here.talks.say(ann, room, None, f"{number}")
    with pytest.raises(TooMuchTalk):
        await here.talks.say(somebody(), room, "hello", None, person=ann)


async def test_nobody_hears_whom_they_have_muted(here: Here) -> None:
    room, ann, ben = place(), somebody(), somebody()
    ear, other = Ear(somebody()), Ear(somebody())
    await here.redis.set(f"muted:{ear.account}", json.dumps([ann]))
    for listener in (ear, other):
        await here.talks.listen(room, listener)
    await here.talks.say(ann, room, None, "loud")
    await here.talks.say(ben, room, None, "low")
    assert await other.hears(2) == ["loud", "low"]
    assert await ear.hears(1) == ["low"]


async def test_who_has_left_hears_nothing_more(here: Here) -> None:
    room, stays, leaves = place(), Ear("stays"), Ear("leaves")
    for listener in (stays, leaves):
        await here.talks.listen(room, listener)
    here.talks.leave(room, leaves)
    await here.talks.say(somebody(), room, "goodbye", None)
    assert await stays.hears(1) == ["goodbye"]
    assert leaves.told.empty()
    here.talks.leave(room, stays)
    here.talks.leave(room, stays)
    assert here.talks.places == 0


async def test_five_things_in_ten_seconds_are_enough_wherever_they_are_said(here: Here) -> None:
    ann = somebody()
    for _ in range(SAID_MAX):
        await here.talks.say(ann, place(), "again", None)
    with pytest.raises(TooMuchTalk):
        await here.talks.say(ann, place(), "again", None)
    await here.talks.say(somebody(), place(), "again", None)


async def test_what_is_repeated_with_its_id_is_said_once_and_counts_once(here: Here) -> None:
    room, ann, ear = place(), somebody(), Ear("ear")
    await here.talks.listen(room, ear)
    for number in range(SAID_MAX):
        for _ in range(2):
            await here.talks.say(ann, room, None, f"{number}", f"id-{number}")
    with pytest.raises(TooMuchTalk):
        await here.talks.say(ann, room, None, "more", "id-more")
    await here.talks.say(ann, room, None, "0", "id-0")
    await here.talks.say(somebody(), room, None, "end", "id-0")
    assert await ear.hears(SAID_MAX + 1) == [*map(str, range(SAID_MAX)), "end"]


async def test_talk_is_gone_after_a_day_and_bounded_before(here: Here) -> None:
    room = place()
    for _ in range(KEPT_MAX + 5):
        await here.talks.say(somebody(), room, "hello", None)
    assert await here.redis.xlen(room.bell) == KEPT_MAX
    assert 0 < await here.redis.pttl(room.bell) <= KEPT_MS
    old = place()
    await here.redis.xadd(old.bell, {"by": "ann", "text": "old"}, id=f"{SystemClock().wall() - KEPT_MS - 1000}-0")
    ear = Ear("ear")
    await here.talks.listen(old, ear, 50)
    await here.talks.say(somebody(), old, "hello", None)
    assert await ear.hears(1) == ["hello"]
    assert await here.redis.xlen(old.bell) == 1


async def test_without_a_server_nothing_can_be_said_and_listening_waits() -> None:
    redis = Redis.from_url("redis://127.0.0.1:1/0")
    bells = Bells(redis, LoopTasks())
    names, mutes = Names(redis), Mutes(redis, bells, Merged(redis))
    talks = Talks(redis, bells, names, mutes, BrokerTime(SystemClock()), LoopTasks())
    with pytest.raises(TalkUnavailable):
        await talks.say("ann", place(), "hello", None)
    await talks.listen(place(), Ear("ear"), 50)
    await redis.aclose()
