"""How a gateway ends, and what its clients find at the next one."""

from contextlib import AsyncExitStack

import pytest
from tests.gateway.running import from_the_queue, gateway, guests
from websockets.exceptions import ConnectionClosed


async def test_a_gateway_that_stops_closes_every_socket_with_1001(
    gateway_url: str, kafka_bootstrap: str, redis_url: str, account_url: str
) -> None:
    async with AsyncExitStack() as stack:
        async with gateway(kafka_bootstrap, redis_url, account_url) as url:
            people = [(await stack.enter_async_context(guests(url, 1)))[0] for _ in range(3)]
        codes = []
        for guest in people:
            with pytest.raises(ConnectionClosed) as closed:
                await guest.socket.recv()
            assert closed.value.rcvd is not None
            codes.append(closed.value.rcvd.code)
    assert codes == [1001, 1001, 1001]


async def test_a_client_goes_on_at_another_gateway_where_it_was(
    gateway_url: str, kafka_bootstrap: str, redis_url: str, account_url: str
) -> None:
    async with guests(gateway_url, 2) as (away, stays):
        table_id = await from_the_queue([away, stays])
        first = await away.command(table_id, {"type": "sit-down"}, "sit")
        seated = await stays.command(table_id, {"type": "sit-down"})
        async with gateway(kafka_bootstrap, redis_url, account_url) as another:
            await away.socket.close()
            away.url = another
            welcome = await away.connect()
            assert [table["table_id"] for table in welcome["tables"]] == [table_id]
            assert await away.command(table_id, {"type": "sit-down"}, "sit") == first
            await away.say(type="watch", table_id=table_id, version=first["version"])
            missed = await away.hear("view")
            assert (missed["from_version"], missed["version"]) == (first["version"], seated["version"])
            await away.socket.close()
