"""Requests against a server that answers what a test says."""

import asyncio
import contextlib
import json
import math
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import pytest

from capicua.address import Address
from capicua.errors import Closed, Refused, Unreachable
from capicua.http_api import HttpApi
from contracts.account_api import MailRequest
from contracts.api import QueueRequest

Request = tuple[str, dict[str, str], Any]


class Requests(list[Request]):
    """Those that came; `first` is set by the first."""

    def __init__(self) -> None:
        super().__init__()
        self.first = asyncio.Event()


@asynccontextmanager
async def answering(
    *answers: tuple[int, str] | tuple[int, str, str] | None,
) -> AsyncIterator[tuple[HttpApi, Requests]]:
    """Each request gets the next answer (status, body, maybe a header); none: the connection is cut. The requests are
    kept."""
    left, requests = list(answers), Requests()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line, *fields = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {name.lower(): value for name, _, value in (field.partition(": ") for field in fields)}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        requests.append((line.rsplit(" ", 1)[0], headers, json.loads(body or b"null")))
        requests.first.set()
        answer = left.pop(0)
        if answer is not None:
            status, text, *fields = answer
            lines = [f"HTTP/1.1 {status} x", f"content-length: {len(text)}", "connection: close", *fields]
            head = "".join(f"{line}\r\n" for line in [*lines, ""])
            writer.write((head + text).encode())
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    address = Address.parse(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
    api = HttpApi(address, Random(1), patience_seconds=2.0)
    async with server:
        yield api, requests
        await api.close()


async def test_a_request_whose_result_is_unknown_is_sent_again_as_it_was() -> None:
    async with answering(None, (503, "{}"), (429, "{}"), (200, '{"id": "a"}')) as (api, requests):
        api.credentials.hold("secret")
        assert await api.post("/v1/queue", QueueRequest(id="a")) == {"id": "a"}
    assert [line for line, _, _ in requests] == ["POST /v1/queue"] * 4
    assert [headers["authorization"] for _, headers, _ in requests] == ["Bearer secret"] * 4
    assert [body["id"] for _, _, body in requests] == ["a"] * 4


async def test_a_problem_document_is_a_refusal() -> None:
    problem = json.dumps({"code": "already-queued", "detail": "you wait", "expected": "nobody", "got": "you"})
    async with answering((409, problem)) as (api, _):
        with pytest.raises(Refused) as refused:
            await api.get("/v1/me")
    error = refused.value
    assert (error.code, error.message, error.expected, error.got) == ("already-queued", "you wait", "nobody", "you")
    assert str(error) == "already-queued: you wait (expected nobody, got you)"


@pytest.mark.parametrize("body", ["", "<html>", "[]", "3"])
async def test_an_error_of_somebody_else_is_a_refusal_too(body: str) -> None:
    async with answering((404, body)) as (api, _):
        with pytest.raises(Refused, match="no-problem-document: status 404"):
            await api.get("/v1/me")


async def test_too_many_of_something_else_is_an_answer_and_not_asked_again() -> None:
    locked = '{"code": "too-many-wrong-codes", "detail": "wait a while"}'
    async with answering((429, '{"code": "too-many-requests"}'), (429, locked)) as (api, requests):
        with pytest.raises(Refused, match="too-many-wrong-codes: wait a while"):
            await api.get("/v1/private-rooms/ABC234")
    assert len(requests) == 2


async def test_a_server_that_sends_no_mail_says_so_at_once() -> None:
    no_mail = '{"code": "mail-unavailable", "detail": "this installation sends no mail"}'
    async with answering((503, '{"code": "accounts-unavailable"}'), (503, no_mail)) as (api, requests):
        with pytest.raises(Refused, match="mail-unavailable: this installation sends no mail"):
            await api.post("/v1/mail", MailRequest(address="ada@example.org"), once=True)
    assert len(requests) == 2


async def test_patience_ends_and_says_what_came_last() -> None:
    async with answering(*[(503, "{}")] * 20) as (api, requests):
        with pytest.raises(Unreachable, match="status 503"):
            await api.get("/v1/me")
    assert 4 < len(requests) < 20


async def test_patience_that_is_shorter_than_what_the_server_wishes_ends_with_what_it_said() -> None:
    slower = '{"code": "too-many-requests", "detail": "at most 3 at once, then one in ten minutes"}'
    async with answering((429, slower, "retry-after: 600")) as (api, requests):
        with pytest.raises(Refused, match="too-many-requests: at most 3 at once, then one in ten minutes"):
            await api.get("/v1/me/export")
    assert len(requests) == 1
    async with answering((503, '{"code": "accounts-unavailable"}', "retry-after: 9")) as (api, requests):
        with pytest.raises(Unreachable, match="cannot do this now: status 503 accounts-unavailable"):
            await api.get("/v1/me/profile")
    assert len(requests) == 1


async def test_closing_ends_a_rest_that_the_server_wished_for() -> None:
    async with answering((503, "{}", "retry-after: 600")) as (api, requests), asyncio.timeout(20):
        api.patience_seconds = math.inf
        asking = asyncio.create_task(api.get("/v1/me"))
        await requests.first.wait()
        await api.close()
        with pytest.raises(Closed):
            await asking


async def test_what_must_be_done_once_is_known_again_by_its_key() -> None:
    under_way = '{"code": "idempotency-under-way", "detail": "ask again"}'
    async with answering(None, (409, under_way), (200, "{}"), (200, "{}"), (200, "{}")) as (api, requests):
        for _ in range(2):
            await api.post("/v1/mail", MailRequest(address="ada@example.org"), once=True)
        await api.post("/v1/queue", QueueRequest(id="a"))
    keys = [headers.get("idempotency-key") for _, headers, _ in requests]
    assert keys[0] == keys[1] == keys[2] != keys[3]
    assert [key is None or len(key) for key in keys] == [32, 32, 32, 32, True]


async def test_another_conflict_is_an_answer() -> None:
    async with answering((409, '{"code": "already-queued", "detail": "you wait"}')) as (api, requests):
        with pytest.raises(Refused, match="already-queued"):
            await api.post("/v1/queue", QueueRequest(id="a"))
    assert len(requests) == 1


async def test_the_client_says_what_it_is() -> None:
    async with answering((200, "{}")) as (api, requests):
        await api.get("/v1/me")
    assert re.fullmatch(r"capicua/[0-9.]+ \([A-Za-z]+\)", requests[0][1]["user-agent"])


async def test_a_token_is_never_part_of_an_error() -> None:
    async with answering((401, '{"code": "bad-token", "detail": "expired"}')) as (api, _):
        api.credentials.hold("secret")
        with pytest.raises(Refused) as refused:
            await api.get("/v1/me")
    assert "secret" not in str(refused.value)
    assert "authorization" not in str(refused.value).lower()


async def test_closing_ends_requests_wherever_they_are_and_leaves_no_connection() -> None:
    open_count, last_came, all_closed = 0, asyncio.Event(), asyncio.Event()

    async def never_answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal open_count
        open_count += 1
        with contextlib.suppress(ConnectionError):
            if (await reader.read()).endswith(b"the last"):
                last_came.set()
        writer.close()
        open_count -= 1
        if not open_count:
            all_closed.set()

    server = await asyncio.start_server(never_answer, "127.0.0.1", 0)
    async with server, asyncio.timeout(20):
        address = Address.parse(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
        for steps in range(24):  # of the event loop: before, while and after it connects
            api = HttpApi(address, Random(1), patience_seconds=2.0)
            asking = asyncio.create_task(api.get("/v1/me"))
            for _ in range(steps):
                await asyncio.sleep(0)
            await api.close()
            with pytest.raises(Closed):
                await asking
        _, last = await asyncio.open_connection(*server.sockets[0].getsockname())
        last.write(b"the last")
        last.close()
        await last_came.wait()  # those before it came before it
        if open_count:
            all_closed.clear()
            await all_closed.wait()
