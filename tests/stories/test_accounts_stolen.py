"""Somebody has copied what proves an account. Its owner says stop, and within five seconds the thief is out, at every
gateway; nobody else is."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest
from tests.gateway.running import Guest
from tests.stories.people import an_address, keep, looked, newest_code

from capicua import Client
from capicua.errors import SignedOut
from capicua.server.stack import Stack
from contracts.api import Me

HEARD_SECONDS_MAX = 5
SIGNED_OUT = 4401


class Thief:
    """At one gateway, with a socket that is open: the access token is all that he has."""

    def __init__(self, guest: Guest) -> None:
        self._guest = guest

    async def is_in(self) -> bool:
        answer = await self._guest.http.get("/v1/me", headers=self._guest.headers)
        assert answer.status_code in (200, 401), answer.text
        return answer.status_code == 200

    async def thrown_out(self) -> None:
        """Returns when he is: by the socket first, then by every request."""
        await self._guest.socket.wait_closed()
        assert self._guest.socket.close_code == SIGNED_OUT
        assert not await self.is_in()


@asynccontextmanager
async def thief_at(url: str, secret: str) -> AsyncIterator[Thief]:
    """Who has the secret renews like its owner."""
    async with httpx.AsyncClient(base_url=url, timeout=10) as http:
        renewed = (await http.post("/v1/session/renew", json={"secret": secret})).raise_for_status().json()
        guest = Guest(http, url, renewed["account"], renewed["token"])
        await guest.connect()
        thief = Thief(guest)
        assert await thief.is_in()
        yield thief
        await guest.socket.close()


async def out_in_time(thieves: list[Thief], since: float) -> None:
    async with asyncio.timeout(HEARD_SECONDS_MAX):
        await asyncio.gather(*(thief.thrown_out() for thief in thieves))
    assert time.monotonic() - since < HEARD_SECONDS_MAX


async def renews(url: str, secret: str) -> int:
    async with httpx.AsyncClient(base_url=url, timeout=10) as http:
        return (await http.post("/v1/session/renew", json={"secret": secret})).status_code


async def test_who_signs_out_everywhere_throws_a_thief_out_and_comes_back_by_mail(
    stack: Stack, second_gateway: str
) -> None:
    async with Client(stack.gateway_url) as ann, Client(stack.gateway_url) as bob:
        await bob.connect()
        address = an_address()
        code = await keep(stack, ann, address)
        account, secret = ann.account, str(ann.token)
        async with thief_at(stack.gateway_url, secret) as here, thief_at(second_gateway, secret) as there:
            since = time.monotonic()
            await ann.end_all_sessions()
            await out_in_time([here, there], since)
        assert await renews(second_gateway, secret) == 401
        assert (await bob.me()).account == bob.account
        async with Client(second_gateway) as back:
            await back.send_recovery(address)
            await back.use_link(await newest_code(stack, address, [code]))
            assert (await back.me()).account == account


async def test_one_session_that_is_ended_is_out_and_the_others_stay(stack: Stack, second_gateway: str) -> None:
    async with Client(stack.gateway_url) as ann, Client(stack.gateway_url) as laptop:
        address = an_address()
        code = await keep(stack, ann, address)
        await laptop.send_recovery(address)
        await laptop.use_link(await newest_code(stack, address, [code]), "the laptop")
        (stolen,) = [line for line in await ann.sessions() if line.label == "the laptop"]
        secret = str(laptop.token)
        async with thief_at(second_gateway, secret) as thief:
            since = time.monotonic()
            await ann.end_session(stolen.session)
            await out_in_time([thief], since)
        assert await renews(stack.gateway_url, secret) == 401
        with pytest.raises(SignedOut):
            await laptop.me()
        assert (await ann.me()).account == ann.account
        assert [line.label for line in await ann.sessions() if line.session == stolen.session] == []


async def test_a_personal_token_that_has_leaked_is_ended_and_its_owner_plays_on(
    stack: Stack, second_gateway: str
) -> None:
    async with Client(stack.gateway_url) as ann:
        leaked, other = [await ann.make_token(label, ["play"]) for label in ("in a public repository", "at home")]
        assert leaked.secret is not None
        assert other.secret is not None
        async with thief_at(second_gateway, leaked.secret) as thief, Client(second_gateway, token=other.secret) as home:
            since = time.monotonic()
            await ann.end_token(leaked.token)
            await out_in_time([thief], since)
            assert (await home.me()).account == ann.account
        assert await renews(stack.gateway_url, leaked.secret) == 401
        assert [line.label for line in await ann.tokens()] == ["at home"]

        async def me() -> Me:
            return await ann.me()

        assert (await looked(me)).account == ann.account
