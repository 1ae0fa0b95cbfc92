"""A kept account at the tables of the guests that are it by now."""

import asyncio
import json
import secrets
from typing import Any

import pytest
from redis.asyncio import Redis
from tests.gateway.doubles import Listener
from tests.gateway.matches import TABLE_ID, whole_match
from tests.gateway.test_tables import Here
from tests.memory_log import let_everybody_run

from bus.clock import BrokerTime
from bus.sender import CommandSender
from bus.tasks import LoopTasks
from contracts.account import AccountState
from contracts.api import YourTable
from contracts.envelope import CommandEnvelope
from contracts.region import MatchMade, Pool
from contracts.table import Reservation
from gateway.answers import Answers
from gateway.commands import Commands
from gateway.company import Company
from gateway.hub import Hub
from gateway.identity import Identity
from gateway.merged import Merged
from gateway.outbox import Outbox
from gateway.pace import Pace
from gateway.presence import Presence
from gateway.region import RegionHere
from gateway.room_followers import RoomFollowers
from gateway.session import Desk, Session
from gateway.whereabouts import Whereabouts

CHANGES = whole_match(seed=61)[:5]
SEATS = (Reservation(account="g1"), Reservation(account="g2"))
MATCH = MatchMade(table_id=TABLE_ID, pool=Pool(preset="draw", seats=2, target=50), seats=SEATS)
PASS = {"type": "command", "id": "a", "table_id": TABLE_ID, "command": {"type": "pass-turn", "turn": 3}}
PLAY = frozenset({"play"})


class Person:
    """A socket, and what it is told."""

    def __init__(self, hub: Hub, desk: Desk, identity: Identity, guests: tuple[str, ...]) -> None:
        self._outbox, self._hub = Outbox(), hub
        self.session = Session(identity, self._outbox, desk, guests=guests)
        self._told: list[dict[str, Any]] = []
        self._draining = asyncio.create_task(self._outbox.drain(self._take))
        hub.join(self.session)
        self.session.welcome()

    async def _take(self, text: str) -> None:
        self._told.append(json.loads(text))

    def say(self, **message: Any) -> None:
        self.session.frame(json.dumps(message))

    async def hears(self, kind: str) -> dict[str, Any]:
        """The next message of this type; others before it are passed over."""
        async with asyncio.timeout(10):
            while True:
                while self._told:
                    if (message := self._told.pop(0))["type"] == kind:
                        return message
                await let_everybody_run()

    async def hears_no_more(self) -> bool:
        await let_everybody_run()
        return not self._told

    def leave(self) -> None:
        self._hub.leave(self.session)
        self.session.end()
        self._draining.cancel()


class Gateway:
    """Its sessions, with a match of g1 and g2 that is under way, over a log in memory and without Valkey."""

    def __init__(self) -> None:
        self._here, redis = Here(), Redis.from_url("redis://127.0.0.1:1/0")
        self.log, tasks, self.whereabouts = self._here.written.log, LoopTasks(), Whereabouts()
        clock, time, tables = self.log.clock, BrokerTime(self.log.clock), self._here.tables
        company, region = Company.of(redis, clock, time, tasks), RegionHere("eu", str.title)
        followers = RoomFollowers(region.tables, Presence(redis, "eu", "here"), company.names.learn, time, tasks)
        self._sender = CommandSender(self.log, "table")
        commands = Commands({"table": self._sender}, Answers())
        rooms = company.desk(tables, self.whereabouts, tasks)
        self.desk = Desk(tables, self.whereabouts, commands, clock, time, tasks, rooms, followers, Pace(clock))
        self.hub = Hub(lambda: 0.0, self.whereabouts.has_seat)
        self.whereabouts.match_made("eu", MATCH, 1, is_open=True)
        for change in CHANGES:
            self._here.happens(TABLE_ID, change)

    async def seen_by(self, account: str) -> dict[str, Any]:
        """The whole table as the one who has this seat sees it."""
        listener: Listener = await self._here.watch(TABLE_ID, account)
        view: dict[str, Any] = listener.told[-1]["view"]
        return view

    async def comes(self, account: str, *guests: str, **identity: Any) -> Person:
        await self._sender.start()
        return Person(self.hub, self.desk, Identity(account, "eu", **{"session": "s", **identity}), guests)

    async def principal(self) -> str:
        """In whose name the first command was written."""
        (record,) = await self.log.until("table.commands", 1)
        return CommandEnvelope.model_validate_json(record.value or b"").principal


async def test_whoever_comes_with_the_account_sees_and_plays_the_seat_of_its_guest() -> None:
    gateway = Gateway()
    ann = await gateway.comes("ann", "g0", "g1")
    assert [table["table_id"] for table in (await ann.hears("welcome"))["tables"]] == [TABLE_ID]
    ann.say(type="watch", table_id=TABLE_ID)
    view = (await ann.hears("view"))["view"]
    assert view == await gateway.seen_by("g1")
    assert view["hand"]
    ann.say(**PASS)
    assert await gateway.principal() == "g1"
    ann.leave()


async def test_the_seat_of_a_guest_is_played_where_nobody_watches_it_too() -> None:
    gateway = Gateway()
    ann = await gateway.comes("ann", "g1")
    ann.say(**PASS)
    assert await gateway.principal() == "g1"
    ann.leave()


async def test_who_is_here_when_the_guest_moves_is_told_of_its_table_and_sees_it_anew() -> None:
    gateway = Gateway()
    ann = await gateway.comes("ann")
    assert (await ann.hears("welcome"))["tables"] == []
    ann.say(type="watch", table_id=TABLE_ID)
    assert (await ann.hears("view"))["view"]["you"] is None
    gateway.hub.merged("ann", ["g1"])
    assert (await ann.hears("your-table"))["table_id"] == TABLE_ID
    seen = await ann.hears("view")
    assert (seen["from_version"], seen["view"]) == (0, await gateway.seen_by("g1"))
    gateway.hub.merged("ann", ["g1"])
    assert await ann.hears_no_more()
    gateway.hub.tell(["g1", "ann"], YourTable(table_id="t2", region="eu"))
    assert (await ann.hears("your-table"))["table_id"] == "t2"
    assert await ann.hears_no_more()
    ann.leave()
    gateway.hub.tell(["g1"], YourTable(table_id="t3", region="eu"))
    assert await ann.hears_no_more()


async def test_who_has_a_seat_there_plays_that_one_whatever_guests_it_has() -> None:
    gateway = Gateway()
    ben = await gateway.comes("g2", "g1")
    ben.say(type="watch", table_id=TABLE_ID)
    assert (await ben.hears("view"))["view"] == await gateway.seen_by("g2")
    ben.say(**PASS)
    assert await gateway.principal() == "g2"
    ben.leave()


@pytest.mark.parametrize("identity", [{"scopes": PLAY}, {"bot": True}, {"house": True}, {"session": None}])
async def test_nobody_but_a_session_of_a_person_sits_where_a_guest_sat(identity: dict[str, Any]) -> None:
    gateway = Gateway()
    ann = await gateway.comes("ann", **identity)
    gateway.hub.merged("ann", ["g1"])
    ann.say(**PASS)
    assert (await ann.hears("error"))["code"] == "not-seated"
    async with Redis.from_url("redis://127.0.0.1:1/0") as redis:
        assert await Merged(redis).players(ann.session.identity) == ("ann",)
    ann.leave()


async def test_with_the_seat_of_a_guest_one_has_a_place_in_a_full_gateway() -> None:
    gateway = Gateway()
    ann = await gateway.comes("ann", "g1")
    gateway.hub.is_nearly_full = lambda: True
    ben = await gateway.comes("ben")
    cid = await gateway.comes("cid", "g2")
    assert [person.session.finished for person in (ann, ben, cid)] == [False, True, False]
    for person in (ann, ben, cid):
        person.leave()


def state(account: str, version: int) -> AccountState:
    return AccountState(account=account, version=version, kind="guest", region="eu", made_at=1)


async def test_guests_are_looked_up_for_a_persons_session_until_the_account_changes(redis_url: str) -> None:
    ann = f"ann-{secrets.token_hex(4)}"
    session = Identity(ann, "eu", session="s")
    async with Redis.from_url(redis_url) as redis:
        await redis.set(f"merged:{ann}", json.dumps(["g2", "g1"]))
        merged = Merged(redis)
        assert await merged.players(session) == (ann, "g1", "g2")
        await redis.set(f"merged:{ann}", json.dumps(["g3"]))
        assert await merged.players(session) == (ann, "g1", "g2")
        merged.heard(state(ann, 2))
        assert await merged.players(session) == (ann, "g3")


async def test_a_new_account_has_no_guests_and_nobody_is_asked(redis_url: str) -> None:
    ann = f"ann-{secrets.token_hex(4)}"
    async with Redis.from_url(redis_url) as redis:
        await redis.set(f"merged:{ann}", json.dumps(["g1"]))
        merged = Merged(redis)
        merged.heard(state(ann, 1))
        assert await merged.players(Identity(ann, "eu", session="s")) == (ann,)
