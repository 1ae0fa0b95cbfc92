"""A screen against a scripted server."""

import asyncio

import pytest
from tests.capicua.room_messages import CODE, private_room
from tests.capicua.scripted_product import ScriptedProduct

from capicua import Client, Refused, ScreenClient
from contracts.room_api import Screen, ScreenPaired


async def test_a_screen_without_a_code_waits_to_be_paired(product: ScriptedProduct) -> None:
    product.answers["POST /v1/screens"] = Screen(token="s", pairing="XYZ789")
    async with ScreenClient(product.url) as screen:
        views = screen.views()
        reading = asyncio.ensure_future(anext(views))
        assert (await product.request("POST /v1/screens")).body == {}
        await product.next("follow-private-room")
        assert (screen.pairing, screen.code) == ("XYZ789", None)
        await product.send(ScreenPaired(code=CODE))
        assert "code" not in await product.next("follow-private-room")
        await product.send(private_room(3))
        assert (await reading).version == 3
        assert (screen.code, await screen.paired()) == (CODE, CODE)
        await product.drop()
        await product.next("follow-private-room")


async def test_a_screen_that_was_paired_while_it_was_away_is_told_by_the_room(product: ScriptedProduct) -> None:
    product.answers["POST /v1/screens"] = Screen(token="s", pairing="XYZ789")
    async with ScreenClient(product.url) as screen:
        reading = asyncio.ensure_future(anext(screen.views()))
        await product.next("follow-private-room")
        await product.drop()
        await product.next("follow-private-room")
        await product.send(private_room(2))
        assert (await reading).version == 2
        assert await screen.paired() == CODE


async def test_a_screen_with_a_code_shows_that_room_and_has_a_token_of_its_own(
    product: ScriptedProduct, player: Client
) -> None:
    product.answers["POST /v1/screens"] = Screen(token="of a screen", code=CODE)
    async with player.screen("abc234") as screen:
        assert await screen.paired() == CODE
        asked = await product.request("POST /v1/screens")
        assert (asked.body, asked.token) == ({"code": CODE}, "")
        assert (screen.token, player.token) == ("of a screen", "t")


async def test_a_wrong_code_is_refused(product: ScriptedProduct) -> None:
    product.answers["POST /v1/screens"] = (404, {"code": "unknown-room", "detail": "no room has this code"})
    async with ScreenClient(product.url, code="ZZZ999") as screen:
        with pytest.raises(Refused, match="unknown-room"):
            await screen.paired()
