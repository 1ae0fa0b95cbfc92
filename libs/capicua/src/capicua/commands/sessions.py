"""`capicua sessions`: where one is signed in, and how to end that."""

from typing import Annotated

import typer
from rich.text import Text

from capicua.client import Client
from capicua.commands.asking import sure
from capicua.commands.beginning import one_of
from capicua.commands.guest import forget, own_client
from capicua.commands.options import FLAG, Json, Url, Yes, console, run
from capicua.commands.typed import typed
from capicua.terminal.calendar import minute
from capicua.terminal.names import printable
from contracts.account_api import SessionLine

SHOWN = 8
"""Characters of an id: enough to tell one's own apart."""


def sessions(
    url: Url,
    end: Annotated[
        str | None,
        typer.Option(metavar="SESSION", help="Sign that one out: the session, or its beginning.", show_default=False),
    ] = None,
    end_all: Annotated[bool, typer.Option("--end-all", metavar=FLAG, help="Sign out everywhere, here too.")] = False,
    end_others: Annotated[
        bool, typer.Option("--end-others", metavar=FLAG, help="Sign out everywhere but here.")
    ] = False,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """List where you are signed in, the last used first; or sign out there."""
    wishes = {"--end": end is not None, "--end-others": end_others, "--end-all": end_all}
    said = [option for option, on in wishes.items() if on]
    if len(said) > 1:
        raise typer.BadParameter(f"expected one of them, got {' and '.join(said)}", param_hint=said[0])
    if end_others:
        run(_end_others(url))
    run(_end_all(url, yes) if end_all else _sessions(url, end, as_json))


async def _sessions(url: str, end: str | None, as_json: bool) -> int:
    async with own_client(url) as client:
        found = await client.sessions()
        if end is not None:
            await _end(client, one_of(end, {line.session: line for line in found}, "session"))
            return 0
    out = console()
    if not as_json:
        out.print(Text(f"{'session':<10}{'last used':<18}{'since':<18}client", "bold"))
    for line in found:
        if as_json:
            typer.echo(line.model_dump_json())
        else:
            out.print(_row(line), no_wrap=True, overflow="ellipsis", soft_wrap=not out.is_terminal)
    return 0


async def _end(client: Client, line: SessionLine) -> None:
    await client.end_session(line.session)
    if line.here:
        forget(client)
    where = "here" if line.here else printable(line.label) or "there"
    typer.echo(f"Signed out: {where}.")


async def _end_all(url: str, yes: bool) -> int:
    async with own_client(url) as client:
        profile = await client.profile()
        way_back = f"'{typed()} recover MAIL' leads back." if profile.mail else "Nothing leads back into this account."
        if not yes and not sure(f"Sign {printable(profile.name)} out everywhere, here too? {way_back}"):
            return 1
        await client.end_all_sessions()
        forget(client)
    typer.echo("Signed out everywhere.")
    return 0


async def _end_others(url: str) -> int:
    async with own_client(url) as client:
        await client.end_all_sessions(others=True)
    typer.echo("Signed out everywhere but here.")
    return 0


def _row(line: SessionLine) -> Text:
    client = printable(line.label) + (" (here)" if line.here else "")
    row = f"{line.session[:SHOWN]:<10}{minute(line.used_at):<18}{minute(line.made_at):<18}{client.strip()}"
    return Text(row, "" if line.here else "dim")
