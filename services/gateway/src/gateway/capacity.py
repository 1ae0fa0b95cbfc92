"""How many connections a gateway carries. Whoever comes when it is full, or on its way out, is told so, and to come
again."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import h11
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from gateway.codes import Code
from gateway.problems import ProblemError, answer, problem
from gateway.security_headers import SecurityHeaders

TOLD_MAX = 16
"""Connections beyond the last that is served, to be told that there is no room; what comes on top is just closed."""
HEAD_SECONDS_MAX = 10.0
"""From a request's first byte, and of the first one from the connection on, to the end of its head."""
SHARE_OF_ANYBODY = 0.9
"""Of all connections; beyond it there is room for people with a seat at a table, and for requests."""
SHARE_OF_ADDRESS = 0.25
"""Of all connections, that sockets of one address may be, and as many its requests at once: a school or a carrier's
network has room in it, and nobody keeps all others out from one machine."""
OF_ADDRESS_MAX = 2_500
"""However many connections there may be: a quarter of ten thousand, which a gateway was seen to carry."""
AGAIN = {"Retry-After": "1", "Connection": "close"}


class Capacity:
    """`connections` counts those that are open; set `connections_max` before anybody comes, and `leaving` when nobody
    is to come any more. `silent` are connections that have asked nothing yet, or nothing more since their last answer,
    the oldest first, and how to end each. `addresses` says of whom one is; an empty text has no bounds of its own."""

    def __init__(self, connections: Callable[[], int], addresses: Callable[[HTTPConnection], str]) -> None:
        self._connections = connections
        self._addresses = addresses
        self._open: Counter[tuple[str, str]] = Counter()
        self.connections_max = 0
        self.leaving = False
        self.silent: dict[asyncio.Protocol, Callable[[], None]] = {}

    @property
    def is_full(self) -> bool:
        """With the connection of whoever asks, more are open than are served."""
        return self._connections() > self.connections_max

    @property
    def is_nearly_full(self) -> bool:
        """What is left is for people who play. Silent connections take nobody's place: they go before anybody."""
        return self._connections() - len(self.silent) > self.connections_max * SHARE_OF_ANYBODY

    @property
    def is_crowded(self) -> bool:
        return self._connections() > self.connections_max + TOLD_MAX

    @property
    def of_address_max(self) -> int:
        return max(1, min(OF_ADDRESS_MAX, int(self.connections_max * SHARE_OF_ADDRESS)))

    def over(self, app: ASGIApp) -> ASGIApp:
        """ASGI middleware: the problem `gateway-full` for requests and sockets while there is no room, and
        `gateway-leaving` for sockets from then on; requests are still answered, each on its last connection."""

        async def served(scope: Scope, receive: Receive, send: Send) -> None:
            of = (scope["type"], self._addresses(HTTPConnection(scope)))
            error = self._refusal(*of)
            if error is not None:
                await answer(error.problem, error.headers)(scope, receive, send)
                return
            with self._one_more(*of):
                await app(scope, receive, _closing(send) if self.leaving else send)

        return served

    @contextmanager
    def _one_more(self, kind: str, address: str) -> Iterator[None]:
        self._open[kind, address] += 1
        try:
            yield
        finally:
            self._open[kind, address] -= 1
            if not self._open[kind, address]:
                del self._open[kind, address]

    def _refusal(self, kind: str, address: str) -> ProblemError | None:
        if self.leaving and kind == "websocket":
            return problem(503, Code.GATEWAY_LEAVING, "connection", "a gateway that stays", "one more", headers=AGAIN)
        if self.is_full:
            expected = f"at most {self.connections_max} connections"
            return problem(503, Code.GATEWAY_FULL, "connection", expected, "one more", headers=AGAIN)
        if address and self._open[kind, address] >= self.of_address_max:
            expected = f"at most {self.of_address_max} of an address"
            return problem(503, Code.GATEWAY_FULL, "connection", expected, "one more", headers=AGAIN)
        return None

    def hang_up(self) -> None:
        """Closes the oldest connection that asks nothing."""
        oldest = next(iter(self.silent), None)
        if oldest is not None:
            self.silent.pop(oldest)()

    def protocol(self, headers: SecurityHeaders) -> type[asyncio.Protocol]:
        """uvicorn's protocol, which closes at once what comes into the crowd, and after ten seconds what asks nothing
        or half of something: earlier where there is no room, the oldest first. What is no HTTP is told so by a problem
        too, with the same `headers` as all answers.

        Accepting must go on: a connection that stays in the listening socket cannot be told anything.
        """
        capacity = self

        class Bounded(H11Protocol):
            _patience: asyncio.TimerHandle | None = None

            def connection_made(self, transport: Any) -> None:
                super().connection_made(transport)
                if capacity.is_crowded:
                    transport.abort()
                    return
                if capacity.is_full:
                    capacity.hang_up()
                self._await_head()

            def data_received(self, data: bytes) -> None:
                super().data_received(data)
                if self.conn.their_state is not h11.IDLE:
                    self._head_is_here()
                elif self._patience is None and self.conn.trailing_data[0]:
                    self._await_head()

            def on_response_complete(self) -> None:
                super().on_response_complete()
                if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
                    capacity.silent.setdefault(self, self.transport.close)

            def connection_lost(self, exc: Exception | None) -> None:
                self._head_is_here()
                super().connection_lost(exc)

            def _await_head(self) -> None:
                self._patience = self.loop.call_later(HEAD_SECONDS_MAX, self.transport.close)
                capacity.silent[self] = self.transport.abort

            def _head_is_here(self) -> None:
                if self._patience is not None:
                    self._patience.cancel()
                    self._patience = None
                capacity.silent.pop(self, None)

            def send_400_response(self, msg: str) -> None:  # noqa: ARG002 (uvicorn's)
                response = _not_http()
                headers.add(response.headers, "")
                head = h11.Response(status_code=response.status_code, headers=response.headers.raw, reason=b"")
                for event in (head, h11.Data(data=bytes(response.body)), h11.EndOfMessage()):
                    self.transport.write(self.conn.send(event) or b"")
                self.transport.close()

        return Bounded


def _not_http() -> JSONResponse:
    headers = {"Connection": "close"}
    error = problem(400, Code.BAD_REQUEST, "request", "HTTP/1.1 (RFC 9112)", "something else", headers=headers)
    return answer(error.problem, error.headers)


def _closing(send: Send) -> Send:
    """Every answer says that its connection ends with it."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message)["Connection"] = "close"
        await send(message)

    return sending
