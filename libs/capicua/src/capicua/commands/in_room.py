"""`capicua play` in a private room: match after match, until one leaves."""

from typing import Any

import typer
from rich.text import Text

from capicua.client import Client
from capicua.commands.at_table import at_table, closing, left
from capicua.commands.finding import named, return_to_seat
from capicua.commands.guest import known_client
from capicua.commands.options import console
from capicua.commands.typed import typed
from capicua.errors import Refused
from capicua.private_room import Room
from capicua.session import CALLED_OFF
from capicua.terminal.display import Display
from capicua.terminal.in_private_room import InPrivateRoom
from capicua.terminal.keyboard import Keyboard
from capicua.terminal.page import Page
from capicua.terminal.person import EndPause
from capicua.terminal.room_page import names_in
from capicua.terminal.waiting import Waiting
from capicua.view import TableView


async def play_in_room(url: str, code: str | None, ruleset: dict[str, Any] | None, auto: bool, as_json: bool) -> int:
    """Enters the room, or opens one with `ruleset`. In a pipe, and for a program, one match is played."""
    async with known_client(url) as client:
        if code is None:
            room = await client.open_room(ruleset or {})
        else:
            room = await client.room(code)
            await room.enter()
        page, keyboard = Page(console(), as_json=as_json), Keyboard()
        waited_for = InPrivateRoom(client, room, page, typed())
        while True:
            waiting = Waiting(waited_for, page, keyboard, lambda: client.is_connected, as_json)
            try:
                table = await waiting.table(client.next_table())
            except Refused as refusal:
                if refusal.code != CALLED_OFF:
                    raise
                continue  # the room says so itself, and goes on
            if table is None:
                _say(f"You have left the room {room.code}.", as_json)
                return 0
            if room.view is not None:
                table.names |= names_in(room.view)
            else:  # the match ran when one came in
                await named(client, table)
            await return_to_seat(table)
            display = Display(console(), client.clock, as_json=as_json)
            last = await at_table(client, table, display, keyboard, auto, room, _hurry(room, client))
            end = left(table) if last is None else closing(last)
            if last is None or not page.is_screen:
                display.redraw()
                _say(end, as_json)
                return 0
            said = [Text(line) for line in end.splitlines()]
            waited_for.cover([*display.standing(page.lines - len(said)), *said])


def _hurry(room: Room, client: Client) -> EndPause:
    async def end_pause(view: TableView) -> bool:
        """By the room's host, where the rules leave that to a host."""
        is_host = room.view is not None and room.view.host == client.account
        if is_host and view.rules.next_round == "host":
            await room.end_pause(view.round)
            return True
        return False

    return end_pause


def _say(text: str, as_json: bool) -> None:
    if not as_json:
        typer.echo(text)
