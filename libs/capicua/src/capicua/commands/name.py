"""`capicua name`: what others call one."""

import json
from typing import Annotated

import typer

from capicua.commands.guest import known_client, own_client
from capicua.commands.options import Json, Url, run
from capicua.terminal.words import name as named


def name(
    url: Url,
    new: Annotated[
        str | None,
        typer.Argument(metavar="NEW", help="The new name, of 1 to 24 characters; else tells it.", show_default=False),
    ] = None,
    as_json: Json = False,
) -> None:
    """Tell or choose what others call you, at tables and in rooms."""
    if new is not None and not new.strip():
        raise typer.BadParameter("expected a name of 1 to 24 characters, got none", param_hint="NEW")
    run(_name(url, new, as_json))


async def _name(url: str, new: str | None, as_json: bool) -> int:
    """Who chooses a name may be new here."""
    async with own_client(url) if new is None else known_client(url) as client:
        if as_json:
            called = await client.name() if new is None else await client.set_name(new)
            typer.echo(json.dumps({"name": called}))
        else:
            typer.echo(await named(client, new))
    return 0
