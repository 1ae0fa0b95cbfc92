"""The commands of a player: `play`, `bot`, `watch`, `replay`."""

import typer

from capicua.commands.bot import bot
from capicua.commands.play import play
from capicua.commands.replay import replay
from capicua.commands.watch import watch


def add_commands(app: typer.Typer) -> None:
    for command in (play, bot, watch, replay):
        app.command()(command)
