"""`capicua bot`: a declared bot plays some matches."""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
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
    pool_of,
)
from capicua.commands.guest import PERSONAL_TOKEN, known_client, personal_token
from capicua.commands.options import FIRST_PATIENCE_SECONDS, FLAG, Json, Url, run
from capicua.commands.waiting import next_table
from capicua.connected import PATIENCE_SECONDS
from capicua.player import play_match
from capicua.table import Table
from capicua.terminal.table_list import pool_words
from capicua.thinker import BUDGET_MS, Thinker
from capicua.view import TableView
from contracts.region import Pool
from domino_bots import Strength

STRENGTH_HELP = "How well it plays: beginner, normal or expert; else as its seat says, normal."


def bot(
    url: Url,
    preset: PresetOption = Preset.DRAW,
    seats: Seats = None,
    target: Target = 100,
    pairs: Pairs = False,
    spinner: Spinner = False,
    drawing: Drawing = False,
    turn_seconds: TurnSeconds = None,
    clock_minutes: ClockMinutes = None,
    strength: Annotated[
        Strength | None, typer.Option(metavar="STRENGTH", help=STRENGTH_HELP, show_default=False)
    ] = None,
    budget: Annotated[
        float, typer.Option(min=1.0, metavar="MS", help="Milliseconds that an expert thinks.")
    ] = BUDGET_MS,
    count: Annotated[int, typer.Option(min=1, metavar="N", help="How many matches to play.")] = 1,
    pace: Annotated[float, typer.Option(min=0.0, metavar="SECONDS", help="Before each action.")] = 0.5,
    stand_by: Annotated[
        bool,
        typer.Option("--stand-by", metavar=FLAG, help="Wait to be asked, as a house bot; needs CAPICUA_HOUSE_KEY."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Play as a declared bot against whoever queues for the same table; a line for each match.

    Each time as a new guest, or else as the program whose token is in CAPICUA_TOKEN.
    """
    pool = pool_of(preset, seats, target, pairs, spinner, drawing, turn_seconds, clock_minutes)
    house_key = os.environ.get("CAPICUA_HOUSE_KEY") if stand_by else None
    run(_bot(url, None if stand_by else pool, house_key, Thinker(strength, budget), count, pace, as_json))


async def _bot(
    url: str, pool: Pool | None, house_key: str | None, thinker: Thinker, count: int, pace: float, as_json: bool
) -> int:
    """Without a pool it stands by."""

    async def think() -> None:
        await asyncio.sleep(pace)

    if pool is None and not house_key:
        raise ValueError("expected the house's key in CAPICUA_HOUSE_KEY for --stand-by, got none")
    async with _declared(url, house_key) as client:
        for _ in range(count):
            table = await _next_table(client, pool)
            last = await play_match(table, thinker.choose, think)
            await table.close()
            typer.echo(_as_json(last) if as_json else _as_line(last))
    return 0


@asynccontextmanager
async def _declared(url: str, house_key: str | None) -> AsyncIterator[Client]:
    """The program whose token is in the environment, or a new guest that says what it is. Raises `Unreachable` soon."""
    if house_key is None and personal_token() is not None:
        async with known_client(url) as client:
            if not (await client.me()).bot:
                raise ValueError(f"expected a program's token in {PERSONAL_TOKEN}, got a person's")
            yield client
        return
    async with Client(url, patience_seconds=FIRST_PATIENCE_SECONDS) as client:
        await client.guest(bot=True, house_key=house_key)
        client.patience_seconds = PATIENCE_SECONDS
        yield client


async def _next_table(client: Client, pool: Pool | None) -> Table:
    if pool is None:
        await client.stand_by()
    else:
        await client.queue(**pool.model_dump())
        typer.echo(f"In the queue for {pool_words(pool)}, until somebody comes. Ctrl-C leaves it.", err=True)
    return await next_table(client)


def _as_line(last: TableView) -> str:
    if last.result is None:
        return f"{last.table_id}: expired"
    winner = last.result.winner
    verdict = "drawn" if not winner else "won" if last.you in winner else "lost"
    return f"{last.table_id}: {verdict}, {' : '.join(map(str, last.result.scores))} after {last.round} rounds"


def _as_json(last: TableView) -> str:
    result = None if last.result is None else last.result.model_dump()
    return json.dumps({"table_id": last.table_id, "you": last.you, "rounds": last.round, "result": result})
