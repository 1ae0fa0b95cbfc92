"""`capicua screen`: this terminal as the television of a private room."""

from typing import Annotated

import typer

from capicua.commands.options import FIRST_PATIENCE_SECONDS, Json, Url, console, run
from capicua.commands.room_code import room_code
from capicua.commands.typed import typed
from capicua.screen_client import ScreenClient
from capicua.terminal.television import Television


def screen(
    url: Url,
    code: Annotated[
        str | None, typer.Argument(metavar="CODE", help="The room's code; else the host pairs it.", show_default=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """Show a private room and its tables on this terminal; it has no seat and controls nothing."""
    run(_screen(url, None if code is None else room_code(code, "CODE"), as_json))


async def _screen(url: str, code: str | None, as_json: bool) -> int:
    async with ScreenClient(url, code=code, patience_seconds=FIRST_PATIENCE_SECONDS) as newcomer:
        saved = await newcomer.begin()
    async with ScreenClient(url, saved=saved) as known:
        await Television(known, console(), typed(), as_json=as_json).run()
    if not as_json:
        typer.echo("The room is closed.")
    return 0
