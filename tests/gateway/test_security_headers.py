"""What is really sent, for every kind of answer, against the one place where it is written."""

import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest
from fastapi import FastAPI
from starlette.responses import PlainTextResponse
from tests.gateway.signed import access_token
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from gateway import problems
from gateway.body_limit import BODY_BYTES_MAX
from gateway.description import POLICY
from gateway.room_routes import PICTURE
from gateway.security_headers import ANY_ORIGIN, COMMON, NOT_KEPT, NOTHING, OVER_HTTPS, PREFLIGHT, SecurityHeaders

WATCHED = {
    *(name.lower() for name in (*COMMON, *ANY_ORIGIN, *PREFLIGHT)),
    *("content-security-policy", "strict-transport-security", "cache-control", "server", "x-powered-by", "set-cookie"),
}
"""Headers that may only be there as they are written."""


def dressed(answer: httpx.Response, *, api: bool = True, policy: str = NOTHING, cache: str = NOT_KEPT) -> None:
    """The answer has exactly these of the headers that are watched."""
    found = {name: value for name, value in answer.headers.items() if name in WATCHED}
    expected = COMMON | {"Content-Security-Policy": policy, "Cache-Control": cache} | (ANY_ORIGIN if api else {})
    assert found == {name.lower(): value for name, value in expected.items()}


@pytest.fixture
async def http(gateway_url: str) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=gateway_url, timeout=10) as client:
        yield client


async def test_json_and_documents(http: httpx.AsyncClient) -> None:
    headers = {"Authorization": f"Bearer {access_token('gheaders')}"}
    for path in ("/v1/me", "/v1/openapi.json", "/v1/asyncapi.json"):
        answer = await http.get(path, headers=headers)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
        dressed(answer)


async def test_pages_have_their_own_policy_that_fits_their_style_alone(http: httpx.AsyncClient) -> None:
    page = await http.get("/v1/docs")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    dressed(page, policy=POLICY)
    assert "unsafe" not in POLICY
    assert page.text.count("<style>") == 1
    dressed(await http.get("/"), api=False)


async def test_pictures(http: httpx.AsyncClient) -> None:
    for name in ("qr.svg", "qr.png"):
        answer = await http.get(f"/v1/private-rooms/ABC234/{name}")
        assert answer.headers["content-type"].startswith("image/")
        dressed(answer, cache=PICTURE["Cache-Control"])


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/v1/me", 401),
        ("GET", "/v1/private-rooms/ABC234", 401),
        ("GET", "/v1/nowhere", 404),
        ("GET", "/v1/me/", 404),
        ("PUT", "/v1/guests", 405),
        ("POST", "/v1/guests", 422),
        ("OPTIONS", "/v1/guests", 405),
    ],
)
async def test_problems(http: httpx.AsyncClient, method: str, path: str, status: int) -> None:
    answer = await http.request(method, path, content=b"no json")
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    dressed(answer)


async def test_what_is_outside_of_the_api_is_for_no_other_origin(http: httpx.AsyncClient) -> None:
    answer = await http.get("/nowhere")
    assert answer.status_code == 404
    dressed(answer, api=False)


async def test_a_body_that_is_too_large(http: httpx.AsyncClient) -> None:
    answer = await http.post("/v1/guests", content=b" " * (BODY_BYTES_MAX + 1))
    assert answer.status_code == 413
    dressed(answer)


async def test_what_is_no_http_is_told_so_by_a_problem(gateway_url: str) -> None:
    url = httpx.URL(gateway_url)
    reader, writer = await asyncio.open_connection(url.host, url.port)
    writer.write(b"\x16\x03\x01\x02\x00\x01\r\n\r\n")
    async with asyncio.timeout(10):
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    lines = [line.split(": ", 1) for line in head.decode().split("\r\n")]
    answer = httpx.Response(int(lines[0][0].split(" ")[1]), headers=[(name, value) for name, value in lines[1:]])
    assert (answer.status_code, answer.headers["content-type"]) == (400, "application/problem+json")
    assert b'"code":"bad-request"' in body
    dressed(answer, api=False)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Sec-WebSocket-Version": "13"}, 400),
        ({"Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "short"}, 400),
        ({"Sec-WebSocket-Version": "7", "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="}, 400),
    ],
)
async def test_a_handshake_that_is_none(http: httpx.AsyncClient, headers: dict[str, str], status: int) -> None:
    answer = await http.get("/v1/ws", headers={"Upgrade": "websocket", "Connection": "Upgrade"} | headers)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert (answer.json()["code"], answer.headers["connection"]) == ("bad-request", "close")
    dressed(answer)


async def test_a_socket_that_is_refused(gateway_url: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        await connect("ws" + gateway_url.removeprefix("http") + "/v1/nowhere")
    response = refused.value.response
    dressed(httpx.Response(response.status_code, headers=list(response.headers.raw_items())))


async def test_a_mistake_of_ours() -> None:
    api = FastAPI()
    problems.install(api)

    @api.get("/v1/broken")
    async def broken() -> None:
        raise RuntimeError("a bug")

    transport = httpx.ASGITransport(SecurityHeaders(api, https=False), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://gateway") as http:
        answer = await http.get("/v1/broken")
    assert (answer.status_code, answer.json()["code"]) == (500, "internal")
    dressed(answer)


async def test_a_browser_may_ask_first_from_any_origin(http: httpx.AsyncClient) -> None:
    origin = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "POST"}
    for path in ("/v1/guests", "/v1/me", "/v1/nowhere"):
        answer = await http.options(path, headers=origin | {"Access-Control-Request-Headers": "idempotency-key"})
        assert (answer.status_code, answer.content) == (204, b"")
        found = {name: value for name, value in answer.headers.items() if name.startswith("access-control-")}
        assert found == {name.lower(): value for name, value in (ANY_ORIGIN | PREFLIGHT).items()}
    assert (await http.options("/", headers=origin)).status_code == 405
    assert "access-control-allow-credentials" not in answer.headers


async def test_who_comes_by_https_is_told_to_stay_with_it() -> None:
    transport = httpx.ASGITransport(SecurityHeaders(PlainTextResponse("here"), https=True))
    async with httpx.AsyncClient(transport=transport, base_url="http://gateway") as http:
        answer = await http.get("/v1/me")
    assert answer.headers["strict-transport-security"] == OVER_HTTPS
