"""What is said at a table, and typed there about it, against a scripted server."""

import asyncio
from collections.abc import Iterator

import pytest
from tests.capicua.matches import TABLE_ID, Outcome, match
from tests.capicua.room_messages import CODE
from tests.capicua.scripted_product import ScriptedProduct
from tests.capicua.terminal.shown import Terminal

from capicua import Client, TableView
from capicua.terminal.display import Display
from capicua.terminal.person import Person
from capicua.terminal.table_talk import TableTalk
from contracts.api import Answer, SocketError, YourTable
from contracts.room_api import Mutes, NameChosen, Talk


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    return list(match("draw", 2, 50))


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    with Terminal(height=40) as terminal:
        yield terminal


async def sitting(
    product: ScriptedProduct,
    player: Client,
    terminal: Terminal,
    outcomes: list[Outcome],
    *,
    in_room: bool = False,
    as_json: bool = False,
) -> "asyncio.Task[TableView | None]":
    """At the table while it is the other's turn, maybe that of a private room."""
    await player.connect()
    await product.send(YourTable(table_id=TABLE_ID, region="eu"))
    table = await player.next_table()
    display = Display(terminal.console, player.clock, as_json=as_json)
    talk = TableTalk(player, table, await player.room(CODE) if in_room else None)
    playing = asyncio.create_task(Person(table, display, terminal.keyboard, lambda: True, talk).play())
    await product.next("watch")
    theirs = next(outcome for outcome in outcomes if outcome.view(2).my_turn)
    for outcome in outcomes[: outcomes.index(theirs) + 1]:
        await product.send(outcome.message(1))
    sit = await product.next("command")
    await product.send(Answer(id=sit["id"], table_id=TABLE_ID, version=0))
    if in_room:
        await product.next("follow-private-room")
    table.names["bot2"] = "Ada"
    return playing


async def ended(playing: "asyncio.Task[TableView | None]") -> None:
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)


def said(text: str | None = None, **where: str) -> Talk:
    return Talk(said_by="bot2", name="Ada B.", at=1, text=text, phrase=None if text else "hello", **where)


async def test_phrases_are_said_and_heard_in_somebody_else_s_turn(
    product: ScriptedProduct, player: Client, terminal: Terminal, outcomes: list[Outcome]
) -> None:
    playing = await sitting(product, player, terminal, outcomes)
    terminal.type("Good-luck")
    message = await product.next("say")
    assert (message["phrase"], message["table_id"]) == ("good-luck", TABLE_ID)
    await product.send(said(table_id=TABLE_ID))
    await terminal.shows("Ada B.: Hello!")
    terminal.type("say come on")
    await terminal.shows("there are phrases alone")
    product.on_say = lambda said_id: SocketError(code="too-much-talk", message="slower", id=said_id)
    terminal.type("again")
    await terminal.shows("Refused: too-much-talk: slower")
    await ended(playing)


async def test_who_sits_at_the_table_is_muted_by_name_and_the_own_name_keeps_its_capitals(
    product: ScriptedProduct, player: Client, terminal: Terminal, outcomes: list[Outcome]
) -> None:
    product.answers["PUT /v1/me/name"] = NameChosen(name="Tess")
    product.answers["GET /v1/me/mutes"] = Mutes(accounts=("bot2",), names={"bot2": "Ada"})
    playing = await sitting(product, player, terminal, outcomes)
    terminal.type("name Tess")
    await terminal.shows("You are called: Tess")
    assert (await product.request("PUT /v1/me/name")).body == {"name": "Tess"}
    terminal.type("mute Ada")
    await product.request("PUT /v1/me/mutes/bot2")
    await terminal.shows("You do not hear Ada any more.")
    terminal.type("mute Zoe")
    await terminal.shows("got 'Zoe'")
    terminal.type("unmute Ada")
    await product.request("DELETE /v1/me/mutes/bot2")
    await terminal.shows("You hear Ada again.")
    await ended(playing)


async def test_at_a_private_room_s_table_there_is_free_text_until_one_is_sent_out(
    product: ScriptedProduct, player: Client, terminal: Terminal, outcomes: list[Outcome]
) -> None:
    playing = await sitting(product, player, terminal, outcomes, in_room=True)
    terminal.type("say  Come on, Ada!")
    message = await product.next("say")
    assert (message["text"], message["code"]) == ("Come on, Ada!", CODE)
    await product.send(said("a moment", code=CODE))
    await terminal.shows("Ada B.: a moment")
    await product.send(SocketError(code="removed", message="the host has removed you"))
    terminal.type("hello")
    assert (await product.next("say"))["table_id"] == TABLE_ID
    await product.send(said(table_id=TABLE_ID))
    await terminal.shows("Ada B.: Hello!")
    await ended(playing)


async def test_a_program_gets_talk_as_json(
    product: ScriptedProduct, player: Client, terminal: Terminal, outcomes: list[Outcome]
) -> None:
    playing = await sitting(product, player, terminal, outcomes, as_json=True)
    await product.send(said(table_id=TABLE_ID))
    await terminal.shows('"type":"talk"')
    await ended(playing)
