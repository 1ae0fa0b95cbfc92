"""A client whose access token the server takes no more, over HTTP and on its socket."""

import asyncio
from collections.abc import AsyncIterator
from random import Random

import pytest
from tests.capicua.scripted_product import Answer, Asked, ScriptedProduct

from capicua import Client, Refused, SignedOut
from contracts.account_api import Access
from contracts.api import Guest, Me, YourTable

SECRET = "the-secret-of-a-session"
RENEW = "POST /v1/session/renew"
ME = "GET /v1/me"
BAD_TOKEN = (401, {"code": "bad-token", "detail": "no token of ours"})
ENDED = (401, {"code": "bad-secret", "detail": "this session has ended"})


class House:
    """Signs `token 1`, `token 2`, …, of which the one that is `good` is taken."""

    def __init__(self, product: ScriptedProduct) -> None:
        self.signed = 0
        self.good = "token 1"
        self.ended = False
        product.answers[RENEW] = self._renew
        product.answers[ME] = self._me
        product.on_hello = lambda: self._welcome(product.hello_token)
        self._welcome_of_all = product._welcome

    def _renew(self, asked: Asked) -> Answer:
        if asked.body != {"secret": SECRET} or self.ended:
            return ENDED
        self.signed += 1
        return Access(account="gtest", session="s" * 16, token=f"token {self.signed}", seconds=600)

    def _me(self, asked: Asked) -> Answer:
        if asked.token != f"Bearer {self.good}":
            return BAD_TOKEN
        return Me(account="gtest", bot=False, tables=(), server_time=0)

    def _welcome(self, token: str) -> dict[str, object]:
        if token != self.good:
            return {"type": "error", "code": "bad-token", "message": "no token of ours"}
        return self._welcome_of_all()


@pytest.fixture
def house(product: ScriptedProduct) -> House:
    return House(product)


@pytest.fixture
async def known(product: ScriptedProduct, house: House) -> AsyncIterator[Client]:
    """By the secret of a session."""
    async with Client(product.url, token=SECRET, randomness=Random(1)) as known:
        yield known


async def test_the_secret_goes_to_its_exchange_alone(product: ScriptedProduct, known: Client) -> None:
    await known.me()
    await known.connect()
    assert [asked.line for asked in product.asked] == [RENEW, ME]
    assert [asked.token for asked in product.asked] == ["", "Bearer token 1"]
    assert (known.token, known.account, product.hello_token) == (SECRET, "gtest", "token 1")


async def test_a_request_with_a_token_that_is_good_no_more_is_made_once_again_with_a_new_one(
    product: ScriptedProduct, known: Client, house: House
) -> None:
    await known.me()
    house.good = "token 2"
    found = await asyncio.gather(*(known.me() for _ in range(5)))
    assert [me.account for me in found] == ["gtest"] * 5
    assert [asked.line for asked in product.asked].count(RENEW) == 2


async def test_it_is_not_made_a_third_time(product: ScriptedProduct, known: Client, house: House) -> None:
    house.good = "none at all"
    with pytest.raises(SignedOut, match="bad-token"):
        await known.me()
    assert [asked.line for asked in product.asked] == [RENEW, ME, RENEW, ME]


async def test_a_session_that_has_ended_is_told_as_that(known: Client, house: House) -> None:
    await known.me()
    house.good, house.ended = "token 2", True
    with pytest.raises(SignedOut, match="bad-secret: this session has ended") as signed_out:
        await known.me()
    assert SECRET not in str(signed_out.value)
    assert isinstance(signed_out.value, Refused)


async def test_a_socket_that_is_closed_for_its_token_comes_back_with_a_new_one(
    product: ScriptedProduct, known: Client, house: House
) -> None:
    await known.connect()
    seat = asyncio.create_task(known.next_table())
    house.good = "token 2"
    product.greeted.clear()
    await product.close(4401, "say hello with a good token")
    async with asyncio.timeout(30):
        await product.greeted.wait()
    await product.send(YourTable(table_id="another", region="eu"))
    assert (await seat).id == "another"
    assert (product.hello_token, product.hellos) == ("token 2", 2)


async def test_a_hello_with_a_token_that_is_good_no_more_is_said_once_again_with_a_new_one(
    product: ScriptedProduct, known: Client, house: House
) -> None:
    house.good = "token 2"
    await known.connect()
    assert (product.hellos, product.hello_token) == (2, "token 2")
    assert [asked.line for asked in product.asked] == [RENEW, RENEW]


async def test_a_socket_whose_session_has_ended_does_not_come_back(
    product: ScriptedProduct, known: Client, house: House
) -> None:
    await known.connect()
    house.ended = True
    await product.close(4401, "this session has ended")
    with pytest.raises(SignedOut, match="this session has ended"):
        await known.next_table()
    assert product.hellos == 1


async def test_a_server_that_takes_no_token_at_all_is_not_asked_for_ever(
    product: ScriptedProduct, known: Client, house: House
) -> None:
    house.good = "none at all"
    with pytest.raises(SignedOut, match="bad-token"):
        await known.connect()
    assert product.hellos == 2


async def test_a_new_guest_keeps_the_secret_of_its_session(product: ScriptedProduct, house: House) -> None:
    product.answers["POST /v1/guests"] = Guest(
        account="gtest", token="token 1", bot=False, session="s" * 16, secret=SECRET, seconds=600
    )
    async with Client(product.url) as newcomer:
        await newcomer.connect()
        assert (newcomer.token, product.hello_token) == (SECRET, "token 1")
        house.signed, house.good = 1, "token 2"
        await newcomer.me()
        assert newcomer.token == SECRET


async def test_a_token_that_nothing_renews_is_refused_at_once(product: ScriptedProduct, house: House) -> None:
    async with Client(product.url, token="an.old.one") as known:
        with pytest.raises(SignedOut, match="bad-token"):
            await known.me()
        with pytest.raises(SignedOut, match="bad-token"):
            await known.connect()
    assert [asked.line for asked in product.asked] == [ME]
