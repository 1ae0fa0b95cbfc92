"""No request body over 16 KiB gets in, none that takes longer than ten seconds, and none of two lengths."""

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway.codes import Code
from gateway.problems import answer, problem

BODY_BYTES_MAX = 16 * 1024
BODY_SECONDS_MAX = 10.0


class BodyLimit:
    """ASGI middleware: reads a body to its end or its limit before anybody else sees the request.

    FastAPI's own limit answers in plain text, and every error here is a problem document.
    """

    def __init__(self, app: ASGIApp, seconds_max: float = BODY_SECONDS_MAX) -> None:
        self._app = app
        self._seconds_max = seconds_max

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if _has_two_lengths(scope):
            await _refuse(400, Code.BAD_REQUEST, "one length (RFC 9112, 6.1)", "two")(scope, receive, send)
            return
        try:
            async with asyncio.timeout(self._seconds_max):
                body = await _read(receive)
        except TimeoutError:
            expected = f"all of it within {self._seconds_max:.0f} s"
            await _refuse(408, Code.BODY_TOO_SLOW, expected, "less")(scope, receive, send)
            return
        if body is None:
            expected = f"at most {BODY_BYTES_MAX} bytes"
            await _refuse(413, Code.BODY_TOO_LARGE, expected, "more")(scope, receive, send)
            return
        await self._app(scope, receiving(body, receive), send)


def receiving(body: bytes, receive: Receive) -> Receive:
    """Gives the body that is here already, whole, and then whatever comes."""
    given = False

    async def receive_body() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_body


def _has_two_lengths(scope: Scope) -> bool:
    """A proxy may go by the one and we by the other: what follows would be another request to us and not to it."""
    return {b"content-length", b"transfer-encoding"} <= {name for name, _ in scope["headers"]}


async def _read(receive: Receive) -> bytes | None:
    """The whole body, None when it is too large; what a client sent that went away in the middle is all there is."""
    body = bytearray()
    more = True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > BODY_BYTES_MAX:
            return None
    return bytes(body)


def _refuse(status: int, code: Code, expected: str, got: str) -> ASGIApp:
    """The rest of the body is not read: its connection is of no more use."""
    error = problem(status, code, "body", expected, got, headers={"Connection": "close"})
    return answer(error.problem, error.headers)
