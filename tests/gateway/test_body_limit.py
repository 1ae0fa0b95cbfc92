"""Bodies that are too large or do not come, without a network."""

import asyncio
import json
from typing import Any

from starlette.types import Message, Receive, Scope, Send

from gateway.body_limit import BODY_BYTES_MAX, BodyLimit

SCOPE = {"type": "http", "method": "POST", "path": "/v1/guests", "headers": []}


class Inside:
    """What gets in."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.bodies.append((await receive())["body"])


async def answered(limit: BodyLimit, receive: Receive) -> tuple[int, dict[str, Any]]:
    """The status and problem that a request with this body is answered with."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    await limit(SCOPE, receive, send)
    head, body = sent
    assert (b"connection", b"close") in head["headers"]
    return head["status"], json.loads(body["body"])


async def test_a_body_that_does_not_come_is_not_waited_for() -> None:
    inside, parts = Inside(), [b"half", b" of"]

    async def receive() -> Message:
        if not parts:
            await asyncio.get_running_loop().create_future()
        return {"type": "http.request", "body": parts.pop(), "more_body": True}

    status, problem = await answered(BodyLimit(inside, seconds_max=0.05), receive)
    assert (status, problem["status"], problem["code"]) == (408, 408, "body-too-slow")
    assert inside.bodies == []


async def test_no_more_is_read_of_a_body_than_may_come() -> None:
    inside, read = Inside(), 0

    async def receive() -> Message:
        nonlocal read
        read += 1024
        return {"type": "http.request", "body": b" " * 1024, "more_body": True}

    status, problem = await answered(BodyLimit(inside), receive)
    assert (status, problem["code"]) == (413, "body-too-large")
    assert read == BODY_BYTES_MAX + 1024
    assert inside.bodies == []


async def test_what_fits_gets_in_whole() -> None:
    inside, parts = Inside(), [b"b" * 6000, b"a" * (BODY_BYTES_MAX - 6000)]

    async def receive() -> Message:
        part = parts.pop()
        return {"type": "http.request", "body": part, "more_body": bool(parts)}

    async def send(_: Message) -> None:
        raise AssertionError

    await BodyLimit(inside)(SCOPE, receive, send)
    assert inside.bodies == [b"a" * (BODY_BYTES_MAX - 6000) + b"b" * 6000]
