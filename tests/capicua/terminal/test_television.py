"""A screen from its pairing to the end of a match, against a scripted server."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator

import pytest
from tests.capicua.matches import TABLE_ID, Outcome, match
from tests.capicua.room_messages import CODE, private_room
from tests.capicua.scripted_product import ScriptedProduct
from tests.capicua.terminal.shown import Terminal

from capicua import ScreenClient
from capicua.terminal.television import Television
from contracts.api import View
from contracts.room_api import PersonInRoom, PrivateRoom, Screen, ScreenPaired, SeatInRoom

NAMES = ("Maximiliane", "Ada", "Ben", "Cleo")


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    return list(match("party", 4, 50, pairs=True))


@pytest.fixture
async def screen(product: ScriptedProduct) -> AsyncIterator[ScreenClient]:
    product.answers["POST /v1/screens"] = Screen(token="s", pairing="XYZ789")
    async with ScreenClient(product.url) as screen:
        yield screen


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    with Terminal() as terminal:
        yield terminal


def room(version: int, **fields: object) -> PrivateRoom:
    """Four people, whose accounts are those of the match's seats."""
    people = [PersonInRoom(account=f"bot{seat}", name=name) for seat, name in enumerate(NAMES, 1)]
    seats = [SeatInRoom(seat=seat, account=f"bot{seat}") for seat in (1, 2, 3, 4)]
    known = {"people": people, "seats": seats, "host": "bot1", "owner": "bot1"}
    return private_room(version, **{**known, "ruleset": {"preset": "party", "seats": 4, "pairs": True}, **fields})


def seen(outcome: Outcome) -> View:
    """As a spectator, with people on the seats."""
    message = outcome.message(None)
    people = [{**seat, "bot": False, "strength": None} for seat in message.view["seats"]]
    return message.model_copy(update={"from_version": 0, "view": {**message.view, "seats": people}})


def showing(screen: ScreenClient, terminal: Terminal, *, as_json: bool = False) -> "asyncio.Task[None]":
    return asyncio.create_task(Television(screen, terminal.console, "capicua", as_json=as_json).run())


async def test_an_evening_on_the_screen(
    product: ScriptedProduct, screen: ScreenClient, terminal: Terminal, outcomes: list[Outcome]
) -> None:
    evening = showing(screen, terminal)
    assert "Its host types  screen XYZ789" in await terminal.shows("or you start it as  capicua screen CODE")
    await product.next("follow-private-room")
    await product.send(ScreenPaired(code=CODE))
    await product.next("follow-private-room")
    await product.send(room(1, link="https://d/join/ABC234"))
    page = await terminal.shows("Nobody is missing")
    assert page.splitlines()[0] == "Capicua · private room ABC234"
    assert "  https://d/join/ABC234 " in page
    assert page.count("█ ▄▄▄▄▄ █") == 3  # a code's three corners, whole
    assert "Cleo" in page
    assert max(map(len, page.splitlines())) <= 80

    await product.send(room(2, running=True, table_id=TABLE_ID))
    assert (await product.next("watch"))["table_id"] == TABLE_ID
    playing = next(outcome for outcome in outcomes if outcome.view(None).to_move == 2)
    await product.send(seen(playing))
    page = await terminal.shows("▶ Ada")
    assert "Maximiliane" in page
    assert "tiles" in page
    assert "seat 1" not in page

    await product.drop()
    await product.next("watch")
    await product.next("follow-private-room")
    await product.send(seen(outcomes[-1]))
    await product.send(room(3, table_id=TABLE_ID))
    await terminal.shows("win the match")
    await product.send(room(4, closed=True))
    async with asyncio.timeout(10):
        await evening
    assert "win the match" in terminal.page
    assert product.nothing_more or (await product.next("unfollow-private-room"))


async def test_the_next_match_follows_the_last(
    product: ScriptedProduct, screen: ScreenClient, terminal: Terminal, outcomes: list[Outcome]
) -> None:
    evening = showing(screen, terminal)
    await product.next("follow-private-room")
    await product.send(room(1, running=True, table_id=TABLE_ID))
    await product.next("watch")
    await product.send(seen(outcomes[-1]))
    await terminal.shows("win the match")
    await product.send(room(2, running=True, table_id="01jsecond"))
    assert (await product.next("unwatch"))["table_id"] == TABLE_ID
    assert (await product.next("watch"))["table_id"] == "01jsecond"
    await product.send(seen(outcomes[8]).model_copy(update={"table_id": "01jsecond"}))
    assert "win the match" not in await terminal.shows("table 01jsecond")
    evening.cancel()
    await asyncio.gather(evening, return_exceptions=True)


async def test_a_program_gets_the_pairing_the_room_and_the_views(
    product: ScriptedProduct, screen: ScreenClient, outcomes: list[Outcome]
) -> None:
    with Terminal() as terminal:
        evening = showing(screen, terminal, as_json=True)
        await product.next("follow-private-room")
        await product.send(room(1, running=True, table_id=TABLE_ID))
        await product.next("watch")
        await product.send(seen(next(outcome for outcome in outcomes if outcome.view(None).status == "playing")))
        await terminal.shows('"status":"playing"')
        evening.cancel()
        await asyncio.gather(evening, return_exceptions=True)
    first, second, third = (json.loads(line) for line in terminal.out.getvalue().splitlines())
    assert first == {"type": "screen", "pairing": "XYZ789", "code": None}
    assert second["type"] == "private-room"
    assert (third["table_id"], third["you"], third["hand"]) == (TABLE_ID, None, None)
    assert third["names"]["bot2"] == "Ada"
