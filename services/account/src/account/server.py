"""The inner door's web server inside our own process: uvicorn without signals of its own."""

import asyncio
import contextlib
import logging
import socket
from collections.abc import Iterator

import uvicorn
from fastapi import FastAPI

log = logging.getLogger(__name__)

REQUEST_SECONDS_MAX = 5
IDLE_SECONDS = 30
"""Longer than gateways keep a connection that they do not use: see `gateway.account_service`."""


class _Quiet(uvicorn.Server):
    """The process has its own handlers for signals."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class WebServer:
    """Takes its port at `start`, so that a taken one is seen at once; listens from `run` on."""

    def __init__(self, door: FastAPI, host: str, port: int) -> None:
        self._address = (host, port)
        self._socket = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        self._serving: asyncio.Task[None] | None = None
        self._leaving = False
        self._server = _Quiet(
            uvicorn.Config(
                door,
                lifespan="off",
                log_config=None,
                access_log=False,
                log_level="warning",
                server_header=False,
                proxy_headers=False,
                timeout_keep_alive=IDLE_SECONDS,
                timeout_graceful_shutdown=REQUEST_SECONDS_MAX,
            )
        )

    @property
    def port(self) -> int:
        """The port that was taken."""
        port: int = self._socket.getsockname()[1]
        return port

    async def accepting(self) -> bool:
        """Whether somebody who comes now is served; for readiness."""
        return self._server.started and not self._leaving

    async def start(self) -> None:
        """Raises OSError when the port is not free."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.bind(self._address)

    async def run(self) -> None:
        """Serves until `stop`; ends early only when the server breaks."""
        self._serving = asyncio.create_task(self._server.serve([self._socket]), name="web-server")
        log.info("listening", extra={"fields": {"host": self._address[0], "port": self.port}})
        await asyncio.shield(self._serving)

    async def stop(self) -> None:
        """Answers what has been asked, within five seconds."""
        self._leaving = True
        self._server.should_exit = True
        if self._serving is not None:
            await self._serving
        self._socket.close()
