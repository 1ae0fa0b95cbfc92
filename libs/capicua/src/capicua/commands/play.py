"""`capicua play`: a person, or with `--auto` a bot's mind, plays one match from the public queue."""

import asyncio
from typing import Annotated

import typer

from capicua.client import Client
from capicua.commands.game import (
    ClockMinutes,
    Drawing,
    Pairs,
    Preset,
    PresetOption,
    Seats,
    Spinner,
    Target,
    TurnSeconds,
    in_words,
    pool_of,
)
from capicua.commands.guest import known_token
from capicua.commands.options import Json, Url, console, run
from capicua.commands.typed import typed
from capicua.commands.waiting import next_table
from capicua.errors import Refused, Unreachable
from capicua.player import play_match
from capicua.table import Table
from capicua.terminal.display import Display
from capicua.terminal.keyboard import Keyboard
from capicua.terminal.person import Person
from capicua.terminal.ticking import lost, ticking
from capicua.view import TableView
from contracts.region import Pool
from domino_bots import Strength

AUTO_SECONDS = 0.3


def play(
    url: Url,
    preset: PresetOption = Preset.DRAW,
    seats: Seats = None,
    target: Target = 100,
    pairs: Pairs = False,
    spinner: Spinner = False,
    drawing: Drawing = False,
    turn_seconds: TurnSeconds = None,
    clock_minutes: ClockMinutes = None,
    bots: Annotated[bool, typer.Option(help="Let labelled bots take seats that stay free.")] = True,
    bot: Annotated[Strength, typer.Option(help="How well those bots play.")] = Strength.NORMAL,
    auto: Annotated[bool, typer.Option("--auto", help="Let a bot's mind choose for you.")] = False,
    as_json: Json = False,
) -> None:
    """Play a match in the terminal, against people or labelled bots."""
    pool = pool_of(preset, seats, target, pairs, spinner, drawing, turn_seconds, clock_minutes)
    work = _play(url, pool, bot if bots else None, auto, as_json)
    run(work, if_interrupted=f"If you had a seat, '{typed()} play' returns to it.")


async def _play(url: str, pool: Pool, bots: Strength | None, auto: bool, as_json: bool) -> int:
    async with Client(url, token=await known_token(url)) as client:
        display = Display(console(), client.clock, as_json=as_json)
        table = await _find_table(client, display, pool, bots)
        display.note(f"Table {table.id}")
        try:
            last = await _at_table(client, table, display, auto)
        except Unreachable:
            display.end_line()
            raise
    display.redraw()
    if not as_json:
        typer.echo(_left(table) if last is None else _closing(last))
    return 0


async def _find_table(client: Client, display: Display, pool: Pool, bots: Strength | None) -> Table:
    running = (await client.me()).tables
    if running:
        display.note("You still have a seat at a table; going on there.")
        table = await client.next_table()
        if table.view is None or not table.view.over:
            await _return(table)
        return table
    await _queue(client, display, pool, bots)
    display.note(f"In the queue for {in_words(pool)}. Ctrl-C leaves it.")
    return await next_table(client)


async def _queue(client: Client, display: Display, pool: Pool, bots: Strength | None) -> None:
    """A ticket of a terminal that was closed while it waited would stand in the way for ever."""
    wish = {**pool.model_dump(), "bots": "fill" if bots else "none", "strength": bots or Strength.NORMAL}
    try:
        await client.queue(**wish)
    except Refused as refusal:
        if refusal.code != "already-queued":
            raise
        await client.leave_queue()
        await client.queue(**wish)
        display.note("You were in the queue already: your new wish replaces the old one.")


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

        async with ticking(display, lambda: lost(client.is_connected)):
            return await play_match(table, think=think, show=display.show)
    return await Person(table, display, Keyboard(), lambda: client.is_connected).play()


def _left(table: Table) -> str:
    has_clocks = table.view is not None and table.view.clocks is not None
    meanwhile = "your clock runs on" if has_clocks else "the autopilot plays on"
    return f"You have left; {meanwhile}.\nBack to your seat: {typed()} play"


def _closing(last: TableView) -> str:
    if last.result is None:
        return "The table has expired."
    scores = " : ".join(str(score) for score in last.result.scores)
    winner = last.result.winner
    verdict = "A draw" if not winner else "You win" if last.you in winner else "You lose"
    return f"{verdict}, {scores}.\nSee it again: {typed()} replay {last.table_id}"
