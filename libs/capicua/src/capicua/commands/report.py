"""`capicua report`: problems that people of ours should know of, and what they have answered."""

import textwrap
from collections.abc import Iterator
from contextlib import aclosing
from itertools import pairwise
from typing import Annotated, Any

import typer
from rich.text import Text

from capicua.commands.guest import known_client, own_client
from capicua.commands.options import Json, Url, console, run
from capicua.commands.room_code import room_code
from capicua.commands.typed import typed
from capicua.terminal.calendar import minute
from capicua.terminal.names import printable
from contracts.account_api import Place, ReportLine

ABOUT = "What it is about"
COLUMNS, INDENT = 78, "  "
STATES = {"open": "nobody has looked at it yet", "taken": "somebody looks at it", "answered": "", "closed": "closed"}


def report(
    url: Url,
    text: Annotated[
        str | None,
        typer.Argument(metavar="TEXT", help="What is wrong; else lists your reports.", show_default=False),
    ] = None,
    table: Annotated[
        str | None, typer.Option(metavar="ID", help="A table.", show_default=False, rich_help_panel=ABOUT)
    ] = None,
    replay: Annotated[
        str | None, typer.Option(metavar="ID", help="A finished match.", show_default=False, rich_help_panel=ABOUT)
    ] = None,
    version: Annotated[
        int | None,
        typer.Option(
            min=0, metavar="N", help="The table's version that you saw.", show_default=False, rich_help_panel=ABOUT
        ),
    ] = None,
    room: Annotated[
        str | None, typer.Option(metavar="CODE", help="A private room.", show_default=False, rich_help_panel=ABOUT)
    ] = None,
    person: Annotated[
        str | None,
        typer.Option(metavar="ACCOUNT", help="Somebody else.", show_default=False, rich_help_panel=ABOUT),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, metavar="N", help="List at most that many.")] = 20,
    as_json: Json = False,
) -> None:
    """Report a problem to the people who run this, or list your reports with their answers, the newest first."""
    place = _place({"--table": table, "--replay": replay, "--room": room, "--person": person})
    if text is None:
        if place != "page":
            raise typer.BadParameter("expected what is wrong, got nothing", param_hint="TEXT")
        run(_list(url, limit, as_json))
    if version is not None and table is None and replay is None:
        raise typer.BadParameter("expected --table or --replay beside it", param_hint="--version")
    page = f"/join/{room_code(room, '--room')}" if room is not None else None
    about = {"page": page, "table_id": table or replay, "version": version, "person": person}
    run(_report(url, text or "", place, about, as_json))


def _place(about: dict[str, str | None]) -> Place:
    """The first thing that it is about; a person may be named beside a table or a room. Raises BadParameter."""
    said = [option for option, value in about.items() if value is not None]
    places: dict[str, Place] = {"--table": "table", "--replay": "replay", "--room": "room", "--person": "person"}
    for one, other in pairwise(said):
        if other != "--person":
            raise typer.BadParameter(f"expected one of them, got {one} and {other}", param_hint=other)
    return places[said[0]] if said else "page"


async def _report(url: str, text: str, place: Place, about: dict[str, Any], as_json: bool) -> int:
    async with known_client(url) as client:
        line = await client.report(text, place, **about)
    if as_json:
        typer.echo(line.model_dump_json())
    else:
        typer.echo(f"Thank you. The answer will stand in '{typed()} report'.")
    return 0


async def _list(url: str, limit: int, as_json: bool) -> int:
    out, count = console(), 0
    async with own_client(url) as client, aclosing(client.reports()) as reports:
        async for line in reports:
            count += 1
            if as_json:
                typer.echo(line.model_dump_json())
            else:
                for row in _rows(line):
                    out.print(row)
            if count == limit:
                break
    if not count and not as_json:
        typer.echo("You have reported nothing.")
    return 0


def _rows(line: ReportLine) -> Iterator[Text]:
    where = line.place if line.table_id is None else f"{line.place} {line.table_id}"
    state = STATES[line.state]
    yield Text(f"{minute(line.made_at)}  {where}{f': {state}' if state else ''}", "bold")
    yield Text(_wrapped(line.text))
    if line.answer is not None:
        answered = "" if line.answered_at is None else f" of {minute(line.answered_at)}"
        yield Text(f"{INDENT}The answer{answered}:", "dim")
        yield Text(_wrapped(line.answer))


def _wrapped(text: str) -> str:
    """People's own words, of which none is a command to the terminal."""
    lines = [textwrap.wrap(printable(line), COLUMNS - len(INDENT)) for line in text.splitlines()]
    return "\n".join(INDENT + part for wrapped in lines for part in wrapped)
