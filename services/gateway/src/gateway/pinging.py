"""Pings of the WebSocket protocol itself (RFC 6455, 5.5.2): every browser and every library answers them unasked; and
what is no WebSocket message at all."""

import asyncio
import random
from collections.abc import Mapping, Sequence
from typing import Any

from uvicorn.config import Config
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import CloseCode, Frame
from websockets.protocol import State

from bus import telemetry
from gateway.delay import Delay, Measure, unmeasured

PING_SECONDS = 5.0
"""The median of five is then of the last half minute, about one turn, and follows a phone from one network to another.
A hundred thousand sockets cost 20,000 pings a second, spread over the gateways that hold them: about 0.1 ms of a core
each, measured over loopback on two busy cores, most of it the kernel's sending."""
PING_JITTER = 0.2
"""Of the time between two pings: sockets that came in one wave do not go on pinging in one."""
ANSWER_SECONDS_MAX = 20.0
"""A socket whose ping is unanswered for so long is closed (1011): its client is gone."""
DELAY = "delay"


class Pinging(WebSocketsSansIOProtocol):
    """uvicorn's protocol with its own keep-alive. The first ping follows the handshake at once, so that the first turn
    of a table can be credited, and each next one `ws_ping_interval` seconds after an answer, with jitter: one is on its
    way at a time, and only its own answer counts, told by its random payload.

    The connection's `gateway.delay.Measure` stands in the scope's state, under `DELAY`.
    """

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        loop = _loop or asyncio.get_running_loop()
        self.delay = Delay(loop.time)
        super().__init__(config, server_state, app_state | {DELAY: self.delay.ms}, loop)

    def start_keepalive(self) -> None:
        self.send_keepalive_ping()

    def schedule_ping(self) -> None:
        assert self.ping_interval is not None
        seconds = self.ping_interval * random.uniform(1 - PING_JITTER, 1 + PING_JITTER)
        self.ping_timer = self.loop.call_later(seconds, self.send_keepalive_ping)

    def send_keepalive_ping(self) -> None:
        super().send_keepalive_ping()
        if self.pending_ping_payload is not None:
            self.delay.sent()

    def handle_pong(self, event: Frame) -> None:
        awaited = self.pending_ping_payload
        super().handle_pong(event)
        if awaited is not None and self.pending_ping_payload is None:
            telemetry.socket_delay_ms.record(self.delay.answered())

    def send_receive_event_to_app(self) -> None:
        """Text that is not UTF-8 ends its connection (1007; RFC 6455, 8.1), and is the client's affair alone: uvicorn
        has it logged as an error of its own."""
        if self.curr_msg_data_type == "text" and not self.close_sent and not _is_text(self.frames):
            self.frames = []
            if self.conn.state is State.OPEN:
                self.conn.send_close(CloseCode.INVALID_DATA)
            self.handle_parser_exception()
            return
        super().send_receive_event_to_app()

    def handle_parser_exception(self) -> None:
        """Before the handshake is answered there is no way to say why."""
        if self.conn.close_sent is not None:
            super().handle_parser_exception()
        elif not self.transport.is_closing():
            self.queue.put_nowait({"type": "websocket.disconnect", "code": CloseCode.ABNORMAL_CLOSURE})
            self.transport.close()


def _is_text(parts: Sequence[bytes]) -> bool:
    try:
        b"".join(parts).decode()
    except UnicodeDecodeError:
        return False
    return True


def measure_of(scope: Mapping[str, Any]) -> Measure:
    """The measure of the connection with this ASGI scope."""
    measure: Measure = scope.get("state", {}).get(DELAY, unmeasured)
    return measure
