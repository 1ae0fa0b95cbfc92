"""A match at a table that has been found, and what is said when it is over."""

import asyncio

from capicua.client import Client
from capicua.commands.typed import typed
from capicua.player import play_match
from capicua.private_room import Room
from capicua.table import Table
from capicua.terminal.display import Display
from capicua.terminal.keyboard import Keyboard
from capicua.terminal.person import EndPause, Person
from capicua.terminal.table_talk import TableTalk
from capicua.terminal.ticking import lost, ticking
from capicua.view import TableView

AUTO_SECONDS = 0.3


async def at_table(
    client: Client,
    table: Table,
    display: Display,
    keyboard: Keyboard,
    auto: bool,
    room: Room | None = None,
    end_pause: EndPause | None = None,
) -> TableView | None:
    """The last view, or none when the person has left. `room` is the private one to which the table belongs."""
    if auto:

        async def think() -> None:
            await asyncio.sleep(AUTO_SECONDS)

        async with ticking(display, lambda: lost(client.is_connected)):
            return await play_match(table, think=think, show=display.show)
    talk = TableTalk(client, table, room)
    return await Person(table, display, keyboard, lambda: client.is_connected, talk, end_pause).play()


def left(table: Table) -> str:
    has_clocks = table.view is not None and table.view.clocks is not None
    meanwhile = "your clock runs on" if has_clocks else "the autopilot plays on"
    return f"You have left; {meanwhile}.\nBack to your seat: {typed()} play"


def closing(last: TableView) -> str:
    if last.result is None:
        return "The table has expired."
    scores = " : ".join(str(score) for score in last.result.scores)
    winner = last.result.winner
    verdict = "A draw" if not winner else "You win" if last.you in winner else "You lose"
    return f"{verdict}, {scores}.\nSee it again: {typed()} replay {last.table_id}"
