"""What a client learns of the server's time from each of its messages."""

import asyncio

import pytest
from tests.capicua.matches import match
from tests.capicua.scripted_server import ScriptedServer

from capicua import Client, Refused


async def test_the_welcome_already_says_what_the_servers_time_is(client: Client, server: ScriptedServer) -> None:
    server.on_hello = lambda: {"type": "welcome", "account": "g", "tables": [], "server_time": 5_000_000}
    await client.connect()
    assert client.clock.round_trip_ms is not None
    assert 0 <= client.clock.now_ms() - 5_000_000 < 60_000


async def test_pings_soon_say_what_the_servers_time_is_and_views_if_it_is_later(
    server: ScriptedServer, client: Client
) -> None:
    outcomes = list(match("draw", 2, 50))
    table = await client.next_table()
    async with asyncio.timeout(10):
        await server.ponged.wait()
    await server.send(outcomes[2].message(1))
    await table.first_view()
    assert 5_000_000 <= client.clock.now_ms() < 5_060_000
    server.pong_ms = 9_000_000
    await server.send(outcomes[3].message(1).model_copy(update={"server_time": 9_000_000}))
    views = table.views()
    await anext(views)
    await anext(views)
    assert 9_000_000 <= client.clock.now_ms() < 9_060_000


async def test_whoever_is_one_connection_too_many_stays_away_and_says_why(
    server: ScriptedServer, client: Client
) -> None:
    await client.next_table()
    await server.close(4409, "too many sockets of one account")
    with pytest.raises(Refused, match="too many sockets") as refused:
        await client.next_table()
    assert refused.value.code == "too-many-sockets"
    assert server.hellos == 1


@pytest.mark.parametrize("is_told", [True, False])
async def test_a_token_without_the_scope_for_it_does_not_come_back(
    server: ScriptedServer, client: Client, is_told: bool
) -> None:
    missing = {"type": "error", "code": "scope-missing", "message": "a socket needs the scope play"}
    if is_told:
        server.on_hello = lambda: missing
    else:
        await client.next_table()
        await server.close(4403, "a socket needs the scope play")
    with pytest.raises(Refused, match="scope-missing: a socket needs the scope play"):
        await client.next_table()
    assert server.hellos == 1
