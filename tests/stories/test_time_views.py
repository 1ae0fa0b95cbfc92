"""What people are told of time, through a real gateway.

Every view carries server time and the deadline:
    `test_a_view_carries_server_time_and_the_deadline`
An outage is told as time that was given back, the same to whoever watches, joins late or comes to a fresh gateway:
    `test_an_outage_is_told_as_time_given_back`
A replay shows the credit, and the time given back:
    `test_a_replay_shows_the_credit_and_the_time_given_back`
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest
from tests.gateway.running import SESSION_MS, Guest, from_the_queue, gateway, guests, running
from tests.gateway.with_accounts import accounts
from tests.stories.story import Story
from tests.stories.town import Town

from contracts.table import Resign, SitDown
from table.projector.app import build as build_projector
from table.settings import ProjectorSettings

HEARD_SECONDS_MAX = 10


@pytest.fixture(scope="module")
async def account_url(town: Town, postgres_dsn: str) -> AsyncIterator[str]:
    async with AsyncExitStack() as stack:
        with town.time.rules():
            url = await stack.enter_async_context(accounts(town.bootstrap, postgres_dsn))
        yield url


@pytest.fixture(scope="module")
async def url(town: Town, account_url: str) -> AsyncIterator[str]:
    """Of a gateway, behind which the live cache is kept."""
    settings = ProjectorSettings(kafka_bootstrap=town.bootstrap, session_ms=SESSION_MS, redis_url=town.cache_url)
    with town.time.rules():
        projector = build_projector(settings)
    async with running(projector), door(town, account_url) as url:
        yield url


@asynccontextmanager
async def door(town: Town, account_url: str) -> AsyncIterator[str]:
    async with AsyncExitStack() as stack:
        with town.time.rules():
            url = await stack.enter_async_context(gateway(town.bootstrap, town.cache_url, account_url))
        yield url


async def seated(town: Town, people: list[Guest], **options: Any) -> Story:
    """Two guests at a table out of the queue, in its first turn."""
    story = Story(town, "of the queue")
    story.table_id = await from_the_queue(people, preset="draw", **options)
    await town.watch.until(lambda: town.watch.of(story.table_id))
    story.people = tuple(player.account for player in story.state.table.players)
    for person in story.people:
        await story.done(person, SitDown())
    return story


async def shown(guest: Guest, story: Story) -> dict[str, Any]:
    """What the guest is shown who begins to watch, when the gateway has read so far."""
    await guest.say(type="watch", table_id=story.table_id)
    view = await guest.hear("view")
    while view["version"] < story.version:
        view = await guest.hear("view")
    assert view["version"] == story.version
    return view


async def until_heard(guest: Guest, now: int) -> None:
    """The gateway has read a record of this time."""
    async with asyncio.timeout(HEARD_SECONDS_MAX):
        told = 0
        while told < now:
            await guest.say(type="ping", id="now")
            told = (await guest.hear("pong"))["server_time"]


async def test_a_view_carries_server_time_and_the_deadline(town: Town, url: str) -> None:
    async with guests(url, 3) as people:
        story = await seated(town, people[:2], target=50)
        await story.let_pass(story.now + 7_000)
        await until_heard(people[0], story.now)
        for guest in people:
            view = await shown(guest, story)
            assert view["server_time"] == story.now
            assert view["view"]["deadline"] == {
                "kind": "turn",
                "set_at": story.deadline.set_at,
                "due_at": story.due_at,
            }
        await story.end()


async def test_an_outage_is_told_as_time_given_back(town: Town, url: str, account_url: str) -> None:
    async with guests(url, 3) as people:
        story = await seated(town, people[:2], target=100)
        for guest in people[:2]:
            await shown(guest, story)
        before = story.due_at
        await story.outage(after_ms=5_000, length_ms=60_000)
        given_back = story.effective_due_at - before
        assert given_back == 65_000
        told = [await guest.hear("view") for guest in people[:2]] + [await shown(people[2], story)]
        async with door(town, account_url) as fresh, guests(fresh, 1) as late:
            told.append(await shown(late[0], story))
        for view in told:
            assert view["events"] == []
            assert view["view"]["deadline"]["due_at"] == before + given_back
            assert view["view"]["deadline"]["given_back_ms"] == given_back
        await story.end()


async def test_a_replay_shows_the_credit_and_the_time_given_back(town: Town, url: str) -> None:
    async with guests(url, 2) as people:
        story = await seated(town, people, target=150)
        await story.play(delay_ms=240)
        await story.play(delay_ms=240)
        await story.outage(after_ms=5_000, length_ms=60_000)
        given_back = story.effective_due_at - story.due_at
        await story.play(at=story.effective_due_at)
        await story.done(story.people[0], Resign())
        answer = await people[0].http.get(f"/v1/tables/{story.table_id}/replay", headers=people[0].headers)
        replay = answer.raise_for_status().json()
        turns = [
            event for outcome in replay["outcomes"] for event in outcome["events"] if event["type"] == "turn-started"
        ]
        assert {turn.get("credit_ms", 0) for turn in turns} == {0, 240}
        assert [outcome["given_back_ms"] for outcome in replay["outcomes"]].count(given_back) == 1
