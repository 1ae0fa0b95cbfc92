"""The account that the commands of one person share."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import typer

from capicua.client import Client
from capicua.commands.options import FIRST_PATIENCE_SECONDS
from capicua.commands.typed import typed, way_back
from capicua.connected import PATIENCE_SECONDS
from capicua.credentials import SECRET
from capicua.errors import Refused, SignedOut
from capicua.saved_guest import save_token, saved_token

PERSONAL_TOKEN = "CAPICUA_TOKEN"
NOT_ALL = "scope-missing"
"""Of a personal token that is good and may not ask this."""


@asynccontextmanager
async def known_client(url: str) -> AsyncIterator[Client]:
    """The guest of last time, or that of the name in `CAPICUA_GUEST`, or a new one where there is none, or where the
    server knows that one no more. A personal token in `CAPICUA_TOKEN` comes first, and nobody else instead of it.

    Raises `Unreachable` soon: where nothing answers at first, nothing runs.
    """
    async with _client(url) as client:
        saved = client.token or ""
        if not await _is_known(client):
            if SECRET.fullmatch(saved):
                typer.echo(f"capicua: your session has ended, you are a new guest. {way_back()}", err=True)
            await client.guest()
        _settle(client)
        yield client


@asynccontextmanager
async def own_client(url: str) -> AsyncIterator[Client]:
    """The account that there is: none is made. Raises `ValueError`, saying what to do, where there is none, or where
    the server knows it no more; and `Unreachable` soon."""
    async with _client(url) as client:
        if client.token is None:
            raise ValueError(f"you have no account here yet: '{typed()} play' makes one. {way_back()}")
        if not await _is_known(client):
            raise ValueError(f"your session has ended. {way_back()}")
        _settle(client)
        yield client


@asynccontextmanager
async def known_or_nobody(url: str) -> AsyncIterator[Client]:
    """The account that there is, if the server knows it, or else a client without one."""
    async with _client(url) as client, Client(url) as nobody:
        is_known = await _is_known(client)
        client.patience_seconds = PATIENCE_SECONDS
        yield client if is_known else nobody


def personal_token() -> str | None:
    """Of the environment."""
    return os.environ.get(PERSONAL_TOKEN, "").strip() or None


def replace(client: Client) -> None:
    """This client's account is from now on that of all commands, unless a personal token says whose they are."""
    if personal_token() is None and client.token != saved_token(client.address.url):
        save_token(client.address.url, client.token)


def forget(client: Client) -> None:
    """The next command is nobody's, unless a personal token says whose it is."""
    if personal_token() is None:
        save_token(client.address.url, None)


def _client(url: str) -> Client:
    return Client(url, token=personal_token() or saved_token(url), patience_seconds=FIRST_PATIENCE_SECONDS)


async def _is_known(client: Client) -> bool:
    """Whether it has a token that the server takes. Raises `ValueError` if it is a personal one that is good no more:
    nobody wants to be somebody else then."""
    if client.token is None:
        return False
    try:
        await client.me()
    except SignedOut:
        if personal_token() is not None:
            raise ValueError(f"the server does not take the token in {PERSONAL_TOKEN}: has it been ended?") from None
        return False
    except Refused as error:
        if error.code != NOT_ALL:
            raise
    return True


def _settle(client: Client) -> None:
    replace(client)
    client.patience_seconds = PATIENCE_SECONDS
