"""The ways to a table, against a scripted server."""

import asyncio
import re
from collections.abc import Iterator

import pytest
import typer
from tests.capicua.room_messages import DRAW, entry, room_list
from tests.capicua.scripted_product import Answer, ScriptedProduct
from tests.capicua.terminal.shown import Terminal

from capicua import Client, Refused, Strength, Table
from capicua.commands.finding import Way, Wish, find_table, way_of
from capicua.terminal.display import Display
from contracts.api import Me, YourTable
from contracts.queue_api import MyTables, PublicRoom, PublicRooms, TableEntry, TableMade, TablePage


@pytest.fixture
def pipe(product: ScriptedProduct) -> Iterator[Terminal]:
    product.answers["GET /v1/me"] = Me(account="gtest", bot=False, tables=(), server_time=0)
    product.answers["GET /v1/me/tables"] = MyTables(running=(), finished=())
    with Terminal(terminal=False) as pipe:
        yield pipe


def listed(product: ScriptedProduct, *entries: TableEntry) -> None:
    """The public room of parties has these tables with free seats."""
    rooms = (PublicRoom(preset="draw", people=0, open=0, running=0),)
    party = PublicRoom(preset="party", people=1, open=len(entries), running=0)
    product.answers["GET /v1/rooms"] = PublicRooms(rooms=(*rooms, party))
    product.answers["GET /v1/rooms/party/tables"] = TablePage(preset="party", people=1, tables=entries)


def finding(
    player: Client, pipe: Terminal, way: Way | None = None, *, fills: bool = True
) -> "asyncio.Task[Table | None]":
    display = Display(pipe.console, player.clock)
    wish = Wish(DRAW, Strength.EXPERT, fills, way or Way())
    return asyncio.create_task(find_table(player, display, pipe.keyboard, wish))


async def test_the_queue_is_told_everything_and_the_names_at_the_table_are_known(
    product: ScriptedProduct, player: Client, pipe: Terminal
) -> None:
    running = entry("01jtable", "Test", "Ada", state="running")
    product.answers["GET /v1/me/tables"] = MyTables(running=(running,), finished=())
    found = finding(player, pipe, Way(group="familyevening", group_size=2))
    asked = (await product.request("POST /v1/queue")).body
    assert (asked["bots"], asked["strength"], asked["group"]) == ("fill", "expert", "familyevening")
    await product.send(YourTable(table_id="01jtable", region="eu"))
    table = await found
    assert table is not None
    assert table.names == {"gtest": "Test", "gada": "Ada"}
    assert "In the queue for draw with 2 seats to 100." in pipe.out.getvalue()
    assert "--group familyevening --group-size 2" in pipe.out.getvalue()


async def test_without_the_list_of_names_the_table_is_as_good(
    product: ScriptedProduct, player: Client, pipe: Terminal
) -> None:
    product.answers["GET /v1/me/tables"] = (404, {"code": "not-found", "detail": "no such path"})
    found = finding(player, pipe)
    await product.request("POST /v1/queue")
    await product.send(YourTable(table_id="01jtable", region="eu"))
    table = await found
    assert table is not None
    assert table.names == {}


async def test_an_old_ticket_is_replaced(product: ScriptedProduct, player: Client, pipe: Terminal) -> None:
    product.answers["POST /v1/queue"] = (409, {"code": "already-queued", "detail": "you wait"})
    found = finding(player, pipe)
    await product.request("POST /v1/queue/leave")
    with pytest.raises(Refused, match="already-queued"):
        await found


async def test_an_interrupt_gives_up_the_ticket_or_the_seat(
    product: ScriptedProduct, player: Client, pipe: Terminal
) -> None:
    for way, asked, given_up in (
        (Way(), "POST /v1/queue", "POST /v1/queue/leave"),
        (Way(table_id="01jopen"), "POST /v1/tables/01jopen/seat", "POST /v1/tables/leave"),
        (Way(table_id="01jopen"), "GET /v1/rooms", "POST /v1/tables/leave"),
    ):
        found = finding(player, pipe, way)
        await product.request(asked)
        found.cancel()
        await asyncio.gather(found, return_exceptions=True)
        assert product.asked[-1].line == given_up


async def test_a_seat_at_an_offered_table_is_taken_where_the_table_is(
    product: ScriptedProduct, player: Client, pipe: Terminal
) -> None:
    mine = entry("01jopen", "Ada", "Test", preset="party", seats=3)
    listed(product, mine)
    found = finding(player, pipe, Way(table_id="01jopen"))
    assert (await product.next("follow-room"))["preset"] == "party"
    await product.send(room_list(mine, preset="party"))
    await pipe.shows("1 of 3 seats free. Here: Ada, you.")
    await product.send(YourTable(table_id="01jopen", region="eu"))
    assert await found is not None


async def test_a_seat_that_one_has_already_is_gone_on_with(
    product: ScriptedProduct, player: Client, pipe: Terminal
) -> None:
    got = {"expected": "nobody with a seat", "got": "a seat at 01jopen"}
    product.answers["POST /v1/tables/01jopen/seat"] = (409, {"code": "already-seated", "detail": "you have one", **got})
    listed(product, entry("01jopen", "Test", preset="party"))
    found = finding(player, pipe, Way(table_id="01jopen"))
    assert (await product.next("follow-room"))["preset"] == "party"
    assert all(asked.line != "POST /v1/tables/leave" for asked in product.asked)
    await product.send(YourTable(table_id="01jopen", region="eu"))
    assert await found is not None


@pytest.mark.parametrize("way", [Way(), Way(new_table=True), Way(table_id="01jopen")])
async def test_a_seat_that_a_closed_terminal_left_behind_is_given_up(
    product: ScriptedProduct, player: Client, pipe: Terminal, way: Way
) -> None:
    refused = (409, {"code": "already-seated", "detail": "you have one", "got": "a seat at 01jold"})
    answers: Iterator[Answer] = iter([refused, TableMade(id="x", table_id="01jnew")])
    for line in ("POST /v1/queue", "POST /v1/tables", "POST /v1/tables/01jopen/seat"):
        product.answers[line] = lambda _: next(answers)
    listed(product)
    found = finding(player, pipe, way)
    await product.request("POST /v1/tables/leave")
    await pipe.shows("You had a seat at an offered table already: your new wish replaces it.")
    await product.send(YourTable(table_id="01jnew", region="eu"))
    assert await found is not None


async def test_a_table_that_is_full_is_refused_before_anything_is_waited_for(
    product: ScriptedProduct, player: Client, pipe: Terminal
) -> None:
    product.answers["POST /v1/tables/01jopen/seat"] = (409, {"code": "table-full", "detail": "all seats are taken"})
    with pytest.raises(Refused, match="table-full"):
        await finding(player, pipe, Way(table_id="01jopen"))


async def test_a_table_of_one_s_own_has_the_wished_options(
    product: ScriptedProduct, player: Client, pipe: Terminal
) -> None:
    product.answers["POST /v1/tables"] = TableMade(id="x", table_id="01jnew")
    found = finding(player, pipe, Way(new_table=True))
    assert (await product.request("POST /v1/tables")).body["pool"]["preset"] == "draw"
    await pipe.shows("You offer table 01jnew: draw with 2 seats to 100.")
    await product.send(YourTable(table_id="01jnew", region="eu"))
    assert await found is not None


# ---- options


def test_a_group_without_a_name_gets_one_that_nobody_guesses() -> None:
    first, second = (way_of(None, False, None, False, None, 3) for _ in range(2))
    assert re.fullmatch("[0-9a-z]{8,32}", first.group or "")
    assert first.group != second.group
    assert way_of(None, False, None, False, None, None) == Way()


@pytest.mark.parametrize(
    ("said", "hint", "words"),
    [
        (("01j", True, None, False, None, None), "--new-table", "--table and --new-table"),
        ((None, False, "ABC234", True, None, None), "--new-room", "--room and --new-room"),
        ((None, True, None, False, "friendsofada", 2), "--group", "--new-table and --group"),
        ((None, False, None, False, "friendsofada", None), "--group-size", "how many friends"),
        ((None, False, None, False, "Ada", 2), "--group", "8 to 32 small letters or digits, got 'Ada'"),
    ],
)
def test_ways_that_exclude_each_other_are_told(
    said: tuple[str | None, bool, str | None, bool, str | None, int | None], hint: str, words: str
) -> None:
    with pytest.raises(typer.BadParameter) as wrong:
        way_of(*said)
    assert wrong.value.param_hint == hint
    assert words in str(wrong.value)
