"""A client that does not read, over a real connection: it is let go with a code that says come back, and nobody else
notices."""

import asyncio
import json
import socket

import pytest
from tests.gateway.served import come, serving
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from contracts.api import MatchCalledOff
from gateway.server import SENT_BYTES_MAX

LONG = "x" * 4000
RECEIVED_BYTES_MAX = 8 * 1024


def little() -> socket.socket:
    """A connection's end of which the system keeps hardly anything that has not been read."""
    found = socket.socket()
    found.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVED_BYTES_MAX)
    found.setblocking(False)
    return found


async def test_who_does_not_read_is_let_go_and_nobody_else_notices() -> None:
    async with serving() as (url, hub, _):
        address = ("127.0.0.1", int(url.split(":")[2].partition("/")[0]))
        end = little()
        await asyncio.get_running_loop().sock_connect(end, address)
        slow = await come(url, "slow", sock=end, max_queue=1)
        other = await come(url, "other")
        sent = 0
        while any(not session.finished for session in hub.sessions_of("slow")):
            hub.tell(["slow", "other"], MatchCalledOff(table_id=f"t{sent}", code=LONG))
            told = json.loads(await asyncio.wait_for(other.recv(), 5))
            assert told["table_id"] == f"t{sent}"
            sent += 1
            assert sent * len(LONG) < 8 * (SENT_BYTES_MAX + 1024 * 1024), "what waits for it is bounded"
        heard, code = await everything(slow)
        assert code == 4408
        assert heard == [f"t{number}" for number in range(len(heard))]
        assert len(heard) < sent
        again = await come(url, "slow")
        await again.close()
        await other.close()


async def everything(slow: ClientConnection) -> tuple[list[str], int]:
    """What it finds when it reads after all, and the code at the end."""
    heard: list[str] = []

    async def read() -> None:
        while True:
            heard.append(json.loads(await slow.recv())["table_id"])

    with pytest.raises(ConnectionClosed) as closed:
        await asyncio.wait_for(read(), 10)
    assert closed.value.rcvd is not None
    return heard, closed.value.rcvd.code
