"""When an access token is renewed, by a clock that a test sets."""

import asyncio
from random import Random

import pytest

from capicua.credentials import ASK_AGAIN_SECONDS, RENEWED_AFTER, Credentials
from capicua.errors import Closed, SignedOut, Unreachable
from contracts.account_api import Access

SECRET = "the-secret-of-a-session"
EARLIEST, LATEST = (600 * share for share in RENEWED_AFTER)


class House:
    """Exchanges the secret for `token 1`, `token 2`, …, each good for 600 s, when `open` is set, or `fails`."""

    def __init__(self) -> None:
        self.now = 0.0
        self.asked = 0
        self.fails: Exception | None = None
        self.open = asyncio.Event()
        self.open.set()
        self.credentials = Credentials(self._exchange, Random(1), lambda: self.now)

    async def _exchange(self, secret: str) -> Access:
        self.asked += 1
        await self.open.wait()
        if self.fails is not None:
            raise self.fails
        assert secret == SECRET
        return Access(account="gtest", session="s" * 16, token=f"token {self.asked}", seconds=600)

    async def settle(self) -> None:
        """Until what nobody waits for has been done, where nothing keeps it."""
        for _ in range(5):
            await asyncio.sleep(0)


@pytest.fixture
def house() -> House:
    house = House()
    house.credentials.keep(SECRET)
    return house


async def test_a_secret_is_exchanged_once_and_kept(house: House) -> None:
    assert [await house.credentials.access() for _ in range(3)] == ["token 1"] * 3
    assert (house.credentials.kept, house.credentials.account) == (SECRET, "gtest")


async def test_what_is_no_secret_is_used_as_it_is_and_never_renewed(house: House) -> None:
    for token in ("header.claims.signature", "t", "a token of another house"):
        house.credentials.keep(token)
        house.now += 10_000
        assert await house.credentials.access() == token
        assert house.credentials.kept == token
        assert not await house.credentials.replaced(token)
    assert house.asked == 0


async def test_nobody_has_no_token(house: House) -> None:
    house.credentials.keep(None)
    assert await house.credentials.access() is None
    assert not await house.credentials.replaced(None)


async def test_however_many_ask_at_once_one_exchange_is_made(house: House) -> None:
    house.open.clear()
    asking = [asyncio.create_task(house.credentials.access()) for _ in range(20)]
    await house.settle()
    house.open.set()
    assert await asyncio.gather(*asking) == ["token 1"] * 20
    assert house.asked == 1


async def test_a_token_is_renewed_before_it_runs_out_and_nobody_waits_for_it(house: House) -> None:
    await house.credentials.access()
    house.now = EARLIEST - 1
    house.credentials.freshen()
    await house.settle()
    assert house.asked == 1
    house.now = LATEST
    house.open.clear()
    assert await house.credentials.access() == "token 1"
    house.open.set()
    await house.settle()
    assert await house.credentials.access() == "token 2"
    house.now += EARLIEST - 1
    assert await house.credentials.access() == "token 2"
    assert house.asked == 2


async def test_clients_that_came_at_once_do_not_all_renew_at_once() -> None:
    due = []
    for seed in range(50):
        credentials = Credentials(House()._exchange, Random(seed), lambda: 0.0)
        credentials.take(SECRET, Access(account="g", session="s" * 16, token="t", seconds=600))
        due.append(credentials._renew_at)
    assert EARLIEST <= min(due) < EARLIEST + 20
    assert LATEST - 20 < max(due) <= LATEST


async def test_while_nobody_can_renew_a_token_it_goes_on_until_it_has_run_out(house: House) -> None:
    await house.credentials.access()
    house.fails = Unreachable("http://house", "status 503")
    house.now = LATEST
    assert await house.credentials.access() == "token 1"
    await house.settle()
    assert await house.credentials.access() == "token 1"
    await house.settle()
    assert house.asked == 2  # and not again at once
    house.now += ASK_AGAIN_SECONDS
    assert await house.credentials.access() == "token 1"
    await house.settle()
    assert house.asked == 3
    house.now = 600
    with pytest.raises(Unreachable):
        await house.credentials.access()
    house.fails = None
    assert await house.credentials.access() == "token 5"


async def test_a_refused_token_is_replaced_once_for_all_who_were_refused(house: House) -> None:
    refused = await house.credentials.access()
    house.open.clear()
    asking = [asyncio.create_task(house.credentials.replaced(refused)) for _ in range(3)]
    await house.settle()
    house.open.set()
    assert await asyncio.gather(*asking) == [True] * 3
    assert await house.credentials.replaced(refused)
    assert (house.asked, await house.credentials.access()) == (2, "token 2")


async def test_a_session_that_has_ended_is_told_to_whoever_asks(house: House) -> None:
    refused = await house.credentials.access()
    house.fails = SignedOut("bad-token", "the session has ended")
    for _ in range(2):
        with pytest.raises(SignedOut, match="the session has ended"):
            await house.credentials.replaced(refused)


async def test_who_no_longer_waits_does_not_end_it_for_others(house: House) -> None:
    house.open.clear()
    impatient, patient = (asyncio.create_task(house.credentials.access()) for _ in range(2))
    await house.settle()
    impatient.cancel()
    with pytest.raises(asyncio.CancelledError):
        await impatient
    house.open.set()
    assert await patient == "token 1"


async def test_closing_ends_what_waits(house: House) -> None:
    house.open.clear()
    asking = asyncio.create_task(house.credentials.access())
    await house.settle()
    await house.credentials.close()
    with pytest.raises(Closed):
        await asking


async def test_a_renewal_of_who_one_was_does_not_undo_who_one_has_become(house: House) -> None:
    await house.credentials.access()
    house.now = LATEST
    house.open.clear()
    house.credentials.freshen()
    await house.settle()
    kept = Access(account="gkept", session="k" * 16, token="kept", seconds=600)
    house.credentials.take("the-secret-of-the-kept-one", kept)
    house.open.set()
    await house.settle()
    assert (await house.credentials.access(), house.credentials.account) == ("kept", "gkept")
