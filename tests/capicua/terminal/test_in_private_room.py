"""A person in a private room, against a scripted server."""

import asyncio
from collections.abc import Iterator

import pytest
from tests.capicua.room_messages import CODE, private_room
from tests.capicua.scripted_product import ScriptedProduct
from tests.capicua.terminal.shown import Terminal

from capicua import Client, Refused, Table
from capicua.terminal.in_private_room import InPrivateRoom
from capicua.terminal.page import Page
from capicua.terminal.waiting import Waiting
from contracts.api import SocketError, YourTable
from contracts.room_api import Mutes, NameChosen, PersonInRoom, PrivateRoom, SeatInRoom, Talk

COMMAND = f"POST /v1/private-rooms/{CODE}"
MINE = PersonInRoom(account="gtest", name="Test")
ADA = PersonInRoom(account="gada", name="Ada")
GIVEN = YourTable(table_id="01jgiven", region="room-abc234")


def my_room(version: int = 1, **fields: object) -> PrivateRoom:
    """Test is the host, on seat 1; Ada sits beside; seats 3 and 4 are free."""
    seats = [SeatInRoom(seat=1, account="gtest"), SeatInRoom(seat=2, account="gada")]
    mine = {"host": "gtest", "owner": "gtest", "people": [MINE, ADA]}
    return private_room(version, **{**mine, "seats": [*seats, SeatInRoom(seat=3), SeatInRoom(seat=4)], **fields})


async def in_room(player: Client, terminal: Terminal, *, as_json: bool = False) -> "asyncio.Task[Table | None]":
    page, room = Page(terminal.console, as_json=as_json), await player.room(CODE)
    waited_for = InPrivateRoom(player, room, page, "capicua")
    waiting = Waiting(waited_for, page, terminal.keyboard, lambda: player.is_connected, as_json)
    return asyncio.create_task(waiting.table(player.next_table()))


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    with Terminal() as terminal:
        yield terminal


async def test_the_way_in_the_seats_and_what_is_said_are_shown(
    product: ScriptedProduct, player: Client, terminal: Terminal
) -> None:
    waiting = await in_room(player, terminal)
    await product.next("follow-private-room")
    await product.send(my_room())
    await product.send(Talk(said_by="gada", name="Ada", at=1, code=CODE, text="Good evening"))
    page = await terminal.shows("Ada: Good evening")
    assert page.splitlines() == [
        "Private room ABC234",
        f"Come in by  {product.url}/join/ABC234",
        "        or  capicua play --room ABC234",
        "",
        "Played: party with 4 seats to 100",
        f"  1  {'Test (you, host)':<32}",
        f"  2  {'Ada':<32}",
        f"  3  {'free':<32}",
        f"  4  {'free':<32}",
        "",
        "2 seats are free: people enter, or the host puts bots there.",
        "  Ada: Good evening",
        "start, bots, seat, play, say, qr, ? help, q leave > ",
    ]
    await product.send(GIVEN)
    table = await waiting
    assert table is not None
    assert table.id == "01jgiven"


async def test_what_is_typed_is_done_and_what_is_refused_is_told(
    product: ScriptedProduct, player: Client, terminal: Terminal
) -> None:
    product.answers[COMMAND] = (409, {"code": "seats-free", "detail": "two seats are free"})
    waiting = await in_room(player, terminal)
    await product.next("follow-private-room")
    await product.send(my_room())
    await terminal.shows("q leave")
    terminal.type("start")
    await terminal.shows("Refused: seats-free: two seats are free")
    terminal.type("dance")
    await terminal.shows("expected start, bots, seat")
    product.answers[COMMAND] = (200, {})
    terminal.type("bots expert")
    arranged = (await product.request(COMMAND)).body
    while arranged["command"]["type"] != "arrange-seats":
        arranged = (await product.request(COMMAND)).body
    assert arranged["command"]["seats"][2:] == [{"strength": "expert"}] * 2
    terminal.type("q")
    assert await waiting is None
    assert product.asked[-1].body["command"] == {"type": "leave-room"}


async def test_the_help_and_the_picture_cover_the_room_until_enter(
    product: ScriptedProduct, player: Client, terminal: Terminal
) -> None:
    waiting = await in_room(player, terminal)
    await product.next("follow-private-room")
    await product.send(my_room())
    await terminal.shows("q leave")
    terminal.type("?")
    assert "Played:" not in await terminal.shows("Enter: back to the room")
    assert "begin the match" in terminal.page
    terminal.type("qr")
    assert "▄▄▄▄▄▄▄" in await terminal.shows("█")
    assert len(terminal.page.splitlines()) <= 24
    terminal.type("")
    assert "Enter: back" not in await terminal.shows("Played:")
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)


async def test_guests_are_asked_for_no_more_than_they_may(
    product: ScriptedProduct, player: Client, terminal: Terminal
) -> None:
    waiting = await in_room(player, terminal)
    await product.next("follow-private-room")
    await product.send(my_room(host="gada", owner="gada", running=True, table_id="01jother", seats=[]))
    page = await terminal.shows("say, qr, ? help, q leave > ")
    assert "start," not in page
    assert "Look on by  capicua watch 01jother" in page
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)


async def test_whoever_just_entered_may_be_shown_late_but_who_is_sent_out_is_told(
    product: ScriptedProduct, player: Client, terminal: Terminal
) -> None:
    waiting = await in_room(player, terminal)
    await product.next("follow-private-room")
    await product.send(my_room(1, people=[ADA]))
    await product.send(my_room(2))
    await terminal.shows("Test (you, host)")
    await product.send(my_room(3, people=[ADA]))
    with pytest.raises(Refused, match="not-in-room"):
        await waiting


async def test_a_closed_room_ends_the_waiting(product: ScriptedProduct, player: Client, terminal: Terminal) -> None:
    waiting = await in_room(player, terminal)
    await product.next("follow-private-room")
    await product.send(my_room(1, closed=True))
    with pytest.raises(Refused, match="room-closed"):
        await waiting


async def test_in_a_pipe_lines_are_taken_until_the_match_starts_and_again_when_bots_are_missing(
    product: ScriptedProduct, player: Client
) -> None:
    with Terminal(terminal=False) as pipe:
        for line in ("bots", "start", "say once more", "start"):
            pipe.type(line)
        waiting = await in_room(player, pipe)
        await product.next("follow-private-room")
        await product.send(my_room())
        kinds = [(await product.request(COMMAND)).body["command"]["type"] for _ in range(2)]
        assert kinds == ["arrange-seats", "start-match"]
        await product.send(my_room(2, starting=True))
        await pipe.shows("on their way")
        assert product.nothing_more
        await product.send(my_room(3, bots_missing=True))
        assert (await product.next("say"))["text"] == "once more"
        assert (await product.request(COMMAND)).body["command"]["type"] == "start-match"
        await product.send(GIVEN)
        assert await waiting is not None
    assert "Room ABC234: Too few house bots are free just now" in pipe.out.getvalue()


async def test_a_program_gets_the_room_and_its_talk_as_json(product: ScriptedProduct, player: Client) -> None:
    with Terminal() as terminal:
        waiting = await in_room(player, terminal, as_json=True)
        await product.next("follow-private-room")
        await product.send(my_room())
        await terminal.shows('"type":"private-room"')
        await product.send(Talk(said_by="gada", name="Ada", at=1, code=CODE, phrase="hello"))
        await terminal.shows('"type":"talk"')
        await product.send(GIVEN)
        await waiting
    assert "Private room" not in terminal.out.getvalue()


async def test_what_is_not_said_is_told_and_the_room_goes_on(
    product: ScriptedProduct, player: Client, terminal: Terminal
) -> None:
    told = "say: expected at most 5 things in 10 s, got one more"
    product.on_say = lambda said_id: SocketError(code="too-much-talk", message=told, id=said_id)
    waiting = await in_room(player, terminal)
    await product.next("follow-private-room")
    await product.send(my_room())
    await terminal.shows("Test (you, host)")
    terminal.type("say once more")
    await terminal.shows(f"Refused: too-much-talk: {told}")
    terminal.type(f"say {'x' * 241}")
    await terminal.shows("Refused: bad-message: text: ")
    await product.send(GIVEN)
    await waiting


async def test_the_room_is_shown_on_while_what_was_said_has_no_answer(
    product: ScriptedProduct, player: Client, terminal: Terminal
) -> None:
    product.on_say = lambda _: None
    waiting = await in_room(player, terminal)
    await product.next("follow-private-room")
    await product.send(my_room())
    await terminal.shows("Test (you, host)")
    terminal.type("hello")
    said = await product.next("say")
    assert (said["phrase"], said["code"]) == ("hello", CODE)
    await product.send(my_room(2, people=[MINE]))
    await terminal.shows("Test (you, host)")
    await product.send(Talk(said_by="gada", name="Ada", at=1, code=CODE, text="Good evening"))
    await terminal.shows("Ada: Good evening")
    await product.send(GIVEN)
    await waiting


async def test_the_own_name_is_chosen_and_somebody_muted_in_the_room(
    product: ScriptedProduct, player: Client, terminal: Terminal
) -> None:
    product.answers["PUT /v1/me/name"] = NameChosen(name="Tess")
    product.answers["GET /v1/me/mutes"] = Mutes(accounts=("gada",), names={"gada": "Ada"})
    waiting = await in_room(player, terminal)
    await product.next("follow-private-room")
    await product.send(my_room())
    await terminal.shows("Test (you, host)")
    terminal.type("name Tess")
    await terminal.shows("You are called: Tess")
    assert (await product.request("PUT /v1/me/name")).body == {"name": "Tess"}
    terminal.type("mute ad")
    await terminal.shows("You do not hear Ada any more.")
    await product.request("PUT /v1/me/mutes/gada")
    terminal.type("mute test")
    await terminal.shows("expected one of Ada, got 'test'")
    terminal.type("unmute Ada")
    await terminal.shows("You hear Ada again.")
    await product.request("DELETE /v1/me/mutes/gada")
    await product.send(GIVEN)
    await waiting
