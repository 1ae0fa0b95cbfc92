"""The guest account that the commands of one person share."""

from capicua.client import Client
from capicua.commands.options import FIRST_PATIENCE_SECONDS
from capicua.errors import Refused
from capicua.saved_guest import save_token, saved_token


async def known_token(url: str) -> str:
    """The guest of last time, or that of the name in `CAPICUA_GUEST`, or a new one when the server does not know that
    one any more.

    Raises `Unreachable` soon: where nothing answers at first, nothing runs.
    """
    saved = saved_token(url)
    async with Client(url, token=saved, patience_seconds=FIRST_PATIENCE_SECONDS) as client:
        try:
            if client.token is not None:
                await client.me()
        except Refused as refusal:
            if refusal.code != "bad-token":
                raise
            await client.guest()
        if client.token is None:
            await client.guest()
        if client.token != saved:
            save_token(url, client.token)
        return client.token or ""
