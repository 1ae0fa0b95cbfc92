"""Followers of public rooms at a gateway whose Valkey is away: it knows of its own people."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import pytest
from redis.asyncio import Redis
from tests.gateway.doubles import Listener
from tests.gateway.test_public_tables import match, offered, taken
from tests.memory_log import HandClock

from bus.clock import BrokerTime
from bus.tasks import LoopTasks
from contracts.region import Pool, TableReleased
from gateway.presence import Presence
from gateway.region import RegionHere
from gateway.region_events import RegionEvent
from gateway.room_followers import CHANGES_MAX, LIST_MS, LISTED_MAX, RoomFollowers


@dataclass
class Following:
    learnt: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.region = RegionHere("eu", lambda account: account.title() if account in self.learnt else "Guest")
        self.clock = clock = HandClock()
        presence = Presence(Redis(host="127.0.0.1", port=1), "eu", "here")
        self.followers = RoomFollowers(self.region.tables, presence, self.learn, BrokerTime(clock), LoopTasks())

    async def learn(self, accounts: Iterable[str]) -> None:
        self.learnt |= set(accounts)

    def take(self, *events: RegionEvent) -> None:
        for event in events:
            self.region.take("eu", event.model_dump(mode="json"), 1_000)

    async def follow(self, account: str, preset: str = "party") -> Listener:
        listener = Listener(account)
        self.followers.follow(preset, listener)
        await self.followers.flush()
        return listener


def shown(message: dict[str, Any]) -> list[tuple[str, str, list[str]]]:
    tables = message["tables"] if message["type"] == "room-list" else message["changed"]
    return [(table["table_id"], table["state"], [one["name"] for one in table["people"]]) for table in tables]


async def test_a_follower_gets_the_list_with_names_and_then_only_what_has_changed() -> None:
    here = Following()
    here.take(offered("t1", "ann"), offered("t2", "bea"))
    ann = await here.follow("ann")
    here.take(taken("t1", "cid"), taken("t1", "dan"), match("t1", "ann", "cid", "dan"))
    await here.followers.flush()
    first, second = ann.told
    assert (first["type"], second["type"]) == ("room-list", "room-changes")
    assert sorted(shown(first)) == [("t1", "open", ["Ann"]), ("t2", "open", ["Bea"])]
    assert shown(second) == [("t1", "running", ["Ann", "Cid", "Dan"])]
    here.take(TableReleased(table_id="t1"))
    await here.followers.flush()
    assert (ann.told[-1]["changed"], ann.told[-1]["gone"]) == ([], ["t1"])


async def test_where_nothing_has_changed_nothing_is_told() -> None:
    here = Following()
    ann = await here.follow("ann")
    here.take(offered("t1", "bea", Pool(preset="draw", seats=2, target=50)))
    await here.followers.flush()
    await here.followers.flush()
    assert [message["type"] for message in ann.told] == ["room-list"]


async def test_changes_are_written_once_for_all_followers() -> None:
    here = Following()
    texts: list[str] = []

    class Keeping(Listener):
        def push(self, text: str) -> None:
            texts.append(text)

    for account in ("ann", "bea"):
        here.followers.follow("party", Keeping(account))
    await here.followers.flush()
    here.take(offered("t1", "cid"))
    await here.followers.flush()
    assert texts[0] is texts[1]
    assert texts[2] is texts[3]


async def test_who_comes_while_names_are_looked_up_misses_no_change() -> None:
    here = Following()
    late = Listener("late")

    async def learn_slowly(accounts: Iterable[str]) -> None:
        here.learnt |= set(accounts)
        if late.account not in here.learnt:
            here.learnt.add(late.account)
            here.followers.follow("party", late)
            here.take(offered("t2", "bea"))

    here.followers._learn = learn_slowly
    here.take(offered("t1", "ann"))
    await here.follow("early")
    await here.followers.flush()
    known = [
        table["table_id"] for message in late.told for table in message.get("tables") or message.get("changed", [])
    ]
    assert sorted(set(known)) == ["t1", "t2"]


async def test_a_new_name_is_shown_at_the_tables_of_its_person() -> None:
    here = Following()
    here.take(offered("t1", "ann"))
    bea = await here.follow("bea")
    here.region.tables.renamed("ann")
    await here.followers.flush()
    assert shown(bea.told[-1]) == [("t1", "open", ["Ann"])]


async def test_whoever_has_left_hears_no_more() -> None:
    here = Following()
    ann = await here.follow("ann")
    here.followers.unfollow("party", ann)
    here.take(offered("t1", "bea"))
    await here.followers.flush()
    assert len(ann.told) == 1


async def test_people_are_counted_once_each_and_followers_hear_when_the_number_changes() -> None:
    here = Following()
    phone, laptop = await here.follow("ann"), await here.follow("ann")
    await here.followers.count("party")
    await here.followers.flush()
    assert (here.followers.people("party"), phone.told[-1]["people"]) == (1, 1)
    here.followers.unfollow("party", laptop)
    await here.followers.count("party")
    await here.followers.flush()
    assert (here.followers.people("party"), len(phone.told)) == (1, 2)


async def test_very_many_followers_are_told_less_often_and_twice_a_second_at_least() -> None:
    here = Following()
    pauses = []
    for size in (1, 300, 1000, 5000):
        for _ in range(size):
            here.followers.follow("party", Listener("ann"))
        await here.followers.flush()
        pauses.append(here.followers.pause)
    assert pauses == pytest.approx([0.1, 0.1, 0.39, 0.5], abs=0.01)


async def test_a_list_is_bounded_and_comes_again_where_more_than_that_has_changed() -> None:
    here = Following()
    ann = await here.follow("ann")
    for _ in range(2):
        here.take(*(offered(f"t{number}", f"p{number}") for number in range(LISTED_MAX + 10)))
        await here.followers.flush()
    assert [(told["type"], len(told["tables"])) for told in ann.told] == [
        ("room-list", 0),
        ("room-list", LISTED_MAX),
        ("room-list", LISTED_MAX),
    ]


async def test_a_list_is_written_once_a_second_and_who_comes_within_it_is_told_what_has_changed() -> None:
    here = Following()
    here.take(offered("t1", "ann"), offered("t2", "bea"))
    first = await here.follow("cid")
    here.take(TableReleased(table_id="t2"), taken("t1", "dan"))
    late = await here.follow("late")
    assert late.told[0] == first.told[0]
    assert shown(late.told[1]) == [("t1", "open", ["Ann", "Dan"])]
    assert late.told[1]["gone"] == ["t2"]
    here.clock.now += LIST_MS
    later = await here.follow("later")
    assert [shown(told) for told in later.told] == [[("t1", "open", ["Ann", "Dan"])]]


async def test_where_very_much_has_changed_the_list_is_written_anew() -> None:
    here = Following()
    await here.follow("ann")
    here.take(*(offered(f"t{number}", f"p{number}") for number in range(CHANGES_MAX + 1)))
    late = await here.follow("late")
    assert [(told["type"], len(told["tables"])) for told in late.told] == [("room-list", CHANGES_MAX + 1)]
