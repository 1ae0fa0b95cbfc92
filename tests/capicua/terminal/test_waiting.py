"""A person who waits, in the queue or at an offered table, against a scripted server."""

import asyncio
import json
from collections.abc import Iterator

import pytest
from tests.capicua.room_messages import DRAW, WIDER, entry, room_list, status
from tests.capicua.scripted_product import ScriptedProduct
from tests.capicua.terminal.shown import Terminal

from capicua import Client, Refused, Strength, Table
from capicua.terminal.at_offered_table import AtOfferedTable
from capicua.terminal.in_queue import InQueue
from capicua.terminal.page import Page
from capicua.terminal.waiting import Waiting
from contracts.api import YourTable
from contracts.queue_api import Offer, RoomChanges

TO_FIFTY = Offer(pool=WIDER, missing=1, message="One person more starts a match to 50.")
BOTS = Offer(message="House bots can take the free seats.")
GIVEN = YourTable(table_id="01jgiven", region="eu")


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    with Terminal() as terminal:
        yield terminal


def in_queue(player: Client, terminal: Terminal, *, as_json: bool = False) -> "asyncio.Task[Table | None]":
    page = Page(terminal.console, as_json=as_json)
    waited_for = InQueue(player, DRAW, Strength.EXPERT, page, "")
    waiting = Waiting(waited_for, page, terminal.keyboard, lambda: player.is_connected, as_json)
    return asyncio.create_task(waiting.table(player.next_table()))


def at_table(player: Client, terminal: Terminal) -> "asyncio.Task[Table | None]":
    page = Page(terminal.console)
    waited_for = AtOfferedTable(player, "01jmine", "draw", Strength.NORMAL, page, "capicua")
    waiting = Waiting(waited_for, page, terminal.keyboard, lambda: player.is_connected, False)
    return asyncio.create_task(waiting.table(player.next_table()))


# ---- the queue


async def test_why_there_is_no_match_yet_is_shown_and_a_table_ends_it(
    product: ScriptedProduct, player: Client, terminal: Terminal
) -> None:
    await player.connect()
    waiting = in_queue(player, terminal)
    await product.send(status(waiting=2, expected_ms=9_000, also=(WIDER,)))
    page = await terminal.shows("q leave the queue > ")
    assert page.splitlines()[0].startswith("Waiting for draw with 2 seats to 100: ")
    assert page.splitlines()[1:4] == [
        "2 people wait here, you among them; lately it took about 9 s.",
        "Nobody else waits for this.",
        "You wait for draw with 2 seats to 50 too.",
    ]
    await product.send(GIVEN)
    table = await waiting
    assert table is not None
    assert table.id == "01jgiven"


async def test_offers_are_answered_by_their_number_and_not_made_again(
    product: ScriptedProduct, player: Client, terminal: Terminal
) -> None:
    await player.connect()
    waiting = in_queue(player, terminal)
    await product.send(status(TO_FIFTY, BOTS))
    assert "  1  One person more starts a match to 50." in await terminal.shows("1 to 2: yes to that one")
    terminal.type("3")
    await terminal.shows("expected a number from 1 to 2 or n, got '3'")
    terminal.type("1")
    assert (await product.request("POST /v1/queue/widen")).body["pool"]["target"] == 50
    assert "One person more" not in await terminal.shows("y: yes to it")
    terminal.type("Y")
    assert (await product.request("POST /v1/queue/bots")).body["strength"] == "expert"
    assert "What would help" not in await terminal.shows("House bots are on their way.")
    await product.send(GIVEN)
    assert await waiting is not None


async def test_no_is_an_answer_and_a_refused_yes_says_why(
    product: ScriptedProduct, player: Client, terminal: Terminal
) -> None:
    product.answers["POST /v1/queue/bots"] = (409, {"code": "rated-pool", "detail": "no bots here"})
    await player.connect()
    waiting = in_queue(player, terminal)
    await product.send(status(TO_FIFTY))
    await terminal.shows("y: yes to it")
    terminal.type("n")
    await terminal.shows("You go on waiting.")
    await product.send(status(TO_FIFTY, BOTS))
    assert "One person more" not in await terminal.shows("  1  House bots")
    terminal.type("y")
    await terminal.shows("Refused: rated-pool: no bots here")
    terminal.type("q")
    assert await waiting is None


async def test_in_a_pipe_the_reason_is_a_line_once_and_nothing_is_asked(
    product: ScriptedProduct, player: Client
) -> None:
    with Terminal(terminal=False) as pipe:
        pipe.type("y")
        await player.connect()
        waiting = in_queue(player, pipe)
        await product.send(status(BOTS))
        await pipe.shows("free seats.")
        await product.send(status(BOTS, waiting=2))
        await product.send(GIVEN)
        assert await waiting is not None
    assert pipe.out.getvalue() == "Nobody else waits for this. House bots can take the free seats.\n"
    assert not [asked for asked in product.asked if "bots" in asked.line]


async def test_a_program_gets_each_status_as_json(product: ScriptedProduct, player: Client) -> None:
    with Terminal() as terminal:
        await player.connect()
        waiting = in_queue(player, terminal, as_json=True)
        await product.send(status(BOTS))
        await terminal.shows('"waiting":1')
        await product.send(status(BOTS, waiting=2))
        await terminal.shows('"waiting":2')
        await product.send(GIVEN)
        await waiting
    said = [json.loads(line) for line in terminal.out.getvalue().splitlines()]
    assert [(line["type"], line["waiting"]) for line in said] == [("queue-status", 1), ("queue-status", 2)]


async def test_a_lost_connection_is_told_in_the_first_line(
    product: ScriptedProduct, player: Client, terminal: Terminal
) -> None:
    await player.connect()
    waiting = in_queue(player, terminal)
    await product.send(status())
    await terminal.shows("q leave")
    await product.__aexit__()
    await terminal.shows("connection lost, coming back")
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)


# ---- an offered table


async def test_who_sits_at_the_table_is_shown_and_its_host_may_ask_for_bots(
    product: ScriptedProduct, player: Client, terminal: Terminal
) -> None:
    await player.connect()
    waiting = at_table(player, terminal)
    await product.next("follow-room")
    await product.send(room_list(entry("01jmine", "Test", seats=3), entry("01jother", "Cid")))
    page = await terminal.shows("b: let house bots take the free seats, q leave > ")
    assert page.splitlines()[1:] == [
        "A table of draw with 3 seats to 100, on the list of the room draw.",
        "2 of 3 seats free. Here: you.",
        "",
        "Others sit down by  capicua play --table 01jmine",
        "b: let house bots take the free seats, q leave > ",
    ]
    await product.send(RoomChanges(preset="draw", people=2, changed=(entry("01jmine", "Test", "Ada", seats=3),)))
    await terminal.shows("1 of 3 seats free. Here: you, Ada.")
    terminal.type("x")
    await terminal.shows("expected b, got 'x'")
    terminal.type("b")
    assert (await product.request("POST /v1/queue/bots")).body["strength"] == "normal"
    running = entry("01jmine", "Test", "Ada", "Hal", seats=3, state="running")
    await product.send(RoomChanges(preset="draw", people=2, changed=(running,)))
    await product.send(YourTable(table_id="01jmine", region="eu"))
    table = await waiting
    assert table is not None
    assert table.id == "01jmine"
    assert (await product.next("watch"))["table_id"] == "01jmine"


async def test_a_guest_at_the_table_asks_for_nothing_and_can_leave(
    product: ScriptedProduct, player: Client, terminal: Terminal
) -> None:
    await player.connect()
    waiting = at_table(player, terminal)
    await product.send(room_list(entry("01jmine", "Ada", "Test", seats=3)))
    assert "house bots" not in await terminal.shows("q leave > ")
    terminal.type("b")
    terminal.type("q")
    assert await waiting is None
    assert not [asked for asked in product.asked if "bots" in asked.line]


async def test_a_seat_that_was_given_to_others_ends_the_waiting(
    product: ScriptedProduct, player: Client, terminal: Terminal
) -> None:
    await player.connect()
    waiting = at_table(player, terminal)
    await product.send(room_list(entry("01jmine", "Ada", "Test", seats=3)))
    await terminal.shows("q leave")
    await product.send(RoomChanges(preset="draw", people=2, changed=(entry("01jmine", "Ada", seats=3),)))
    with pytest.raises(Refused, match="seat-lost"):
        await waiting
