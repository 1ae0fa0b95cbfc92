"""One WebSocket, kept open: connects, says hello, and does so again with backoff whenever it is lost."""

import asyncio
import contextlib
import logging
from random import Random
from typing import Protocol

from pydantic import ValidationError
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.frames import Close

from capicua.address import Address
from capicua.backoff import pauses
from capicua.credentials import Credentials
from capicua.errors import Refused, SignedOut, Unreachable
from capicua.messages import FROM_SERVER, ToListener
from capicua.pinger import TICK_SECONDS, Pinger
from capicua.server_clock import ServerClock
from contracts.api import FromClient, Hello, Pong, SocketError, ToClient, View, Welcome

log = logging.getLogger(__name__)

SILENCE_SECONDS_MAX = 12.0
OPEN_SECONDS_MAX = 5.0
RECONNECT_FIRST_SECONDS = 0.3
"""When a server dies all its clients come to the next one: they are spread over a part of this."""
MESSAGE_BYTES_MAX = 4 * 1024 * 1024
BAD_TOKEN_CODE = "bad-token"
NOT_AUTHENTICATED = 4401
"""Close code. With a new token one may come back, as long as there is one."""
SCOPE_MISSING_CODE = "scope-missing"
NOT_ALLOWED = 4403
"""Close code. The personal token has not the scope that a socket needs, and never will."""
TOO_MANY_SOCKETS = 4409
"""Close code. Whoever came back would push out the next, which would come back too."""
FINAL: dict[str, type[Refused]] = {BAD_TOKEN_CODE: SignedOut, SCOPE_MISSING_CODE: Refused}
"""Answers to a hello after which the same is of no use."""


class Listener(Protocol):
    """Who uses the connection. `opened` is called after every welcome: say again what the server must know."""

    async def opened(self, welcome: Welcome) -> None: ...

    async def received(self, message: ToListener) -> None: ...


class Connection:
    """`run` it until it is cancelled.

    Raises `SignedOut` for a token that is not good and cannot be renewed, `Refused` where a personal token has not the
    scope for it and where the account has too many connections, and `Unreachable` after `patience_seconds` without a
    welcome.
    """

    def __init__(
        self,
        address: Address,
        credentials: Credentials,
        listener: Listener,
        clock: ServerClock,
        randomness: Random,
        patience_seconds: float,
    ) -> None:
        self._address = address
        self._credentials = credentials
        self._listener = listener
        self._clock = clock
        self._randomness = randomness
        self._patience_seconds = patience_seconds
        self._socket: ClientConnection | None = None
        self._pinger = Pinger(clock)
        self.opened_count = 0

    @property
    def is_open(self) -> bool:
        return self._socket is not None

    async def send(self, message: FromClient) -> None:
        """Sends if there is a connection; a message that is lost with it is the listener's to repeat in `opened`."""
        socket = self._socket
        if socket is not None:
            with contextlib.suppress(ConnectionClosed):
                await socket.send(message.model_dump_json(exclude_none=True))

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        waits = pauses(self._randomness, RECONNECT_FIRST_SECONDS)
        give_up_at = loop.time() + self._patience_seconds
        was_refused = False
        while True:
            opened_before = self.opened_count
            reason, was_refused = await self._attempt(was_refused)
            if self.opened_count > opened_before:
                waits = pauses(self._randomness, RECONNECT_FIRST_SECONDS)
                give_up_at = loop.time() + self._patience_seconds
            if loop.time() > give_up_at:
                raise Unreachable(self._address.url, reason)
            await asyncio.sleep(next(waits))

    async def _attempt(self, was_refused: bool) -> tuple[str, bool]:
        """One connection: why it ended, and whether because of its token, for which there is a new one now. Raises
        `SignedOut` where there is none, and where the one before `was_refused` too."""
        opened_before = self.opened_count
        token = await self._credentials.access()
        try:
            return await self._once(token or ""), False
        except SignedOut as refused:
            again = was_refused and self.opened_count == opened_before
            if again or not await self._credentials.replaced(token):
                raise
            return refused.message, True

    async def _once(self, token: str) -> str:
        """One connection from open to lost; returns why it ended. Raises `SignedOut` if the token is not good."""
        try:
            async with connect(
                self._address.socket_url,
                proxy=None if self._address.is_loopback else True,
                open_timeout=OPEN_SECONDS_MAX,
                close_timeout=1,
                ping_interval=None,  # our own pings also carry the server's time
                max_size=MESSAGE_BYTES_MAX,
            ) as socket:
                await self._converse(socket, token)
        except ConnectionRefusedError:
            return "nothing listens there"
        except (OSError, TimeoutError, WebSocketException) as error:
            if isinstance(error, ConnectionClosed) and error.rcvd is not None:
                _raise_if_final(error.rcvd)
            return str(error) or type(error).__name__
        finally:
            self._socket = None
        return "the server closed the connection"

    async def _converse(self, socket: ClientConnection, token: str) -> None:
        said_hello = self._clock.sent()
        await socket.send(Hello(token=token).model_dump_json())
        async with asyncio.timeout(SILENCE_SECONDS_MAX):
            welcome = self._parse(await socket.recv())
        if isinstance(welcome, SocketError) and welcome.code in FINAL:
            raise FINAL[welcome.code](welcome.code, welcome.message, welcome.expected, welcome.got)
        if not isinstance(welcome, Welcome):
            return
        self._socket = socket
        self.opened_count += 1
        self._clock.answered(said_hello, welcome.server_time)
        pinging = asyncio.create_task(self._keep_pinging())
        try:
            await self._listener.opened(welcome)
            while True:
                async with asyncio.timeout(SILENCE_SECONDS_MAX):
                    await self._take(self._parse(await socket.recv()))
        finally:
            pinging.cancel()

    async def _keep_pinging(self) -> None:
        self._pinger = Pinger(self._clock)
        while True:
            ping = self._pinger.due()
            if ping is not None:
                await self.send(ping)
            self._credentials.freshen()
            await asyncio.sleep(TICK_SECONDS)

    async def _take(self, message: ToClient | None) -> None:
        match message:
            case Pong():
                self._pinger.answered(message)
            case SocketError(code=code) if code == BAD_TOKEN_CODE:
                raise SignedOut(message.code, message.message, message.expected, message.got)
            case Welcome() | None:
                pass
            case _:
                if isinstance(message, View) and message.server_time is not None:
                    self._clock.heard(message.server_time)
                await self._listener.received(message)

    def _parse(self, frame: str | bytes) -> ToClient | None:
        """A message of a newer server that this client does not know is passed over."""
        try:
            return FROM_SERVER.validate_json(frame)
        except ValidationError as error:
            log.warning("a message of the server is not understood: %s", error.errors(include_input=False)[:1])
            return None


def _raise_if_final(close: Close) -> None:
    """Where coming back with the same token is of no use."""
    if close.code == TOO_MANY_SOCKETS:
        raise Refused("too-many-sockets", close.reason, "few connections of one account", "one too many") from None
    if close.code == NOT_ALLOWED:
        raise Refused(SCOPE_MISSING_CODE, close.reason, "a token with the scope play", "one without it") from None
    if close.code == NOT_AUTHENTICATED:
        raise SignedOut(BAD_TOKEN_CODE, close.reason, "a token that is good", "one that is not, or no more") from None
