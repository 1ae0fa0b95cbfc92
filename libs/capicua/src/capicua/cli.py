"""The ``capicua`` command. Each command has a module of its own; the extra ``server`` adds more of them."""

import sys

import typer

from capicua import commands
from capicua.commands.options import INTERRUPTED
from capicua.commands.server_half import has_server

START = "capicua up starts a server here, capicua play" if has_server() else "With CAPICUA_URL set, capicua play"
HELP = (
    "Online dominoes: play in this terminal, against people or bots.\n\n"
    f"{START} plays; each command explains itself with --help. "
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
    if not is_players and has_server():
        from capicua.server.commands import add_commands

        add_commands(app)


if __name__ == "__main__":
    main()
