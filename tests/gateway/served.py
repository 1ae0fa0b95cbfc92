"""A door on a real web server, with nothing behind it: what goes over sockets is said by the test."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, WebSocket
from tests.gateway.running import until_open
from tests.gateway.signed import access_token, tokens
from tests.gateway.test_door import door
from websockets.asyncio.client import ClientConnection, connect

from gateway.client_address import ClientAddress
from gateway.hub import Hub
from gateway.server import WebServer


@asynccontextmanager
async def serving(leave_seconds: float = 0.0) -> AsyncIterator[tuple[str, Hub, WebServer]]:
    """``ws://…`` of it."""
    async with door(tokens()) as (found, hub):
        api = FastAPI()

        @api.websocket("/v1/ws")
        async def sockets(websocket: WebSocket) -> None:
            await found.serve(websocket)

        server = WebServer(api, hub, ClientAddress(0), "127.0.0.1", 0, leave_seconds, https=False)
        await server.start()
        running = asyncio.create_task(server.run())
        await until_open(server.port)
        yield f"ws://127.0.0.1:{server.port}/v1/ws", hub, server
        await server.stop()
        await running


async def come(url: str, account: str, **options: Any) -> ClientConnection:
    """Somebody who has been welcomed."""
    found = await connect(url, compression=None, ping_interval=None, open_timeout=60, **options)
    await found.send(json.dumps({"type": "hello", "token": access_token(account)}))
    assert json.loads(await found.recv())["type"] == "welcome"
    return found
