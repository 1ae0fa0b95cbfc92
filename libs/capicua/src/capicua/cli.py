"""The ``capicua`` command. Each command has a module of its own; the extra ``server`` adds more of them."""

import importlib.util
import sys

import typer

from capicua import commands
from capicua.commands.options import INTERRUPTED

HELP = (
    "Online dominoes: play in this terminal, against people or bots.\n\n"
    "capicua up starts a server here, capicua play plays; each command explains itself with --help. "
    "Several people on one machine: each sets CAPICUA_GUEST to a name of their own."
)
app = typer.Typer(name="capicua", help=HELP, no_args_is_help=True, pretty_exceptions_enable=False)


def main() -> None:
    try:
        load()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    app()


def load() -> None:
    commands.add_commands(app)
    is_players = sys.argv[1:2] and sys.argv[1] in commands.COMMANDS
    # Loading the server's half takes longer than all the rest: a player does not wait for it.
    if not is_players and importlib.util.find_spec("bus") is not None:
        from capicua.server.commands import add_commands

        add_commands(app)


if __name__ == "__main__":
    main()
