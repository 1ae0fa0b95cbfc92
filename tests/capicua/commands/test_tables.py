"""`capicua rooms` and `capicua tables`, against a scripted server."""

import asyncio
import json
import sys
from pathlib import Path

import pytest
from tests.capicua.room_messages import entry, room_list
from tests.capicua.scripted_product import ScriptedProduct
from tests.capicua.terminal.shown import Printed, a_console, last_page

from capicua.commands.rooms import _rooms
from capicua.commands.tables import Filter, State, _follow, _list, _show
from capicua.terminal.page import Page
from capicua.terminal.table_list import Listing
from contracts.api import Guest, Me
from contracts.queue_api import MyTables, PublicRoom, PublicRooms, RoomChanges, TablePage

EVERYTHING = Filter(None, None, None, None, 20)
MINE = entry("01jmine", "Test", "Ada", state="running", preset="party", seats=2)


@pytest.fixture(autouse=True)
def guest(product: ScriptedProduct, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user with a configuration folder of their own, who has a seat at a table of a party."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    product.answers["POST /v1/guests"] = Guest(account="gtest", token="t", bot=False)
    product.answers["GET /v1/me"] = Me(account="gtest", bot=False, tables=(), server_time=0)
    product.answers["GET /v1/me/tables"] = MyTables(running=(MINE,), finished=())
    for preset in ("draw", "party"):
        product.answers[f"GET /v1/rooms/{preset}/tables"] = TablePage(preset=preset, people=0, tables=())


async def test_the_rooms_are_a_table_and_json_lines(
    product: ScriptedProduct, capsys: pytest.CaptureFixture[str]
) -> None:
    rooms = (
        PublicRoom(preset="draw", people=12, open=1, running=3),
        PublicRoom(preset="block", people=0, open=0, running=0),
    )
    product.answers["GET /v1/rooms"] = PublicRooms(rooms=rooms)
    assert await _rooms(product.url, as_json=False) == 0
    assert [line.split() for line in capsys.readouterr().out.splitlines()[1:3]] == [
        ["draw", "12", "1", "table", "3", "tables"],
        ["block", "0", "–", "–"],
    ]
    assert await _rooms(product.url, as_json=True) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == {"preset": "draw", "people": 12, "open": 1, "running": 3}


async def test_filters_are_asked_of_the_server_and_one_s_own_come_first(
    product: ScriptedProduct, capsys: pytest.CaptureFixture[str]
) -> None:
    page = TablePage(preset="party", people=4, tables=(entry("01jfree", "Ben", preset="party"), MINE))
    product.answers["GET /v1/rooms/party/tables"] = page
    assert await _list(product.url, ["party"], Filter(None, 2, 100, False, 20), as_json=True) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["table_id"], line["yours"]) for line in lines] == [("01jmine", True), ("01jfree", False)]
    asked = next(asked.line for asked in product.asked if "party" in asked.line)
    assert asked.endswith("?seats=2&target=100&rated=false")
    assert await _list(product.url, ["party"], Filter(State.OPEN, None, None, None, 20), as_json=True) == 0
    assert [json.loads(line)["yours"] for line in capsys.readouterr().out.splitlines()] == [False, False]


async def test_pages_are_read_until_there_are_enough(
    product: ScriptedProduct, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = tuple(entry(f"t{number}", "Ben") for number in range(3))
    product.answers["GET /v1/rooms/draw/tables"] = TablePage(preset="draw", people=1, tables=tables, next="again")
    assert await _list(product.url, ["draw"], Filter(None, None, None, None, 5), as_json=False) == 0
    out = capsys.readouterr().out
    assert out.count("Ben") == 5
    assert "Yours" not in out  # that table is of another room
    assert len([asked for asked in product.asked if "draw" in asked.line]) == 2


async def test_an_empty_list_says_what_to_do(product: ScriptedProduct, capsys: pytest.CaptureFixture[str]) -> None:
    assert await _list(product.url, ["draw"], EVERYTHING, as_json=False) == 0
    out = capsys.readouterr().out
    assert "Nobody has a table here" in out
    assert "play --preset draw --new-table" in out


async def test_changes_are_followed_and_filtered(product: ScriptedProduct, monkeypatch: pytest.MonkeyPatch) -> None:
    printed = Printed()
    monkeypatch.setattr(sys, "stdout", printed)
    following = asyncio.create_task(_follow(product.url, ["draw"], Filter(State.OPEN, None, None, None, 20), True))
    await product.next("follow-room")
    await product.send(room_list(entry("a", "Ada"), entry("b", "Ben", state="running")))
    await product.send(RoomChanges(preset="draw", people=9, changed=(entry("c", "Cid", since=2_000),)))
    await printed.until(lambda: '"people":9' in printed.getvalue())
    following.cancel()
    await asyncio.gather(following, return_exceptions=True)
    assert [table["table_id"] for table in json.loads(printed.getvalue().splitlines()[-1])["tables"]] == ["c", "a"]
    assert (await product.next("unfollow-room"))["preset"] == "draw"


async def test_what_is_followed_is_shown_with_one_s_own_tables_once_every_room_is_known(
    product: ScriptedProduct, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed = Printed()
    monkeypatch.setattr(sys, "stdout", printed)
    following = asyncio.create_task(_follow(product.url, ["draw", "party"], EVERYTHING, False))
    for _ in range(2):
        await product.next("follow-room")
    await product.send(room_list(entry("a", "Ada")))
    await product.send(room_list(MINE, preset="party"))
    await printed.until(lambda: "There is no other table" in printed.getvalue())
    said = printed.getvalue()
    following.cancel()
    await asyncio.gather(following, return_exceptions=True)
    assert said.count("Yours") == said.count("Room draw") == said.count("Room party") == 1


def test_a_list_that_is_longer_than_the_terminal_says_that_there_is_more() -> None:
    console, out = a_console()
    tables = tuple(entry(f"t{number}", "Ben") for number in range(12))
    _show(Page(console), Listing(None, 0, (), (room_list(*tables),)), True)
    assert last_page(out)[-1].startswith("… and more; of one room: ")
