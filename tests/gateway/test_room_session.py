"""Talk in private rooms and at tables, on a whole gateway."""

import asyncio
import secrets
from collections.abc import Coroutine
from typing import Any

import pytest
from redis.asyncio import Redis
from tests.gateway.doubles import Listener
from tests.gateway.rooms import Body, do, opened, shown
from tests.gateway.running import Guest, gateway
from tests.memory_log import let_everybody_run

from bus.clock import BrokerTime, SystemClock
from bus.kafka import KafkaLog
from bus.records import TopicPartition
from bus.tasks import LoopTasks
from contracts.names import fallback_name
from contracts.region import MatchMade, Pool
from contracts.room_api import Phrase, Say
from contracts.table import Reservation
from gateway.company import Company
from gateway.history import History
from gateway.identity import Identity
from gateway.live_cache import LiveCache
from gateway.past import Origin, Past
from gateway.room_session import RoomSession
from gateway.tables import Tables
from gateway.whereabouts import Whereabouts


async def test_people_in_a_room_talk_and_who_comes_in_hears_what_was_said(three: list[Guest]) -> None:
    host, friend, stranger = three
    code = await opened(host)
    await host.say(type="follow-private-room", code=code)
    await host.say(type="say", code=code, text="  is anybody\nthere? ")
    said = await host.hear("talk")
    assert (said["said_by"], said["text"], said["code"]) == (host.account, "is anybody there?", code)
    for guest in (friend, stranger):
        await guest.say(type="follow-private-room", code=code)
        await shown(guest, lambda _: True)
    await stranger.say(type="say", code=code, phrase="hello")
    assert (await stranger.hear("error"))["code"] == "not-in-room"
    await do(friend, code, type="enter-room")
    assert (await friend.hear("talk"))["text"] == "is anybody there?"
    await friend.say(type="say", code=code, phrase="hello")
    assert (await host.hear("talk"))["phrase"] == "hello"
    await stranger.say(type="ping", id="after-all-that")
    assert (await stranger.hear("talk", "pong"))["type"] == "pong"


async def test_at_a_table_there_are_phrases_for_those_with_a_seat_who_have_not_muted_each_other(
    three: list[Guest],
) -> None:
    host, friend, stranger = three
    code = await opened(host)
    await do(friend, code, type="enter-room")
    await do(stranger, code, type="enter-room")
    await do(host, code, type="start-match")
    table_id = (await host.hear("your-table"))["table_id"]
    for guest in three:
        await guest.say(type="watch", table_id=table_id)
        await guest.hear("view")
    await host.say(type="say", table_id=table_id, phrase="good-luck")
    for guest in (host, friend):
        assert (await guest.hear("talk"))["phrase"] == "good-luck"
    await friend.say(type="say", table_id=table_id, text="psst")
    assert (await friend.hear("error"))["code"] == "text-not-here"
    await stranger.say(type="say", table_id=table_id, phrase="hello")
    assert (await stranger.hear("talk", "error"))["code"] == "not-seated"

    muted = await host.http.put(f"/v1/me/mutes/{friend.account}", headers=host.headers)
    assert muted.json() == {"accounts": [friend.account], "names": {friend.account: fallback_name(friend.account)}}
    await friend.say(type="say", table_id=table_id, phrase="oops")
    assert (await friend.hear("talk"))["phrase"] == "oops"
    heard = await host.http.delete(f"/v1/me/mutes/{friend.account}", headers=host.headers)
    assert heard.json() == {"accounts": [], "names": {}}
    await friend.say(type="say", table_id=table_id, phrase="again")
    assert (await host.hear("talk"))["phrase"] == "again"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ({}, "bad-message"),
        ({"phrase": "hello", "text": "hello"}, "bad-message"),
        ({"phrase": "shut-up"}, "bad-message"),
        ({"text": "x" * 241}, "bad-message"),
        ({"text": "\u200b"}, "bad-message"),
        ({"text": "\ufb2c" * 100}, "bad-message"),
        ({"phrase": "hello", "table_id": "t1"}, "bad-message"),
    ],
)
async def test_what_cannot_be_said_is_refused_and_the_connection_goes_on(
    three: list[Guest], words: Body, code: str
) -> None:
    room = await opened(three[0])
    await three[0].say(type="say", code=room, **words)
    assert (await three[0].hear("error"))["code"] == code
    await three[0].say(type="ping", id="still-there")
    assert (await three[0].hear("pong"))["id"] == "still-there"


async def test_five_things_in_ten_seconds_are_enough(three: list[Guest]) -> None:
    code = await opened(three[0])
    await three[0].say(type="follow-private-room", code=code)
    for _ in range(6):
        await three[0].say(type="say", code=code, phrase="hello")
    heard = [await three[0].hear("talk", "error") for _ in range(6)]
    assert [message.get("code") for message in heard].count("too-much-talk") == 1


async def test_a_room_its_talk_and_its_screen_are_the_same_at_every_gateway(
    three: list[Guest], kafka_bootstrap: str, redis_url: str, account_url: str
) -> None:
    host, friend, _ = three
    async with gateway(kafka_bootstrap, redis_url, account_url) as another:
        code = await opened(host)
        await do(friend, code, type="enter-room")
        await friend.socket.close()
        friend.url = another
        await friend.connect()
        for guest in (host, friend):
            await guest.say(type="follow-private-room", code=code)
            await shown(guest, lambda room: len(room["people"]) == 2)
        await host.say(type="say", code=code, text="do you hear me")
        assert (await friend.hear("talk"))["text"] == "do you hear me"
        await friend.say(type="say", code=code, phrase="well-played")
        while (await host.hear("talk"))["phrase"] != "well-played":
            pass

        given = (await host.http.post("/v1/screens", json={})).json()
        screen = Guest(host.http, another, "", given["token"])
        await screen.connect()
        body = {"pairing": given["pairing"]}
        await host.http.post(f"/v1/private-rooms/{code}/screens", json=body, headers=host.headers)
        assert (await screen.hear("screen-paired"))["code"] == code
        await shown(friend, lambda room: room["screens"] == 1)
        for guest in (screen, friend):
            await guest.socket.close()


async def test_what_is_said_with_an_id_is_answered_and_said_once(three: list[Guest]) -> None:
    host, stranger, _ = three
    code = await opened(host)
    await host.say(type="follow-private-room", code=code)
    for said_id in ("one", "one", "two"):
        await host.say(type="say", id=said_id, code=code, text=said_id)
    told = [await host.hear("said", "talk", "error") for _ in range(5)]
    assert sorted(answer["id"] for answer in told if answer["type"] == "said") == ["one", "one", "two"]
    assert sorted(talk["text"] for talk in told if talk["type"] == "talk") == ["one", "two"]
    for said_id, words in {"no-words": {}, "long": {"text": "x" * 241}, "outside": {"phrase": "hello"}}.items():
        await stranger.say(type="say", id=said_id, code=code, **words)
        assert (await stranger.hear("said", "error"))["id"] == said_id


class LastFirst(LoopTasks):
    """Nothing begins before it is told to, and then what was spawned last does first."""

    def __init__(self) -> None:
        self._turns: list[asyncio.Future[None]] = []
        self._tasks: list[asyncio.Task[None]] = []

    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> "asyncio.Task[None]":
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        async def in_turn() -> None:
            await turn
            await work

        self._turns.append(turn)
        task = super().spawn(in_turn(), name)
        task.add_done_callback(lambda _: work.close())
        self._tasks.append(task)
        return task

    @property
    def waiting(self) -> int:
        return sum(not task.done() for task in self._tasks)

    async def all(self) -> None:
        for turn in reversed(self._turns):
            if not turn.done():
                turn.set_result(None)
        await asyncio.wait(self._tasks)
        for task in self._tasks:
            if not task.cancelled():
                task.result()


def seated(account: str, table_id: str, redis: Redis, tasks: LoopTasks) -> tuple[RoomSession, Company]:
    """A session of somebody with a seat at a table, on the parts of a gateway."""
    clock, now, log = SystemClock(), LoopTasks(), KafkaLog("127.0.0.1:1", 2000)
    time, whereabouts = BrokerTime(clock), Whereabouts()
    past = Past(LiveCache(redis), History(log, clock, now), lambda _: Origin(TopicPartition("table.events", 0), None))
    company = Company.of(redis, clock, time, now)
    match = MatchMade(
        table_id=table_id, pool=Pool(preset="draw", seats=2, target=50), seats=(Reservation(account=account),)
    )
    whereabouts.match_made("eu", match, 0, is_open=True)
    desk = company.desk(Tables(past, clock, time, now), whereabouts, tasks)
    return RoomSession(Listener(account), Identity(account, "eu"), "", desk), company


async def test_what_somebody_says_first_is_heard_first(redis_url: str) -> None:
    redis, tasks = Redis.from_url(redis_url), LastFirst()
    ann, table_id = f"g{secrets.token_hex(8)}", secrets.token_hex(8)
    session, _ = seated(ann, table_id, redis, tasks)
    phrases: tuple[Phrase, ...] = ("hello", "good-luck", "oops", "again", "goodbye")
    for phrase in phrases:
        session.say(Say(table_id=table_id, phrase=phrase))
    await tasks.all()
    said: Any = await redis.xrange(f"talk:table:{table_id}")
    assert tuple(fields[b"phrase"].decode() for _, fields in said) == phrases
    await redis.aclose()


async def test_who_unwatches_a_table_at_once_does_not_listen_to_its_talk_for_ever(redis_url: str) -> None:
    redis, tasks = Redis.from_url(redis_url), LastFirst()
    session, company = seated("ann", "t1", redis, tasks)
    for _ in range(50):
        session.watch("t1")
        session.unwatch("t1")
    await let_everybody_run()
    assert tasks.waiting == 0
    await tasks.all()
    assert company.talks.places == 0
    await redis.aclose()
