"""The commands of a player."""

from collections.abc import Callable

import typer

from capicua.commands.account import account
from capicua.commands.bot import bot
from capicua.commands.delete import delete
from capicua.commands.export import export
from capicua.commands.game import presets_help
from capicua.commands.mail import LINK_CODES, link, recover
from capicua.commands.mute import mute, unmute
from capicua.commands.name import name
from capicua.commands.play import play
from capicua.commands.replay import replay
from capicua.commands.report import report
from capicua.commands.rooms import rooms
from capicua.commands.screen import screen
from capicua.commands.sessions import sessions
from capicua.commands.tables import tables
from capicua.commands.tokens import programs, tokens
from capicua.commands.watch import watch

PLAYER_COMMANDS: dict[str, Callable[..., None]] = {
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
    "report": report,
}
ACCOUNT_COMMANDS: dict[str, Callable[..., None]] = {
    "account": account,
    "link": link,
    "recover": recover,
    "sessions": sessions,
    "tokens": tokens,
    "programs": programs,
    "export": export,
    "delete": delete,
}
COMMANDS = PLAYER_COMMANDS | ACCOUNT_COMMANDS


def add_commands(app: typer.Typer) -> None:
    for called, command in COMMANDS.items():
        epilog = presets_help() if command in (play, bot) else None
        panel = "Your account" if called in ACCOUNT_COMMANDS else "For players"
        settings = LINK_CODES if command is recover else None
        app.command(called, epilog=epilog, rich_help_panel=panel, context_settings=settings)(command)
