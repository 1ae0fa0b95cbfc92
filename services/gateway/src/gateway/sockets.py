"""The WebSocket door: from a connection to a session, and back to nothing."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

from starlette.websockets import WebSocket, WebSocketDisconnect

from contracts.api import Hello
from contracts.message import Message
from gateway.client_address import ClientAddress
from gateway.codes import Code
from gateway.frames import Unusable, parse, socket_error, understand
from gateway.hub import Hub
from gateway.identity import BadToken, Identity, Tokens
from gateway.outbox import NOT_ALLOWED, NOT_AUTHENTICATED, SESSION_ENDED, TOO_SLOW, Closing, Outbox
from gateway.pinging import measure_of
from gateway.scope_rule import TO_CONNECT, may_connect
from gateway.session import Desk, Session

HELLO_SECONDS_MAX = 5.0
CLOSE_SECONDS_MAX = 2.0


Players = Callable[[Identity], Awaitable[tuple[str, ...]]]


async def alone(identity: Identity) -> tuple[str, ...]:
    """For `Players`, where nobody has guests."""
    return (identity.account,)


class Door:
    """Serves sockets until they end. One task reads, one writes; when either is done the other has nothing to do.
    `players`: as whom somebody sits at tables, the account itself first."""

    def __init__(
        self, tokens: Tokens, hub: Hub, desk: Desk, addresses: ClientAddress, players: Players = alone
    ) -> None:
        self._tokens = tokens
        self._addresses = addresses
        self._hub = hub
        self._desk = desk
        self._players = players

    async def serve(self, socket: WebSocket) -> None:
        await socket.accept()
        outbox = Outbox()
        reading = asyncio.create_task(self._read(socket, outbox))
        writing = asyncio.create_task(outbox.drain(socket.send_text))
        overflow = asyncio.create_task(outbox.overflow.wait())
        tasks = (reading, writing, overflow)
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
        closing = TOO_SLOW if outbox.overflow.is_set() else results[1]
        if isinstance(closing, Closing):
            await _close(socket, closing)
        for result in results[:2]:
            if isinstance(result, Exception) and not isinstance(result, WebSocketDisconnect):
                raise result

    async def _read(self, socket: WebSocket, outbox: Outbox) -> None:
        identity = await self._greet(socket, outbox)
        if identity is None:
            await _end(outbox, NOT_AUTHENTICATED)
        elif not may_connect(identity):
            error = socket_error(Code.SCOPE_MISSING, "token", f"one with the scope {TO_CONNECT}", "one without it")
            _say(outbox, error)
            await _end(outbox, NOT_ALLOWED)
        else:
            await self._converse(socket, outbox, identity)

    async def _converse(self, socket: WebSocket, outbox: Outbox, identity: Identity) -> None:
        _, *guests = await self._players(identity)
        if not self._tokens.still_good(identity):
            await _end(outbox, SESSION_ENDED)
        delay, address = measure_of(socket.scope), self._addresses.of(socket)
        session = Session(identity, outbox, self._desk, delay, address, guests)
        self._hub.join(session)
        try:
            session.welcome()
            while True:
                text = await _next_frame(socket)
                if not self._tokens.still_good(identity):  # even if it does not read that it is closed
                    await _end(outbox, SESSION_ENDED)
                session.frame(text)
                await outbox.room()
        finally:
            session.end()
            self._hub.leave(session)

    async def _greet(self, socket: WebSocket, outbox: Outbox) -> Identity | None:
        """Who is there; None after an error when that does not become clear."""
        try:
            async with asyncio.timeout(HELLO_SECONDS_MAX):
                message = understand(parse(await _next_frame(socket)))
            if not isinstance(message, Hello):
                raise Unusable(socket_error(Code.HELLO_EXPECTED, "first message", "hello", message.type))
            return self._tokens.read(message.token)
        except TimeoutError:
            expected = f"hello within {HELLO_SECONDS_MAX:.0f} s"
            _say(outbox, socket_error(Code.HELLO_EXPECTED, "first message", expected, "nothing"))
        except Unusable as unusable:
            _say(outbox, unusable.error)
        except BadToken as bad:
            _say(outbox, socket_error(Code.BAD_TOKEN, "token", "a token of this service", str(bad)))
        return None


async def _end(outbox: Outbox, closing: Closing) -> None:
    """Never returns: the writer ends this socket."""
    outbox.finish(closing)
    await asyncio.Event().wait()


def _say(outbox: Outbox, message: Message) -> None:
    outbox.put(message.model_dump_json())


async def _next_frame(socket: WebSocket) -> str | None:
    """A text frame, None for a binary one. Raises `WebSocketDisconnect`."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1006))
    text: str | None = message.get("text")
    return text


async def _close(socket: WebSocket, closing: Closing) -> None:
    """Says why, unless the client is gone or has stopped reading."""
    with contextlib.suppress(TimeoutError, WebSocketDisconnect, RuntimeError):
        async with asyncio.timeout(CLOSE_SECONDS_MAX):
            await socket.close(closing.code, closing.reason)
