"""One account's socket at a gateway, and its seat at a table if it has one: with the bare protocol, so that hundreds
play in one process."""

import asyncio
import json
import secrets
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from capicua.backoff import pauses
from capicua.connection import RECONNECT_FIRST_SECONDS
from contracts.api import Hello, Watch

Body = dict[str, Any]
OPEN_SECONDS_MAX = 20.0
RESET = "reset"
"""How a socket ended whose other end said nothing about it."""


class Seat:
    """Comes back as the SDK does whenever its socket ends. With `think_seconds` it plays; without, it looks on.

    `version` is the newest that it has. `views` counts distinct versions that came one by one, `gaps` those that did
    not go on where the one before on the same socket had ended, `whole` the tables that came whole to a seat that had
    an older version. `ends` counts how its sockets ended.
    """

    def __init__(self, url: Callable[[], str], account: str, token: str, table_id: str | None, think: float) -> None:
        self._url = url
        self._token = token
        self._think_seconds = think
        self._randomness = Random(account)
        self._connection: ClientConnection | None = None
        self._socket: ClientConnection | None = None  # the same, once it has been welcomed
        self._moving: asyncio.Task[None] | None = None
        self._turn = 0
        self._began = False
        self.account = account
        self.table_id = table_id
        self.waiting: dict[str, str] = {}
        """Commands without an answer: they are sent again under the same id on the next socket."""
        self.version = self.views = self.gaps = self.whole = self.answers = 0
        self.last_at = 0.0
        self.ends: Counter[str] = Counter()
        self.here = asyncio.Event()
        """Welcomed, and has its table's newest view."""
        self.answered = asyncio.Event()
        """An answer of the log has come since somebody last cleared it."""

    async def run(self) -> None:
        waits = pauses(self._randomness, RECONNECT_FIRST_SECONDS)
        while True:
            try:
                address = self._url().replace("http", "ws", 1) + "/v1/ws"
                async with connect(
                    address, compression=None, ping_interval=None, open_timeout=OPEN_SECONDS_MAX, proxy=None
                ) as socket:
                    self._connection = socket
                    await self._converse(socket)
            except ConnectionClosed as closed:
                self.ends[str(closed.rcvd.code) if closed.rcvd else RESET] += 1
                waits = pauses(self._randomness, RECONNECT_FIRST_SECONDS)
            except (OSError, TimeoutError, WebSocketException) as error:
                self.ends[type(error).__name__] += 1
            finally:
                self._connection = self._socket = None
                self.here.clear()
            await asyncio.sleep(next(waits))

    def cut(self) -> None:
        """Ends the connection as a broken network does."""
        if self._connection is not None:
            self._connection.transport.abort()

    def rest(self) -> None:
        """Plays no more; what it has asked is still answered."""
        self._think_seconds = 0.0
        if self._moving is not None:
            self._moving.cancel()

    async def _converse(self, socket: ClientConnection) -> None:
        self._began = False
        await socket.send(Hello(token=self._token).model_dump_json())
        await socket.recv()
        self._socket = socket
        if self.table_id is None:
            self.here.set()
        else:
            await socket.send(Watch(table_id=self.table_id, version=self.version).model_dump_json())
            for text in list(self.waiting.values()):
                await socket.send(text)
        while True:
            message = json.loads(await socket.recv())
            if message["type"] == "view":
                self._view(message)
            elif message.get("id") in self.waiting:
                self._answer(message)

    def _view(self, message: Body) -> None:
        version, from_version = message["version"], message["from_version"]
        if version > self.version:
            if from_version == self.version:
                self.views += 1
                self.last_at = time.monotonic()
            elif self._began or version < self.version:
                self.gaps += 1
            elif self.version:
                self.whole += 1
            self.version = version
        self._began = True
        self.here.set()
        if self._think_seconds:
            self._play(message["view"])

    def _answer(self, message: Body) -> None:
        del self.waiting[message["id"]]
        self.answers += 1
        self.answered.set()

    # ---- playing

    def _play(self, view: Body) -> None:
        you = view["you"]
        seat = view["seats"][you - 1]
        match view["status"]:
            case "waiting" if not seat["seated"]:
                self._later({"type": "sit-down"}, -1)
            case "playing" if view["to_move"] == you and view["legal"]:
                tile, _, end = view["legal"][0].partition("@")
                move = {"type": "play-tile", "tile": tile} | ({"end": end} if end else {})
                self._later(({"type": "pass-turn"} if tile == "pass" else move) | {"turn": view["turn"]}, view["turn"])
            case "pausing" if not seat["ready"]:
                self._later({"type": "next-round", "round": view["round"]}, -1 - view["round"])

    def _later(self, command: Body, turn: int) -> None:
        """Once for each turn, after a while."""
        if turn != self._turn:
            self._turn = turn
            self._moving = asyncio.create_task(self._move(command))

    async def _move(self, command: Body) -> None:
        await asyncio.sleep(self._randomness.uniform(0.5, 1.5) * self._think_seconds)
        await self.ask(command)

    async def ask(self, command: Body) -> None:
        """Sends a command now, or with the next socket."""
        name = secrets.token_hex(8)
        text = json.dumps({"type": "command", "id": name, "table_id": self.table_id, "command": command})
        self.waiting[name] = text
        if self._socket is not None:
            with suppress(ConnectionClosed):
                await self._socket.send(text)
