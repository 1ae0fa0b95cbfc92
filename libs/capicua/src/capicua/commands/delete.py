"""`capicua delete`: one's account is no more."""

from typing import Annotated

import typer

from capicua.commands.asking import repeated
from capicua.commands.guest import forget, own_client
from capicua.commands.options import Json, Url, run
from capicua.terminal.names import printable


def delete(
    url: Url,
    confirm: Annotated[
        str | None,
        typer.Option(metavar="ACCOUNT", help="Its id, which 'account' says: do not ask.", show_default=False),
    ] = None,
    as_json: Json = False,
) -> None:
    """Delete your account for ever: its name, mail address, sessions, tokens and mutes go at once.

    Matches stay, under a pseudonym by which nobody can tell that it was you.
    """
    run(_delete(url, confirm, as_json))


async def _delete(url: str, confirm: str | None, as_json: bool) -> int:
    async with own_client(url) as client:
        profile = await client.profile()
        if confirm is None:
            typer.echo(f"This deletes {printable(profile.name)} ({profile.account}) for ever.", err=True)
            if not repeated("Type the account's id to do it", profile.account):
                typer.echo("Nothing is deleted.", err=True)
                return 1
        elif confirm != profile.account:
            raise ValueError(f"nothing is deleted: expected this account's id, {profile.account}, got {confirm!r}")
        deleted = await client.delete(profile.account)
        forget(client)
    typer.echo(deleted.model_dump_json() if as_json else f"Deleted. In old matches you are {deleted.pseudonym} now.")
    return 0
