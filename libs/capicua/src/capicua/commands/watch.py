"""`capicua watch`: look at a running table without a seat."""

import asyncio
from contextlib import aclosing
from typing import Annotated

import typer

from capicua.client import Client
from capicua.commands.guest import known_client
from capicua.commands.options import Json, Url, console, run
from capicua.errors import CapicuaError
from capicua.terminal.display import Display
from capicua.terminal.ticking import lost, ticking
from capicua.view import TableView

NAMES_SECONDS_MAX = 2.0
TABLES_PER_PAGE = 100


def watch(
    table_id: Annotated[str, typer.Argument(metavar="TABLE", help="The table's id.")],
    url: Url,
    as_json: Json = False,
) -> None:
    """Watch a table until its match is over; nothing that is hidden from spectators is shown."""
    run(_watch(table_id, url, as_json))


async def _watch(table_id: str, url: str, as_json: bool) -> int:
    async with known_client(url) as client:
        display = Display(console(), client.clock, as_json=as_json)
        table = await client.watch(table_id)
        async with ticking(display, lambda: lost(client.is_connected)):
            table.names |= await _names(client, await table.first_view())
            async for view in table.views():
                display.show(view)
    if view.result is not None and not as_json:
        typer.echo(f"The match is over, {' : '.join(map(str, view.result.scores))}.")
    return 0


async def _names(client: Client, view: TableView) -> dict[str, str]:
    """Of the people at a public table; none where they cannot be had soon, or the table is on no list."""
    rules = view.ruleset
    pages = client.tables(
        rules["preset"], state="running", seats=len(view.seats), target=rules["target"], limit=TABLES_PER_PAGE
    )
    try:
        async with asyncio.timeout(NAMES_SECONDS_MAX), aclosing(pages):
            async for page in pages:
                for entry in page.tables:
                    if entry.table_id == view.table_id:
                        return {person.account: person.name for person in entry.people}
    except (CapicuaError, TimeoutError):
        pass
    return {}
