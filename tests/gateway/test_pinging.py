"""Pings of real sockets, through the real web server, to clients that answer them as they like."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvicorn
from tests.gateway.holding import Holding
from tests.gateway.running import free_port, until_open
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.frames import Opcode

from gateway.delay import unmeasured
from gateway.pinging import PING_JITTER, PING_SECONDS, Pinging, measure_of


async def tell_the_delay(scope: Any, receive: Any, send: Any) -> None:
    """Answers every text with the delay of its socket."""
    measure = measure_of(scope)
    while (message := await receive())["type"] != "websocket.disconnect":
        if message["type"] == "websocket.connect":
            await send({"type": "websocket.accept"})
        else:
            await send({"type": "websocket.send", "text": str(measure())})


@asynccontextmanager
async def server(
    ping_seconds: float = 0.02, answer_seconds_max: float = 10.0, app: Any = tell_the_delay
) -> AsyncIterator[str]:
    """``ws://…`` of a server whose sockets are pinged more often than a gateway's."""
    port = free_port()
    config = uvicorn.Config(
        app,
        port=port,
        ws=Pinging,
        ws_ping_interval=ping_seconds,
        ws_ping_timeout=answer_seconds_max,
        lifespan="off",
        log_config=None,
    )
    running = uvicorn.Server(config)
    serving = asyncio.create_task(running.serve())
    await until_open(port)
    try:
        yield f"ws://127.0.0.1:{port}/"
    finally:
        running.should_exit = True
        await serving


class Asking(Holding):
    """Asks the server for its own delay."""

    async def delay(self) -> int | None:
        """What the server has measured."""
        self.say("?")
        text = await self.told()
        return None if text == "None" else int(text)


async def test_the_first_ping_comes_at_once_and_its_answer_is_the_first_measure() -> None:
    async with server(ping_seconds=3600) as url, Asking.connect(url) as client:
        payload = await client.pinged()
        assert await client.delay() is None
        client.pong(payload)
        measured = await client.delay()
        assert measured is not None
        assert measured < 5000


async def test_after_an_answer_the_next_ping_comes_with_another_payload() -> None:
    async with server() as url, Asking.connect(url) as client:
        payloads = []
        for _ in range(7):
            payloads.append(await client.pinged())
            client.pong(payloads[-1])
        assert len(set(payloads)) == 7


async def test_an_ordinary_client_is_measured_without_doing_anything_for_it() -> None:
    async with server() as url, connect(url) as client:
        await client.send("?")
        told = await client.recv()
        while told == "None":
            await client.send("?")
            told = await client.recv()
        assert 0 <= int(told) < 5000


async def test_who_answers_late_is_as_slow_as_that() -> None:
    async with server() as url, Asking.connect(url) as client:
        for _ in range(3):
            payload = await client.pinged()
            await client.hold(60)
            client.pong(payload)
        measured = await client.delay()
        assert measured is not None
        assert measured >= 60


async def test_an_answer_to_no_ping_or_to_an_older_one_measures_nothing() -> None:
    async with server(ping_seconds=0.001) as url, Asking.connect(url) as client:
        first = await client.pinged()
        client.pong(b"\0\0\0\0" if first != b"\0\0\0\0" else b"\1\1\1\1")
        client.pong(b"")
        assert await client.delay() is None
        client.pong(first)
        await client.pinged()
        before = await client.delay()
        assert before is not None
        await client.hold(2 * before + 50)
        client.pong(first)
        client.pong(first)
        after = await client.delay()
        assert after is not None
        assert after > before  # the second ping is still waited for


async def test_a_client_that_never_answers_has_no_delay_and_is_let_go() -> None:
    async with server(answer_seconds_max=0.2) as url, Asking.connect(url) as client:
        await client.pinged()
        assert await client.delay() is None
        closed = bytes((await client.hear(Opcode.CLOSE)).data)
        assert int.from_bytes(closed[:2], "big") == 1011


async def test_a_client_that_answered_once_and_then_no_more_is_let_go_too() -> None:
    async with server(answer_seconds_max=0.2) as url, Asking.connect(url) as client:
        client.pong(await client.pinged())
        await client.pinged()
        await client.hear(Opcode.CLOSE)


async def test_a_socket_that_is_closed_is_pinged_no_more() -> None:
    async with server(ping_seconds=0.001) as url:
        async with connect(url) as client:
            await client.close()
        with pytest.raises(ConnectionClosed):
            await client.recv()


def test_a_connection_without_pings_is_unmeasured() -> None:
    assert measure_of({"type": "websocket"}) is unmeasured
    assert measure_of({"type": "http", "state": {}}) is unmeasured


def test_a_turn_sees_the_delay_of_about_its_own_time() -> None:
    """Five pings reach back for half a minute at most, and a turn lasts for fifteen seconds at least."""
    assert 5 * PING_SECONDS * (1 + PING_JITTER) <= 30
    assert PING_SECONDS * (1 + PING_JITTER) < 15


# ---- what is no message


def frame(payload: bytes, opcode: int = Opcode.TEXT, *, fin: bool = True) -> bytes:
    """As a client sends it, masked with zeros."""
    assert len(payload) < 126
    return bytes([opcode | (0x80 if fin else 0), 0x80 | len(payload), 0, 0, 0, 0]) + payload


async def asking(url: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection that has asked for a socket."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(url.rstrip("/").rpartition(":")[2]))
    head = "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    writer.write(f"{head}Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode())
    return reader, writer


class Late:
    """Answers the handshake when it may."""

    def __init__(self) -> None:
        self.asked, self.may = asyncio.Event(), asyncio.Event()

    async def __call__(self, _: Any, receive: Any, send: Any) -> None:
        await receive()
        self.asked.set()
        await self.may.wait()
        await send({"type": "websocket.accept"})
        assert (await receive())["type"] == "websocket.disconnect"


BAD_TEXT = {
    "a byte that begins nothing": frame(b"\xff"),
    "a surrogate": frame(b"\xed\xa0\x80"),
    "in parts": frame(b"ok \xe2", fin=False) + frame(b"\x28", Opcode.CONT),
    "several at once": frame(b"\xff") * 3,
}


@pytest.mark.parametrize("sent", BAD_TEXT.values(), ids=BAD_TEXT.keys())
async def test_text_that_is_not_utf_8_ends_its_connection_with_a_code_and_is_no_error_of_the_gateway(
    sent: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async with server(ping_seconds=3600) as url, asyncio.timeout(30):
        reader, writer = await asking(url)
        await reader.readuntil(b"\r\n\r\n")
        writer.write(sent)
        assert (await reader.read()).endswith(bytes([0x80 | Opcode.CLOSE, 2, *(1007).to_bytes(2, "big")]))
        writer.close()
        await writer.wait_closed()
    assert not [record for record in caplog.records if record.levelno > logging.INFO]


@pytest.mark.parametrize("sent", [*BAD_TEXT.values(), b"\xff" * 20], ids=[*BAD_TEXT.keys(), "no frame"])
async def test_who_does_not_wait_for_the_handshake_with_it_is_let_go(
    sent: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    late = Late()
    async with server(ping_seconds=3600, app=late) as url, asyncio.timeout(30):
        reader, writer = await asking(url)
        await late.asked.wait()
        writer.write(sent)
        assert await reader.read() == b""
        late.may.set()
        writer.close()
        await writer.wait_closed()
    assert not [record for record in caplog.records if record.levelno > logging.INFO]


async def test_text_in_parts_that_are_cut_within_a_letter_is_text() -> None:
    async with server(ping_seconds=3600) as url, Asking.connect(url) as client:
        client.send(frame(b"\xe2", fin=False) + frame(b"\x82\xac", Opcode.CONT))
        assert await client.told() == "None"
