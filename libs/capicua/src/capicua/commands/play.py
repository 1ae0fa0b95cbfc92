"""`capicua play`: a person, or with `--auto` a bot's mind, plays a match, from whichever way leads to a table."""

from typing import Annotated

import typer

from capicua.client import Client
from capicua.commands.at_table import at_table, closing, left
from capicua.commands.finding import Wish, find_table, way_of
from capicua.commands.game import (
    ClockMinutes,
    Drawing,
    Pairs,
    Preset,
    PresetOption,
    Rated,
    Seats,
    Spinner,
    Target,
    TurnSeconds,
    pool_of,
    private_ruleset,
)
from capicua.commands.guest import known_token
from capicua.commands.in_room import play_in_room
from capicua.commands.options import Json, Url, console, run
from capicua.commands.room_code import room_code
from capicua.commands.typed import typed
from capicua.errors import Unreachable
from capicua.terminal.display import Display
from capicua.terminal.keyboard import Keyboard
from domino_bots import Strength

GROUP_HELP = "Sit at one table with friends who say the same name, 8 to 32 small letters or digits."


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
    rated: Rated = False,
    bots: Annotated[bool, typer.Option(help="Let labelled bots take seats that stay free.")] = True,
    bot: Annotated[Strength, typer.Option(help="How well those bots play.")] = Strength.NORMAL,
    group: Annotated[str | None, typer.Option(metavar="NAME", help=GROUP_HELP, show_default=False)] = None,
    group_size: Annotated[
        int | None, typer.Option(min=2, max=4, help="How many friends you are.", show_default=False)
    ] = None,
    table: Annotated[
        str | None, typer.Option(metavar="ID", help="Sit down at an offered table.", show_default=False)
    ] = None,
    new_table: Annotated[bool, typer.Option("--new-table", help="Offer a public table of your own.")] = False,
    room: Annotated[str | None, typer.Option(metavar="CODE", help="Enter a private room.", show_default=False)] = None,
    new_room: Annotated[bool, typer.Option("--new-room", help="Open a private room for your friends.")] = False,
    auto: Annotated[bool, typer.Option("--auto", help="Let a bot's mind choose for you.")] = False,
    as_json: Json = False,
) -> None:
    """Play a match in the terminal: from the queue, at a public table, or in a private room."""
    way = way_of(table, new_table, room, new_room, group, group_size)
    back = f"If you had a seat, '{typed()} play' returns to it."
    options = (preset, seats, target, pairs, spinner, drawing, turn_seconds, clock_minutes)
    if room is not None or new_room:
        ruleset = private_ruleset(*options) if new_room else None
        if rated:
            raise typer.BadParameter("expected none in a private room, where nothing is rated", param_hint="--rated")
        code = None if room is None else room_code(room, "--room")
        run(play_in_room(url, code, ruleset, auto, as_json), if_interrupted=back)
    pool = pool_of(*options).model_copy(update={"rated": rated})
    may_fill = bots and not rated  # who wants the match to count wants people
    run(_play(url, Wish(pool, bot, may_fill, way), auto, as_json), if_interrupted=back)


async def _play(url: str, wish: Wish, auto: bool, as_json: bool) -> int:
    async with Client(url, token=await known_token(url)) as client:
        display, keyboard = Display(console(), client.clock, as_json=as_json), Keyboard()
        table = await find_table(client, display, keyboard, wish)
        if table is None:
            display.note("You wait no longer.")
            return 0
        display.note(f"Table {table.id}")
        try:
            last = await at_table(client, table, display, keyboard, auto)
        except Unreachable:
            display.end_line()
            raise
    display.redraw()
    if not as_json:
        typer.echo(left(table) if last is None else closing(last))
    return 0
