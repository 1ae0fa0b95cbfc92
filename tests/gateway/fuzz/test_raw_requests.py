"""Tricks below and beside the API's description: each is answered or hung up on, none breaks anything."""

import asyncio
import json
import secrets

import httpx
import pytest
from tests.gateway.fuzz.mails import mails_to
from tests.gateway.fuzz.planted import Planted, somewhere
from tests.gateway.fuzz.raw import Answer, everything, post, request, send
from tests.gateway.fuzz.tricks import BODIES, HEADERS, HOSTS, METHODS, PATHS, WHOLE
from tests.gateway.running import Guest

pytestmark = pytest.mark.servers
GUESTS = "/v1/guests"


async def asked(secret: Planted, data: bytes) -> Answer:
    """What every answer has to be."""
    answer = await send(secret.url, data)
    assert answer.status < 500 or answer.code == "accounts-unavailable", (data[:200], answer)
    assert "x-evil" not in answer.head.lower()
    assert "Traceback" not in answer.body
    secret.check(f"the answer to {data[:60]!r}", answer.head + answer.body)
    return answer


async def all_asked(secret: Planted, requests: list[bytes]) -> list[Answer]:
    answers = await asyncio.gather(*(asked(secret, each) for each in requests))
    assert (await send(secret.url, request("GET", "/v1/rooms"))).status == 401
    return answers


@pytest.fixture
async def bearer(secret: Planted) -> str:
    async with httpx.AsyncClient(base_url=secret.url, headers=somewhere(), timeout=20) as http:
        return f"Authorization: Bearer {(await Guest.arrive(http, secret.url)).token}"


async def test_no_path_leads_where_no_route_does(secret: Planted, bearer: str) -> None:
    answers = await all_asked(secret, [request("GET", path, bearer) for path in PATHS])
    assert "root:" not in "".join(answer.body for answer in answers)
    for path, answer in zip(PATHS, answers, strict=True):
        assert answer.status in (0, 200, 307, 400, 404, 409, 414, 422, 429, 431), (path, answer)


async def test_no_header_breaks_anything(secret: Planted, bearer: str) -> None:
    await all_asked(secret, [request("GET", "/v1/me", header) for header in HEADERS])
    await all_asked(secret, [request("GET", "/v1/me", bearer, header) for header in HEADERS])
    await all_asked(secret, [request("GET", "/v1/me", *[f"X-{number}: {number}" for number in range(2_000)])])


async def test_no_host_breaks_anything_or_gets_into_a_mail(secret: Planted, bearer: str) -> None:
    pictures = [request("GET", "/v1/private-rooms/ABC234/qr.svg", host=host) for host in HOSTS]
    nowhere = [request("GET", "/v1/nowhere", host=host) for host in HOSTS]
    for answer in await all_asked(secret, [*pictures, *nowhere]):
        assert "<b>evil" not in answer.body
        assert "onload" not in answer.body
    name, evil = f"host-{secrets.token_hex(6)}-", [host for host in HOSTS if "evil" in host]
    bodies = [json.dumps({"address": f"{name}{number}@example.org"}).encode() for number in range(len(evil))]
    asking = [post("/v1/mail", body, bearer, host=host) for body, host in zip(bodies, evil, strict=True)]
    sent = [answer for answer in await all_asked(secret, asking) if answer.status == 202]
    assert sent
    assert "evil" not in "".join(mail.text for mail in await mails_to(secret, name, len(sent)))


async def test_a_body_that_is_none_is_refused(secret: Planted) -> None:
    answers = await all_asked(secret, [post(GUESTS, body, *_from_somewhere()) for body in BODIES])
    refused = [answer.status for body, answer in zip(BODIES, answers, strict=True) if not _is_object(body)]
    assert set(refused) <= {400, 413, 422}
    kinds = ("text/plain", "application/xml", "multipart/form-data; boundary=x", "application/json; charset=utf-16")
    requests = [request("POST", GUESTS, f"Content-Type: {kind}", "Content-Length: 2", body=b"{}") for kind in kinds]
    await all_asked(secret, requests)


def _from_somewhere() -> list[str]:
    return [f"{name}: {value}" for name, value in somewhere().items()]


def _is_object(body: bytes) -> bool:
    try:
        return isinstance(json.loads(body), dict)
    except (ValueError, RecursionError):
        return False


async def test_what_is_no_request_is_hung_up_on(secret: Planted) -> None:
    await all_asked(secret, [*WHOLE, *(request(method, GUESTS) for method in METHODS)])


async def test_one_request_is_never_two(secret: Planted, bearer: str) -> None:
    """A length that lies makes no second request of what follows."""
    smuggled = request("DELETE", "/v1/me/sessions", bearer)
    both = ("Content-Length: 4", "Transfer-Encoding: chunked")
    whole = request("POST", GUESTS, *both, body=b"0\r\n\r\n" + smuggled)
    await all_asked(secret, [whole])
    answers = await everything(secret.url, whole)
    assert answers.startswith(b"HTTP/1.1 400 ")
    assert answers.count(b"HTTP/1.1") == 1, "the connection ends with the answer"
    assert (await send(secret.url, request("GET", "/v1/me", bearer))).status == 200
