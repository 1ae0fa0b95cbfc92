"""Who comes with many others gets a token of one's own, or a clear answer."""

import asyncio
import secrets

import httpx
import pytest
from tests.gateway.running import from_somewhere, new_guest
from tests.keys import INNER_KEY

from contracts.account_inner import Renew, Signed
from gateway.account_service import AccountsAway, AccountService
from gateway.first_tokens import FirstTokens

AT_ONCE = 40


async def test_everybody_of_a_flock_has_a_token_of_one_s_own(gateway_url: str) -> None:
    async with httpx.AsyncClient(base_url=gateway_url, timeout=30) as http:

        async def come() -> tuple[str, str]:
            http.headers.update(from_somewhere())
            guest = await new_guest(http)
            headers = {"Authorization": f"Bearer {guest['token']}"}
            return guest["account"], (await http.get("/v1/me", headers=headers)).json()["account"]

        came = await asyncio.gather(*(come() for _ in range(AT_ONCE)))
    assert all(made == known for made, known in came)
    assert len(set(came)) == AT_ONCE


async def test_a_secret_that_is_none_keeps_no_other_from_a_token(account_url: str, gateway_url: str) -> None:
    async with httpx.AsyncClient(base_url=gateway_url, timeout=30, headers=from_somewhere()) as http:
        guest = await new_guest(http)
    service = AccountService(account_url, INNER_KEY)
    tokens = FirstTokens(service)
    wanted = [Renew(secret=secrets.token_urlsafe(32)), Renew(secret=guest["secret"])]
    away, signed = await asyncio.gather(*(tokens.of(each) for each in wanted), return_exceptions=True)
    await service.close()
    assert isinstance(away, AccountsAway)
    assert isinstance(signed, Signed)
    assert signed.account == guest["account"]


@pytest.mark.parametrize("count", [1, 3])
async def test_without_the_account_service_nobody_waits_on(count: int) -> None:
    service = AccountService("http://127.0.0.1:1", "a key")
    tokens = FirstTokens(service)
    wanted = [Renew(secret=secrets.token_urlsafe(32)) for _ in range(count)]
    answers = await asyncio.gather(*(tokens.of(each) for each in wanted), return_exceptions=True)
    await service.close()
    assert [type(answer) for answer in answers] == [AccountsAway] * count
