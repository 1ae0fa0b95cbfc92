"""The links of mails: guessed, used twice, used late, used by somebody else, and asked for too often."""

import asyncio
import re
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import httpx
import psycopg
import pytest
from tests.gateway.fuzz.mails import all_mails, mails_to
from tests.gateway.fuzz.planted import Planted, somewhere
from tests.gateway.running import Guest

from capicua.server.processes import Need
from capicua.server.stack import Stack

pytestmark = pytest.mark.servers
CODE = re.compile(r"/recover#([A-Za-z0-9_-]+)")
LATE = """
UPDATE account.link_codes SET expires_at = expires_at - 900001
WHERE link IN (SELECT link FROM account.links WHERE address = %s)
"""
USES_AT_ONCE = 8


@asynccontextmanager
async def somebody(url: str) -> AsyncIterator[Guest]:
    """From somewhere nobody else is."""
    async with httpx.AsyncClient(base_url=url, headers=somewhere(), timeout=20) as http:
        yield await Guest.arrive(http, url)


async def sent(guest: Guest, home: Planted, address: str) -> str:
    """The code that a guest is sent to keep the account by."""
    answer = await guest.http.post("/v1/mail", json={"address": address}, headers=guest.headers)
    assert answer.status_code == 202, answer.text
    return await code_to(home, address)


async def code_to(secret: Planted, address: str, known: Sequence[str] = ()) -> str:
    """Of the newest mail; there are as many before it as codes are known."""
    mails = await mails_to(secret, address, len(known) + 1)
    codes: set[str] = {code for mail in mails for code in CODE.findall(mail.text)}
    [code] = codes.difference(known)
    return code


async def use(guest: Guest, code: str, *, as_somebody: bool = True) -> httpx.Response:
    headers = guest.headers if as_somebody else {}
    return await guest.http.post("/v1/mail/use", json={"code": code}, headers=headers)


def an_address() -> str:
    return f"misused-{secrets.token_hex(6)}@example.org"


def refusal(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


async def test_a_guessed_code_opens_nothing_and_guessing_ends(secret: Planted) -> None:
    async with somebody(secret.url) as guest:
        code = await sent(guest, secret, an_address())
        near = [code[:-1] + ("A" if code[-1] != "A" else "B"), code.swapcase(), code[::-1], code + "A", code[:16]]
        answers = [await use(guest, each, as_somebody=False) for each in near]
        assert {refusal(answer) for answer in answers} == {(404, "bad-link")}
        guesses = [secrets.token_urlsafe(32) for _ in range(60)]
        refused = {refusal(await use(guest, each)) for each in guesses}
        assert refused == {(404, "bad-link"), (429, "too-many-requests")}
        assert refusal(await use(guest, code)) == (429, "too-many-requests")
        assert code not in "".join(answer.text for answer in answers)


async def test_a_code_works_once_even_if_used_by_many_at_once(secret: Planted) -> None:
    async with somebody(secret.url) as guest, somebody(secret.url) as other:
        address = an_address()
        code = await sent(guest, secret, address)
        answers = await asyncio.gather(*(use(guest, code) for _ in range(USES_AT_ONCE)))
        assert sorted(answer.status_code for answer in answers) == [200] + [410] * (USES_AT_ONCE - 1)
        assert {refusal(answer) for answer in answers if answer.status_code != 200} == {(410, "link-used")}
        assert refusal(await use(other, code)) == (410, "link-used")
        assert refusal(await use(other, code, as_somebody=False)) == (410, "link-used")


async def test_who_uses_a_link_that_a_stranger_gave_them_stays_who_they_are(secret: Planted) -> None:
    async with somebody(secret.url) as stranger, somebody(secret.url) as guest:
        address = an_address()
        known = await sent(stranger, secret, address)
        assert (await use(stranger, known)).status_code == 200
        assert (await stranger.http.post("/v1/mail", json={"address": address})).status_code == 202
        used = (await use(guest, await code_to(secret, address, [known]))).json()
        assert (used["account"], used["moved"]) == (stranger.account, None)
        mine = await guest.http.get("/v1/me", headers=guest.headers)
        assert (mine.status_code, mine.json()["account"]) == (200, guest.account)


async def test_a_late_code_opens_nothing(secret: Planted, product: Stack) -> None:
    async with somebody(secret.url) as guest:
        address = an_address()
        code = await sent(guest, secret, address)
        async with await psycopg.AsyncConnection.connect(product.servers[Need.POSTGRES].address) as connection:
            await connection.execute(LATE, [address])
        assert refusal(await use(guest, code)) == (410, "link-expired")


async def test_nobody_learns_from_the_answer_whose_an_address_is(secret: Planted) -> None:
    async with somebody(secret.url) as guest:
        known, unknown = an_address(), an_address()
        assert (await use(guest, await sent(guest, secret, known))).status_code == 200
    async with somebody(secret.url) as stranger:
        asked = [await stranger.http.post("/v1/mail", json={"address": each}) for each in (known, unknown)]
    assert [answer.status_code for answer in asked] == [202, 202]
    assert asked[0].content == asked[1].content
    assert dict(asked[0].headers).keys() == dict(asked[1].headers).keys()


async def test_an_address_is_not_flooded_by_many(secret: Planted) -> None:
    address, answers = an_address(), list[httpx.Response]()
    for _ in range(12):
        async with somebody(secret.url) as guest:
            answers.append(await guest.http.post("/v1/mail", json={"address": address}, headers=guest.headers))
    assert [answer.status_code for answer in answers] == [202] * 10 + [429] * 2
    assert all("retry-after" in answer.headers for answer in answers[10:])
    assert address not in "".join(answer.text for answer in answers)


async def test_no_address_carries_anything_else_into_a_mail(secret: Planted) -> None:
    odd = (
        "a@example.org\r\nBcc: b@example.org", "a@example.org,b@example.org", "<a@example.org>", '"a\r\n"@example.org',
        "a@example.org\x00", "a@[127.0.0.1]", "a@localhost", "a@example.org ", "@example.org", "a@b@example.org",
        "ä@example.org", "a@exämple\u202e.org", "a" * 300 + "@example.org", "a@" + "b." * 120 + "org",
    )  # fmt: skip
    async with somebody(secret.url) as guest:
        for address in odd:
            answer = await guest.http.post("/v1/mail", json={"address": address}, headers=guest.headers)
            assert answer.status_code in (202, 422, 429), answer.text
    assert [mail.to for mail in await all_mails(secret) if re.search(r"[\s,<>\x00]", mail.to)] == []
    secret.check_logs()
