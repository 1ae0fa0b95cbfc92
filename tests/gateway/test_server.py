"""How a gateway ends its connections: those that do not read, and all of them when it stops."""

from contextlib import AsyncExitStack

import pytest
from tests.gateway.running import gateway, guests
from websockets.exceptions import ConnectionClosed


async def test_a_gateway_that_stops_closes_every_socket_with_1001(
    gateway_url: str, kafka_bootstrap: str, redis_url: str
) -> None:
    async with AsyncExitStack() as stack:
        async with gateway(kafka_bootstrap, redis_url) as url:
            people = [(await stack.enter_async_context(guests(url, 1)))[0] for _ in range(3)]
        codes = []
        for guest in people:
            with pytest.raises(ConnectionClosed) as closed:
                await guest.socket.recv()
            assert closed.value.rcvd is not None
            codes.append(closed.value.rcvd.code)
    assert codes == [1001, 1001, 1001]
