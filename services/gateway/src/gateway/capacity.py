"""How many connections a gateway carries. Whoever comes when it is full is told so, and to come again."""

import asyncio
from collections.abc import Callable
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from gateway.codes import Code
from gateway.problems import answer, problem

TOLD_MAX = 16
"""Connections beyond the last that is served, to be told that there is no room; what comes on top is just closed."""
FIRST_REQUEST_SECONDS_MAX = 10.0


class Capacity:
    """`connections` counts those that are open; set `connections_max` before anybody comes."""

    def __init__(self, connections: Callable[[], int]) -> None:
        self._connections = connections
        self.connections_max = 0

    @property
    def is_full(self) -> bool:
        """With the connection of whoever asks, more are open than are served."""
        return self._connections() > self.connections_max

    @property
    def is_crowded(self) -> bool:
        return self._connections() > self.connections_max + TOLD_MAX

    def over(self, app: ASGIApp) -> ASGIApp:
        """ASGI middleware: the problem `gateway-full` for requests and sockets while there is no room."""

        async def served(scope: Scope, receive: Receive, send: Send) -> None:
            if not self.is_full:
                await app(scope, receive, send)
                return
            expected = f"at most {self.connections_max} connections"
            headers = {"Retry-After": "1", "Connection": "close"}
            error = problem(503, Code.GATEWAY_FULL, "connection", expected, "one more", headers=headers)
            await answer(error.problem, error.headers)(scope, receive, send)

        return served

    def protocol(self) -> type[asyncio.Protocol]:
        """uvicorn's protocol, which closes at once what comes into the crowd, and after ten seconds what asks nothing.

        Accepting must go on: a connection that stays in the listening socket cannot be told anything.
        """
        capacity = self

        class Bounded(H11Protocol):
            def connection_made(self, transport: Any) -> None:
                super().connection_made(transport)
                if capacity.is_crowded:
                    transport.abort()
                    return
                self.timeout_keep_alive_task = self.loop.call_later(
                    FIRST_REQUEST_SECONDS_MAX, self.timeout_keep_alive_handler
                )

        return Bounded
