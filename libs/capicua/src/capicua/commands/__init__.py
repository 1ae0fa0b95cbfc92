"""The commands of a player: `play`, `bot`, `watch`, `replay`."""

from collections.abc import Callable

import typer

from capicua.commands.bot import bot
from capicua.commands.play import play
from capicua.commands.replay import replay
from capicua.commands.watch import watch

COMMANDS: dict[str, Callable[..., None]] = {"play": play, "bot": bot, "watch": watch, "replay": replay}


def add_commands(app: typer.Typer) -> None:
    for name, command in COMMANDS.items():
        app.command(name)(command)
