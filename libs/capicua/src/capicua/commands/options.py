"""What several commands ask for, and how they end."""

import asyncio
from collections.abc import Coroutine
from enum import StrEnum
from typing import Annotated, Any

import typer
from pydantic import ValidationError
from rich.console import Console

from capicua.commands.server_half import how_to_start
from capicua.commands.typed import way_back
from capicua.default_address import default_address
from capicua.errors import CapicuaError, SignedOut, Unreachable

FIRST_PATIENCE_SECONDS = 3.0
INTERRUPTED = 130
FLAG = ""
"""The help says no type for what is on or off."""

URL_HELP = "The server; else CAPICUA_URL, else the one started in this folder."
Url = Annotated[
    str, typer.Option(metavar="ADDRESS", help=URL_HELP, default_factory=default_address, show_default=False)
]
Yes = Annotated[bool, typer.Option("--yes", metavar=FLAG, help="Do not ask whether it is meant.")]
Json = Annotated[bool, typer.Option("--json", metavar=FLAG, help="One JSON object a line, for programs.")]


class Language(StrEnum):
    ENGLISH = "en"
    GERMAN = "de"
    POLISH = "pl"


def run(work: Coroutine[Any, Any, int], *, if_interrupted: str = "") -> None:
    """Runs a command and exits with its status; what went wrong is one line, never a stack trace.

    `if_interrupted`: a sentence on what an interrupt leaves behind.
    """
    try:
        status = asyncio.run(work)
    except KeyboardInterrupt:
        typer.echo(f"\nInterrupted. {if_interrupted}".rstrip(), err=True)
        status = INTERRUPTED
    except Unreachable as error:
        then = "Try again in a moment." if error.is_there else f"Is it running? {how_to_start()}"
        typer.echo(f"capicua: {error}. {then}", err=True)
        status = 1
    except SignedOut:
        typer.echo(f"capicua: your session or token has ended, or your account is deleted. {way_back()}", err=True)
        status = 1
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        typer.echo(f"capicua: {where}: {first['msg']}, got {first['input']!r}", err=True)
        status = 1
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        typer.echo(f"capicua: {where}{error.strerror or error}", err=True)
        status = 1
    except (CapicuaError, ValueError) as error:
        typer.echo(f"capicua: {error}", err=True)
        status = 1
    raise typer.Exit(status)


def console() -> Console:
    """80 columns when the width is not known, as in a pipe."""
    found = Console(highlight=False)
    return found if found.is_terminal else Console(highlight=False, width=80)
