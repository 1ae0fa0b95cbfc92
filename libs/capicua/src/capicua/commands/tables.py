"""`capicua tables`: the tables of the public rooms, one's own first."""

import asyncio
import json
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

import typer
from rich.text import Text

from capicua.cancelled import cancelled
from capicua.client import Client
from capicua.commands.game import PRESET_HELP, Preset
from capicua.commands.guest import known_client
from capicua.commands.mine import my_running_tables
from capicua.commands.options import Json, Url, console, run
from capicua.commands.typed import typed
from capicua.merged import merged
from capicua.terminal.page import Page
from capicua.terminal.table_list import Listing, listing_lines
from capicua.terminal.ticking import lost
from contracts.queue_api import RoomList, TableEntry

RENEW_SECONDS = 5.0


class State(StrEnum):
    OPEN = "open"
    RUNNING = "running"


def tables(
    url: Url,
    preset: Annotated[
        Preset | None, typer.Argument(help=f"The room; else all of them. {PRESET_HELP}", show_default=False)
    ] = None,
    state: Annotated[State | None, typer.Option(help="With free seats, or running.", show_default=False)] = None,
    seats: Annotated[int | None, typer.Option(min=2, max=4, help="Of that many seats.", show_default=False)] = None,
    target: Annotated[int | None, typer.Option(min=1, help="To that many points.", show_default=False)] = None,
    rated: Annotated[
        bool | None, typer.Option("--rated/--unrated", help="Those that count, or not.", show_default=False)
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="At most that many of each room.")] = 20,
    follow: Annotated[bool, typer.Option("--follow", help="Stay, and show what changes.")] = False,
    as_json: Json = False,
) -> None:
    """List the tables of the public rooms: where you have a seat, where seats are free, what runs."""
    wanted = Filter(state, seats, target, rated, limit)
    presets = [preset.value] if preset is not None else [known.value for known in Preset]
    run(_follow(url, presets, wanted, as_json) if follow else _list(url, presets, wanted, as_json))


@dataclass(frozen=True, slots=True)
class Filter:
    state: State | None
    seats: int | None
    target: int | None
    rated: bool | None
    limit: int

    @property
    def narrows(self) -> bool:
        return any(wanted is not None for wanted in (self.state, self.seats, self.target, self.rated))

    def takes(self, entry: TableEntry) -> bool:
        pool = entry.pool
        pairs = [
            (self.state, entry.state),
            (self.seats, pool.seats),
            (self.target, pool.target),
            (self.rated, pool.rated),
        ]
        return all(wanted is None or wanted == found for wanted, found in pairs)

    def of(self, room: RoomList) -> RoomList:
        taken = tuple(entry for entry in room.tables if self.takes(entry))
        return room.model_copy(update={"tables": taken[: self.limit]})


async def _list(url: str, presets: Sequence[str], wanted: Filter, as_json: bool) -> int:
    async with known_client(url) as client:
        rooms = [await _room(client, preset, wanted) for preset in presets]
        listing = _listing(client, await _mine(client, presets, wanted), rooms, wanted)
    if as_json:
        _print_json(listing)
        return 0
    out = console()
    for line in listing_lines(listing, typed()):
        out.print(line, no_wrap=True, overflow="ellipsis", soft_wrap=not out.is_terminal)
    return 0


async def _room(client: Client, preset: str, wanted: Filter) -> RoomList:
    """Page by page until there are enough."""
    entries: list[TableEntry] = []
    people = 0
    asked = client.tables(preset, state=wanted.state, seats=wanted.seats, target=wanted.target, rated=wanted.rated)
    async with aclosing(asked) as pages:
        async for page in pages:
            entries += page.tables
            people = page.people
            if len(entries) >= wanted.limit:
                break
    return RoomList(preset=preset, people=people, tables=tuple(entries[: wanted.limit]))


async def _mine(client: Client, presets: Sequence[str], wanted: Filter) -> tuple[TableEntry, ...]:
    running = await my_running_tables(client)
    return tuple(entry for entry in running if entry.pool.preset in presets and wanted.takes(entry))


def _listing(client: Client, mine: tuple[TableEntry, ...], rooms: Iterable[RoomList], wanted: Filter) -> Listing:
    is_free_wanted = wanted.state != State.RUNNING
    return Listing(client.account, client.clock.now_ms(), mine, tuple(rooms), wanted.narrows, is_free_wanted)


def _print_json(listing: Listing) -> None:
    """Every table once, one's own first."""
    mine = {entry.table_id: entry for entry in listing.mine}
    others = {entry.table_id: entry for room in listing.rooms for entry in room.tables}
    for table_id, entry in (mine | others).items():
        typer.echo(json.dumps({"yours": table_id in mine, **entry.model_dump(mode="json")}))


async def _follow(url: str, presets: Sequence[str], wanted: Filter, as_json: bool) -> int:
    async with (
        known_client(url) as client,
        aclosing(merged(*(client.follow_room(preset) for preset in presets))) as lists,
    ):
        if as_json:
            async for found in lists:
                typer.echo(wanted.of(found).model_dump_json())
        else:
            await _show_changes(client, presets, wanted, lists)
    return 0


async def _show_changes(
    client: Client, presets: Sequence[str], wanted: Filter, lists: AsyncGenerator[RoomList, None]
) -> None:
    """Shows the rooms once all are known, then what has changed; on a screen now and then what has not, too."""
    page = Page(console())
    rooms: dict[str, RoomList] = {}
    mine = await _mine(client, presets, wanted)
    coming = asyncio.ensure_future(anext(lists))
    try:
        while True:
            await asyncio.wait([coming], timeout=RENEW_SECONDS if page.is_screen else None)
            if coming.done():
                found = wanted.of(coming.result())
                rooms[found.preset] = found
                coming = asyncio.ensure_future(anext(lists))
            else:
                mine = await _mine(client, presets, wanted)
            if len(rooms) == len(presets):
                listing = _listing(client, mine, [rooms[preset] for preset in presets], wanted)
                _show(page, listing, client.is_connected)
    finally:
        await cancelled([coming])


def _show(page: Page, listing: Listing, is_connected: bool) -> None:
    lines = listing_lines(listing, typed())
    if page.is_screen:
        first = Text(f"Tables now. Ctrl-C ends.   {lost(is_connected)}", "dim")
        more = Text(f"… and more; of one room: {typed()} tables ROOM --follow", "dim")
        page.draw(first, lines, more=more)
        return
    for line in (*lines, Text()):
        page.print(line)
