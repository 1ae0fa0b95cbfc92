"""`capicua watch`: look at a running table without a seat."""

from typing import Annotated

import typer

from capicua.client import Client
from capicua.commands.guest import known_token
from capicua.commands.options import Json, Url, console, run
from capicua.terminal.display import Display
from capicua.terminal.ticking import lost, ticking


def watch(
    table_id: Annotated[str, typer.Argument(metavar="TABLE", help="The table's id.")],
    url: Url,
    as_json: Json = False,
) -> None:
    """Watch a table until its match is over; nothing that is hidden from spectators is shown."""
    run(_watch(table_id, url, as_json))


async def _watch(table_id: str, url: str, as_json: bool) -> int:
    async with Client(url, token=await known_token(url)) as client:
        display = Display(console(), client.clock, as_json=as_json)
        table = await client.watch(table_id)
        async with ticking(display, lambda: lost(client.is_connected)):
            async for view in table.views():
                display.show(view)
    if view.result is not None and not as_json:
        typer.echo(f"The match is over, {' : '.join(map(str, view.result.scores))}.")
    return 0
