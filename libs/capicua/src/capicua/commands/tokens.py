"""`capicua tokens` and `capicua programs`: what programs of one's own come in by."""

import json
from enum import StrEnum
from typing import Annotated

import typer
from rich.text import Text

from capicua.client import Client
from capicua.commands.asking import sure
from capicua.commands.beginning import one_of
from capicua.commands.guest import PERSONAL_TOKEN, own_client
from capicua.commands.options import Json, Url, Yes, console, run
from capicua.commands.typed import typed
from capicua.terminal.calendar import minute
from capicua.terminal.names import padded, printable, shortened
from contracts.account_api import PersonalToken

SHOWN, LABEL_CELLS = 8, 22
SCOPE_HELP = (
    "What it may, else play alone: play (queue and tables), rooms (private ones, talk), account (profile, mutes). "
    "Can be said several times."
)


class Scope(StrEnum):
    PLAY = "play"
    ROOMS = "rooms"
    ACCOUNT = "account"


def tokens(
    url: Url,
    new: Annotated[
        str | None, typer.Option(metavar="LABEL", help="Make one, and say it this once.", show_default=False)
    ] = None,
    scope: Annotated[list[Scope] | None, typer.Option(metavar="SCOPE", help=SCOPE_HELP, show_default=False)] = None,
    end: Annotated[
        str | None,
        typer.Option(metavar="TOKEN", help="End that one: its id in the list, or its beginning.", show_default=False),
    ] = None,
    as_json: Json = False,
) -> None:
    """List your personal tokens, by which programs act for you; make or end one.

    A command with one in CAPICUA_TOKEN acts for you anywhere.
    """
    if new is not None and end is not None:
        raise typer.BadParameter("expected one of --new and --end, got both", param_hint="--new")
    if scope and new is None:
        raise typer.BadParameter("expected --new beside it", param_hint="--scope")
    run(_tokens(url, new, [wanted.value for wanted in scope or [Scope.PLAY]], end, as_json))


def programs(
    url: Url,
    new: Annotated[
        str | None,
        typer.Option(metavar="LABEL", help="Declare one, and say its token this once.", show_default=False),
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(metavar="PROGRAM", help="Give it a new token instead of the old one.", show_default=False),
    ] = None,
    end: Annotated[
        str | None,
        typer.Option(metavar="PROGRAM", help="Delete it: its account, or the beginning.", show_default=False),
    ] = None,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """List your declared programs: bots with an account of their own; declare one.

    With its token in CAPICUA_TOKEN every command is the program's, as 'capicua bot'.
    """
    wishes = {"--new": new, "--token": token, "--end": end}
    said = [option for option, value in wishes.items() if value is not None]
    if len(said) > 1:
        raise typer.BadParameter(f"expected one of them, got {' and '.join(said)}", param_hint=said[0])
    if end is not None:
        run(_end_program(url, end, yes))
    run(_programs(url, new, as_json) if token is None else _replace(url, token, as_json))


async def _tokens(url: str, new: str | None, scopes: list[str], end: str | None, as_json: bool) -> int:
    async with own_client(url) as client:
        if new is not None:
            _tell_secret(await client.make_token(new, [Scope(scope).value for scope in scopes]), as_json)
            return 0
        found = await client.tokens()
        if end is not None:
            await _end(client, one_of(end, {token.token: token for token in found}, "token"))
            return 0
    _list(found, as_json)
    return 0


async def _programs(url: str, new: str | None, as_json: bool) -> int:
    async with own_client(url) as client:
        if new is None:
            declared = (await client.profile()).programs
            for account in declared:
                typer.echo(json.dumps({"account": account}) if as_json else account)
            if not declared and not as_json:
                typer.echo(f"You have declared no program. {typed()} programs --new LABEL declares one.")
            return 0
        program = await client.make_program(new)
    if as_json:
        typer.echo(program.model_dump_json())
        return 0
    typer.echo(f"Program {program.account} is declared, as a bot of yours.", err=True)
    _tell_secret(program.token, as_json)
    return 0


async def _replace(url: str, program: str, as_json: bool) -> int:
    async with own_client(url) as client:
        token = await client.replace_program_token(await _declared(client, program))
    _tell_secret(token, as_json)
    return 0


async def _end_program(url: str, program: str, yes: bool) -> int:
    async with own_client(url) as client:
        account = await _declared(client, program)
        if not yes and not sure(f"Delete program {account} for ever?"):
            return 1
        await client.end_program(account)
    typer.echo(f"Deleted: {account}.")
    return 0


async def _declared(client: Client, program: str) -> str:
    """Its whole account."""
    return one_of(program, {account: account for account in (await client.profile()).programs}, "program")


async def _end(client: Client, token: PersonalToken) -> None:
    await client.end_token(token.token)
    typer.echo(f"Ended: {printable(token.label)}.")


def _tell_secret(token: PersonalToken, as_json: bool) -> None:
    """Alone on standard output, so that a shell can take it."""
    if as_json:
        typer.echo(token.model_dump_json())
        return
    if token.secret is None:
        raise ValueError("this token was made before, and is not said again: end it, and make another")
    typer.echo(f"Its token, which is not said again; use it as {PERSONAL_TOKEN}:", err=True)
    typer.echo(token.secret)


def _list(found: tuple[PersonalToken, ...], as_json: bool) -> None:
    if as_json:
        for token in found:
            typer.echo(token.model_dump_json())
        return
    if not found:
        typer.echo(f"You have no personal token. {typed()} tokens --new LABEL makes one.")
        return
    out = console()
    out.print(Text(f"{'token':<10}{'label':<24}{'last used':<18}may", "bold"))
    for token in found:
        label = padded(shortened(token.label, LABEL_CELLS), LABEL_CELLS + 2)
        used = "never" if token.used_at is None else minute(token.used_at)
        out.print(Text(f"{token.token[:SHOWN]:<10}{label}{used:<18}{', '.join(token.scopes)}"))
