"""`capicua account`: who one is, and the avatar and language that one has chosen."""

import re
from collections.abc import Iterator
from typing import Annotated

import typer
from rich.text import Text

from capicua.client import Client
from capicua.commands.guest import own_client
from capicua.commands.options import Json, Language, Url, console, run
from capicua.commands.typed import typed
from capicua.terminal.names import printable
from contracts.account_api import Profile

TILE = re.compile("[0-6]-[0-6]")
KINDS = {
    "guest": "a guest; nothing leads back into this account until you say '{typed} link MAIL'",
    "kept": "kept by its mail address",
    "program": "a declared program",
    "house": "a house bot",
}


def account(
    url: Url,
    avatar: Annotated[
        str | None,
        typer.Option(metavar="TILE", help="A tile that stands for you, such as 6-3.", show_default=False),
    ] = None,
    language: Annotated[
        Language | None, typer.Option(metavar="LANGUAGE", help="Yours: en, de or pl.", show_default=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """Tell who you are here, or choose your avatar tile and language; 'name' tells or chooses the name."""
    run(_account(url, None if avatar is None else tile(avatar), language, as_json))


async def _account(url: str, avatar: str | None, language: str | None, as_json: bool) -> int:
    async with own_client(url) as client:
        profile = await _changed(client, avatar, language)
    if as_json:
        typer.echo(profile.model_dump_json())
        return 0
    out = console()
    for line in _lines(profile):
        out.print(line, soft_wrap=not out.is_terminal)
    return 0


async def _changed(client: Client, avatar: str | None, language: str | None) -> Profile:
    if avatar is None and language is None:
        return await client.profile()
    return await client.change_profile(avatar=avatar, language=language)


def tile(text: str) -> str:
    """With the higher half first. Raises BadParameter."""
    if not TILE.fullmatch(text):
        raise typer.BadParameter(f"expected a tile from 0-0 to 6-6, got {text!r}", param_hint="--avatar")
    return "-".join(sorted(text.split("-"), reverse=True))


def _lines(profile: Profile) -> Iterator[Text]:
    rows = {
        "name": printable(profile.name),
        "account": profile.account,
        "kind": KINDS[profile.kind].format(typed=typed()),
        "mail": profile.mail or "none",
        "avatar": profile.avatar,
        "language": profile.language,
        "programs": ", ".join(profile.programs) or "none",
    }
    for what, value in rows.items():
        yield Text.assemble((f"{what:<10}", "bold"), value)
