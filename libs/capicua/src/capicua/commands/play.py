"""`capicua play`: a person, or with `--auto` a simple strategy, plays one match from the public queue."""

import asyncio
from typing import Annotated, Literal

import typer

from capicua.client import Client
from capicua.commands.guest import known_token
from capicua.commands.options import (
    Json,
    Preset,
    PresetOption,
    Seats,
    Target,
    TargetOption,
    Url,
    console,
    run,
)
from capicua.commands.typed import typed
from capicua.errors import Refused
from capicua.player import play_match
from capicua.table import Table
from capicua.terminal.display import Display
from capicua.terminal.keyboard import Keyboard
from capicua.terminal.person import Person
from capicua.view import TableView

AUTO_SECONDS = 0.3
Bots = Literal["none", "fill"]


def play(
    url: Url,
    preset: PresetOption = Preset.DRAW,
    seats: Seats = 2,
    target: TargetOption = Target.MIDDLE,
    bots: Annotated[bool, typer.Option(help="Let labelled bots take seats that stay free.")] = True,
    auto: Annotated[bool, typer.Option("--auto", help="Let a simple strategy choose for you.")] = False,
    as_json: Json = False,
) -> None:
    """Play a match in the terminal, against people or labelled bots."""
    work = _play(url, preset.value, seats, int(target.value), "fill" if bots else "none", auto, as_json)
    run(work, if_interrupted=f"If you had a seat, '{typed()} play' returns to it.")


async def _play(url: str, preset: str, seats: int, target: int, bots: Bots, auto: bool, as_json: bool) -> int:
    async with Client(url, token=await known_token(url)) as client:
        display = Display(console(), client.clock, as_json=as_json)
        table = await _find_table(client, display, preset, seats, target, bots)
        display.note(f"Table {table.id}")
        last = await _at_table(client, table, display, auto)
    if last is not None:
        display.redraw()
    if not as_json:
        typer.echo(_left() if last is None else _closing(last))
    return 0


async def _find_table(client: Client, display: Display, preset: str, seats: int, target: int, bots: Bots) -> Table:
    running = (await client.me()).tables
    if running:
        display.note("You still have a seat at a table; going on there.")
        table = await client.next_table()
        if table.view is None or not table.view.over:
            await _return(table)
        return table
    await client.queue(preset, seats, target, bots)
    display.note(f"In the queue for {preset} with {seats} seats to {target}. Ctrl-C leaves it.")
    try:
        return await client.next_table()
    except asyncio.CancelledError:
        await client.leave_queue()
        raise


async def _return(table: Table) -> None:
    try:
        await table.return_to_seat()
    except Refused as refusal:
        if refusal.code not in ("not-started", "table-over"):
            raise


async def _at_table(client: Client, table: Table, display: Display, auto: bool) -> TableView | None:
    if auto:

        async def think() -> None:
            await asyncio.sleep(AUTO_SECONDS)

        return await play_match(table, think=think, show=display.show)
    return await Person(table, display, Keyboard(), lambda: client.is_connected).play()


def _left() -> str:
    return f"You have left; the autopilot plays on.\nBack to your seat: {typed()} play"


def _closing(last: TableView) -> str:
    if last.result is None:
        return "The table has expired."
    scores = " : ".join(str(score) for score in last.result.scores)
    winner = last.result.winner
    verdict = "A draw" if not winner else "You win" if last.you in winner else "You lose"
    return f"{verdict}, {scores}.\nSee it again: {typed()} replay {last.table_id}"
