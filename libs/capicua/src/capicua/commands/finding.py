"""The ways to a table: the seat that one has, the queue, an offered table."""

import asyncio
import contextlib
import re
import secrets
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import TypeVar

import typer

from capicua.client import Client
from capicua.commands.mine import my_running_tables
from capicua.commands.typed import typed
from capicua.errors import Refused
from capicua.table import Table
from capicua.terminal.at_offered_table import AtOfferedTable
from capicua.terminal.display import Display
from capicua.terminal.in_queue import InQueue
from capicua.terminal.keyboard import Keyboard
from capicua.terminal.table_list import pool_words
from capicua.terminal.waiting import WaitedFor, Waiting
from contracts.queue_api import TableEntry
from contracts.region import Pool
from domino_bots import Strength

Answer = TypeVar("Answer")
GROUP_NAME = re.compile("[a-z0-9]{8,32}")


@dataclass(frozen=True, slots=True)
class Way:
    """`table_id` is that of an offered table, `new_table` one's own; else the queue, maybe in a `group`."""

    table_id: str | None = None
    new_table: bool = False
    group: str | None = None
    group_size: int | None = None

    @property
    def is_to_offered_table(self) -> bool:
        return self.table_id is not None or self.new_table


@dataclass(frozen=True, slots=True)
class Wish:
    """`fills`: house bots of that strength may take seats that stay free, without being asked for again."""

    pool: Pool
    strength: Strength
    fills: bool
    way: Way


def way_of(
    table: str | None, new_table: bool, room: str | None, new_room: bool, group: str | None, group_size: int | None
) -> Way:
    """Raises BadParameter for ways that exclude each other. A group without a name gets one."""
    said = {
        "--table": table is not None,
        "--new-table": new_table,
        "--room": room is not None,
        "--new-room": new_room,
        "--group": group is not None or group_size is not None,
    }
    several = [name for name, on in said.items() if on]
    if len(several) > 1:
        raise typer.BadParameter(f"expected one of them, got {' and '.join(several)}", param_hint=several[1])
    if group is not None and group_size is None:
        raise typer.BadParameter("expected how many friends you are, got nothing", param_hint="--group-size")
    if group is not None and not GROUP_NAME.fullmatch(group):
        raise typer.BadParameter(f"expected 8 to 32 small letters or digits, got {group!r}", param_hint="--group")
    if group_size is not None and group is None:
        group = secrets.token_hex(4)
    return Way(table, new_table, group, group_size)


async def find_table(client: Client, display: Display, keyboard: Keyboard, wish: Wish) -> Table | None:
    """None when the person waits no longer. An interrupt gives up the place in the queue, or the seat."""
    if (await client.me()).tables:
        display.note("You still have a seat at a table; going on there.")
        table = await client.next_table()
        await return_to_seat(table)
        return await named(client, table)
    found = await _waited(client, display, keyboard, wish)
    if found is None:
        await _give_up(client, wish)
        return None
    return await named(client, found)


async def _waited(client: Client, display: Display, keyboard: Keyboard, wish: Wish) -> Table | None:
    begin = _at_offered_table if wish.way.is_to_offered_table else _in_queue
    try:
        waited_for = await begin(client, display, wish)
        waiting = Waiting(waited_for, display.page(), keyboard, lambda: client.is_connected, display.as_json)
        return await waiting.table(client.next_table())
    except asyncio.CancelledError:
        await _give_up(client, wish)
        raise


async def _give_up(client: Client, wish: Wish) -> None:
    """The place in the queue, or the seat, if one has it yet, or still."""
    with contextlib.suppress(Refused):
        if wish.way.is_to_offered_table:
            await client.leave_seat()
        else:
            await client.leave_queue()


async def return_to_seat(table: Table) -> None:
    """Where there is a match to return to: it may not have begun, or be over."""
    if table.view is not None and table.view.over:
        return
    try:
        await table.return_to_seat()
    except Refused as refusal:
        if refusal.code not in ("not-started", "table-over"):
            raise


async def _in_queue(client: Client, display: Display, wish: Wish) -> WaitedFor:
    ticket = {
        **wish.pool.model_dump(),
        "bots": "fill" if wish.fills else "none",
        "strength": wish.strength,
        "group": wish.way.group,
        "group_size": wish.way.group_size,
    }
    await _instead(client, display, lambda: client.queue(**ticket))
    display.note(f"In the queue for {pool_words(wish.pool)}. Ctrl-C leaves it.")
    friends = ""
    if wish.way.group is not None:
        friends = f"--group {wish.way.group} --group-size {wish.way.group_size}"
        display.note(f"Your friends say the same, with {friends}.")
    return InQueue(client, wish.pool, wish.strength, display.page(), friends)


async def _at_offered_table(client: Client, display: Display, wish: Wish) -> WaitedFor:
    table_id = wish.way.table_id
    if table_id is None:
        table_id = await _instead(client, display, lambda: client.offer_table(wish.pool))
        preset = wish.pool.preset
        display.note(f"You offer table {table_id}: {pool_words(wish.pool)}. Ctrl-C takes it off the list.")
    else:
        await _instead(client, display, lambda: _seat_at(client, table_id))
        preset = await _room_of(client, table_id) or wish.pool.preset
        display.note(f"You have a seat at table {table_id}. Ctrl-C gives it up.")
    return AtOfferedTable(client, table_id, preset, wish.strength, display.page(), typed())


async def _instead(client: Client, display: Display, ask: Callable[[], Awaitable[Answer]]) -> Answer:
    """What a terminal that was closed while it waited has left behind would stand in the way: it is given up."""
    try:
        return await ask()
    except Refused as refusal:
        match refusal.code:
            case "already-queued":
                await client.leave_queue()
                said = "You were in the queue already: your new wish replaces the old one."
            case "already-seated":
                await client.leave_seat()
                said = "You had a seat at an offered table already: your new wish replaces it."
            case _:
                raise
    answer = await ask()
    display.note(said)
    return answer


async def _seat_at(client: Client, table_id: str) -> None:
    """It may be one's own already, from another terminal or before."""
    try:
        await client.take_seat(table_id)
    except Refused as refusal:
        if refusal.code != "already-seated" or table_id not in refusal.got:
            raise


async def _room_of(client: Client, table_id: str) -> str | None:
    """In whose list of tables with free seats that one stands."""
    for room in (await client.rooms()).rooms:
        if not room.open:
            continue
        async with aclosing(client.tables(room.preset, state="open")) as pages:
            async for page in pages:
                if any(entry.table_id == table_id for entry in page.tables):
                    return room.preset
    return None


async def named(client: Client, table: Table) -> Table:
    """With the names of those who sit there; without them it is as good a table."""
    entry = await _mine(client, table.id)
    if entry is not None:
        table.names |= {person.account: person.name for person in entry.people}
    return table


async def _mine(client: Client, table_id: str) -> TableEntry | None:
    running = await my_running_tables(client)
    return next((entry for entry in running if entry.table_id == table_id), None)
