"""The ``capicua`` command. Each command has a module of its own; the extra ``server`` adds more of them."""

import importlib.util

import typer

from capicua import commands

app = typer.Typer(name="capicua", help="Online dominoes.", no_args_is_help=True, pretty_exceptions_enable=False)


def main() -> None:
    commands.add_commands(app)
    if importlib.util.find_spec("bus") is not None:
        from capicua.server.commands import add_commands

        add_commands(app)
    app()


if __name__ == "__main__":
    main()
