"""`capicua export`: everything that the service knows of one."""

import json
from pathlib import Path
from typing import Annotated

import typer

from capicua.commands.guest import own_client
from capicua.commands.options import Json, Url, run

FILE_HELP = "A new zip file, which only you may read; else capicua-ACCOUNT.zip here."


def export(
    url: Url,
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help=FILE_HELP, show_default=False)] = None,
    as_json: Json = False,
) -> None:
    """Write everything that is known of your account to a file: a zip of JSON, with a README in it."""
    if file is not None and file.exists():
        raise typer.BadParameter(f"expected a new file, got {str(file)!r}, which is there already", param_hint="FILE")
    run(_export(url, file, as_json))


async def _export(url: str, file: Path | None, as_json: bool) -> int:
    async with own_client(url) as client:
        path = file or Path(f"capicua-{client.account}.zip")
        length = await client.export(path)
    typer.echo(json.dumps({"file": str(path), "bytes": length}) if as_json else f"{path}: {length:,} bytes.")
    return 0
