"""The web server inside our own process: uvicorn without signals of its own."""

import asyncio
import contextlib
import logging
import socket
from collections.abc import Iterator

import uvicorn
from fastapi import FastAPI

from gateway import handshake, open_files
from gateway.capacity import Capacity
from gateway.client_address import ClientAddress
from gateway.hub import Hub
from gateway.pinging import ANSWER_SECONDS_MAX, PING_SECONDS
from gateway.security_headers import SecurityHeaders

log = logging.getLogger(__name__)
FRAME_BYTES_RECEIVED_MAX = 1024 * 1024
REQUEST_SECONDS_MAX = 2
GOODBYE_SECONDS_MAX = 1.5
SENT_BYTES_MAX = 128 * 1024
"""What the system keeps of what one client has not read; the rest waits here, where it is counted."""
UNREAD_MS_MAX = 60_000
"""Whoever has acknowledged nothing for so long is gone, or does not read (RFC 5482)."""


class _Quiet(uvicorn.Server):
    """The process has its own handlers for signals."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class WebServer:
    """Takes its port at `start`, so that a taken one is seen at once, and as many open files as it may have; listens
    from `run` on.

    A frame over 1 MiB ends its connection (close code 1009); the sessions themselves refuse what is over 16 KiB.
    """

    def __init__(
        self,
        api: FastAPI,
        hub: Hub,
        addresses: ClientAddress,
        host: str,
        port: int,
        leave_seconds: float,
        *,
        https: bool,
    ) -> None:
        self._hub = hub
        self._address = (host, port)
        self._leave_seconds = leave_seconds
        self._socket = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        self._serving: asyncio.Task[None] | None = None
        self._capacity = Capacity(lambda: len(self._server.server_state.connections), addresses.outside)
        hub.is_nearly_full = lambda: self._capacity.is_nearly_full
        answering = SecurityHeaders(self._capacity.over(api), https=https)
        self._server = _Quiet(
            uvicorn.Config(
                answering,
                http=self._capacity.protocol(answering),
                ws=handshake.answering(answering),
                ws_ping_interval=PING_SECONDS,
                ws_ping_timeout=ANSWER_SECONDS_MAX,
                ws_max_size=FRAME_BYTES_RECEIVED_MAX,
                ws_per_message_deflate=False,
                lifespan="off",
                log_config=None,
                access_log=False,
                log_level="warning",
                server_header=False,
                proxy_headers=False,  # whom to believe is `gateway.client_address`'s to say
                timeout_graceful_shutdown=REQUEST_SECONDS_MAX,
            )
        )

    @property
    def port(self) -> int:
        """The port that was taken."""
        port: int = self._socket.getsockname()[1]
        return port

    @property
    def accepting(self) -> bool:
        """Whether somebody who comes now is served."""
        return self._server.started and not self._capacity.leaving

    async def start(self) -> None:
        """Raises OSError when the port is not free."""
        self._capacity.connections_max = open_files.connections_max()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SENT_BYTES_MAX)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux; elsewhere pings find out about sockets
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_MS_MAX)
        self._socket.bind(self._address)

    async def run(self) -> None:
        """Serves until `stop`; ends early only when the server breaks."""
        self._serving = asyncio.create_task(self._server.serve([self._socket]), name="web-server")
        log.info("listening", extra={"fields": {"host": self._address[0], "port": self.port}})
        await asyncio.shield(self._serving)

    async def stop(self) -> None:
        """Takes no more sockets, says goodbye to every one in a jittered wave, then stops."""
        self._capacity.leaving = True
        await self._hub.close_all(self._leave_seconds)
        with contextlib.suppress(TimeoutError):  # whoever does not read is cut off
            async with asyncio.timeout(GOODBYE_SECONDS_MAX):
                await self._hub.gone()
        self._server.should_exit = True
        if self._serving is not None:
            await self._serving
        self._socket.close()
