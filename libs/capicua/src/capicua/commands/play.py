"""`capicua play`: a person, or with `--auto` a bot's mind, plays a match, from whichever way leads to a table."""

from collections.abc import Sequence
from typing import Annotated

import typer

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
    option_of,
    pool_of,
    private_ruleset,
)
from capicua.commands.guest import known_client
from capicua.commands.in_room import play_in_room
from capicua.commands.options import FLAG, Json, Url, console, run
from capicua.commands.room_code import room_code
from capicua.commands.typed import typed
from capicua.errors import SignedOut, Unreachable
from capicua.terminal.display import Display
from capicua.terminal.keyboard import Keyboard
from domino_bots import Strength

COMPANY, PLACE = "Who plays", "Where, if not by the public queue"
BOT_HELP = "How well those bots play: beginner, normal or expert."
GROUP_HELP = "Sit at one table with friends who say the same name, 8 to 32 small letters or digits."
SIZE_HELP = "How many friends you are; without a name one is made and told."
RULES = ("preset", "seats", "target", "pairs", "spinner", "drawing", "turn_seconds", "clock_minutes", "rated")


def play(
    context: typer.Context,
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
    bots: Annotated[
        bool,
        typer.Option(
            metavar=FLAG,
            help="Let labelled bots take seats that stay free; else you are asked.",
            rich_help_panel=COMPANY,
        ),
    ] = True,
    bot: Annotated[
        Strength, typer.Option(metavar="STRENGTH", help=BOT_HELP, rich_help_panel=COMPANY)
    ] = Strength.NORMAL,
    group: Annotated[
        str | None, typer.Option(metavar="NAME", help=GROUP_HELP, show_default=False, rich_help_panel=COMPANY)
    ] = None,
    group_size: Annotated[
        int | None,
        typer.Option(min=2, max=4, metavar="N", help=SIZE_HELP, show_default=False, rich_help_panel=COMPANY),
    ] = None,
    table: Annotated[
        str | None,
        typer.Option(metavar="ID", help="Sit down at an offered table.", show_default=False, rich_help_panel=PLACE),
    ] = None,
    new_table: Annotated[
        bool,
        typer.Option(
            "--new-table", metavar=FLAG, help="Offer a public table, at which others sit down.", rich_help_panel=PLACE
        ),
    ] = False,
    room: Annotated[
        str | None,
        typer.Option(metavar="CODE", help="Enter a private room.", show_default=False, rich_help_panel=PLACE),
    ] = None,
    new_room: Annotated[
        bool,
        typer.Option(
            "--new-room", metavar=FLAG, help="Open a private room; there any target will do.", rich_help_panel=PLACE
        ),
    ] = False,
    auto: Annotated[bool, typer.Option("--auto", metavar=FLAG, help="Let a bot's mind choose for you.")] = False,
    as_json: Json = False,
) -> None:
    """Play a match in the terminal: from the public queue, at a public table, or in a private room.

    A seat that you still have somewhere comes first. At the table ? explains the keys.
    """
    way = way_of(table, new_table, room, new_room, group, group_size)
    _check_use(context)
    back = f"If you had a seat, '{typed()} play' returns to it."
    options = (preset, seats, target, pairs, spinner, drawing, turn_seconds, clock_minutes)
    if room is not None or new_room:
        ruleset = private_ruleset(*options) if new_room else None
        code = None if room is None else room_code(room, "--room")
        run(play_in_room(url, code, ruleset, auto, as_json), if_interrupted=back)
    pool = pool_of(*options).model_copy(update={"rated": rated})
    may_fill = bots and not rated  # who wants the match to count wants people
    run(_play(url, Wish(pool, bot, may_fill, way), auto, as_json), if_interrupted=back)


def _check_use(context: typer.Context) -> None:
    """Raises BadParameter for an option that was typed and means nothing beside another one."""
    of_bots = ("bots", "bot")
    _expect_none(context, "room", (*RULES, *of_bots), "with --room, where the host chooses what is played")
    _expect_none(
        context, "new_room", ("rated", *of_bots), "in a private room, where nothing is rated and the host asks bots"
    )
    _expect_none(context, "table", RULES, "with --table, whose options stand")
    _expect_none(context, "rated", ("bot",), "with --rated, where people alone play")
    if not context.params["bots"]:
        _expect_none(context, "bots", ("bot",), "with --no-bots")


def _expect_none(context: typer.Context, beside: str, names: Sequence[str], why: str) -> None:
    typed_ones = [name for name in names if _is_typed(context, name)]
    if _is_typed(context, beside) and typed_ones:
        raise typer.BadParameter(f"expected none {why}", param_hint=option_of(typed_ones[0]))


def _is_typed(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


async def _play(url: str, wish: Wish, auto: bool, as_json: bool) -> int:
    async with known_client(url) as client:
        display, keyboard = Display(console(), client.clock, as_json=as_json), Keyboard()
        table = await find_table(client, display, keyboard, wish)
        if table is None:
            display.note("You wait no longer.")
            return 0
        display.note(f"Table {table.id}")
        try:
            last = await at_table(client, table, display, keyboard, auto)
        except (SignedOut, Unreachable):
            display.end_line()
            raise
    display.redraw()
    if not as_json:
        typer.echo(left(table) if last is None else closing(last))
    return 0
