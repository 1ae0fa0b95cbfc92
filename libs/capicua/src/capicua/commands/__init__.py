"""The commands of a player."""

from collections.abc import Callable

import typer

from capicua.commands.bot import bot
from capicua.commands.game import presets_help
from capicua.commands.mute import mute, unmute
from capicua.commands.name import name
from capicua.commands.play import play
from capicua.commands.replay import replay
from capicua.commands.rooms import rooms
from capicua.commands.screen import screen
from capicua.commands.tables import tables
from capicua.commands.watch import watch

COMMANDS: dict[str, Callable[..., None]] = {
    "play": play,
    "rooms": rooms,
    "tables": tables,
    "watch": watch,
    "screen": screen,
    "name": name,
    "mute": mute,
    "unmute": unmute,
    "bot": bot,
    "replay": replay,
}


def add_commands(app: typer.Typer) -> None:
    for called, command in COMMANDS.items():
        epilog = presets_help() if command in (play, bot) else None
        app.command(called, epilog=epilog, rich_help_panel="For players")(command)
