"""`capicua mute` and `capicua unmute`: whose talk one does not hear."""

import json
from typing import Annotated

import typer

from capicua.client import Client
from capicua.commands.guest import own_client
from capicua.commands.options import Json, Url, run
from capicua.commands.typed import typed
from capicua.terminal import words
from capicua.terminal.names import printable

WHO_HELP = "Whom: the name or its beginning, or the account, of somebody with whom you play or have played."
AGAIN_HELP = "Whom: the name or its beginning, or the account, of somebody whom you have muted."


def mute(
    url: Url,
    who: Annotated[
        str | None, typer.Argument(metavar="NAME", help=f"{WHO_HELP} Else lists them.", show_default=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """Hear nothing more of what somebody says; without a name: list whom you have muted. Nobody is told of it."""
    run(_mute(url, who, as_json))


def unmute(
    url: Url, who: Annotated[str, typer.Argument(metavar="NAME", help=AGAIN_HELP)], as_json: Json = False
) -> None:
    """Hear somebody again whom you have muted."""
    run(_unmute(url, who, as_json))


async def _mute(url: str, who: str | None, as_json: bool) -> int:
    async with own_client(url) as client:
        said = "" if who is None else await words.mute(client, who, await _played_with(client))
        await _tell(client, said, as_json)
    return 0


async def _unmute(url: str, who: str, as_json: bool) -> int:
    async with own_client(url) as client:
        await _tell(client, await words.unmute(client, who), as_json)
    return 0


async def _played_with(client: Client) -> dict[str, str]:
    """By account."""
    mine = await client.my_tables()
    here = {person.account: person.name for entry in mine.running for person in entry.people}
    return {account: name for account, name in (mine.names | here).items() if account != client.account}


async def _tell(client: Client, said: str, as_json: bool) -> None:
    """`said`, or else whom one has muted; a program is told them always."""
    if said and not as_json:
        typer.echo(said)
        return
    muted = await client.mutes()
    for account, name in muted.items():
        typer.echo(json.dumps({"account": account, "name": name}) if as_json else printable(name))
    if not muted and not as_json:
        typer.echo(f"You hear everybody. {typed()} mute NAME mutes somebody with whom you play.")
