"""A house bot at servers that do not let it play."""

import asyncio
import json
from random import Random

import pytest
from tests.capicua.scripted_product import ScriptedProduct

from bots.house_bot import BotState, House, HouseBot, NotLabelled
from capicua import Refused, Thinker
from contracts.api import Guest, MatchCalledOff


async def answer_without_label(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    body = json.dumps({"account": "house-7", "token": "t", "bot": False}).encode()
    head = f"HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    writer.write(head.encode() + body)
    await writer.drain()
    writer.close()


async def test_a_bot_that_is_not_labelled_does_not_play() -> None:
    server = await asyncio.start_server(answer_without_label, "127.0.0.1", 0)
    async with server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        bot = HouseBot(7, House(url, "key", 0, Thinker()), Random(1), lambda: None)
        with pytest.raises(NotLabelled, match="house-7"):
            await bot.run(stays=lambda: True)


async def test_a_bot_whose_match_is_called_off_waits_no_longer_for_its_table() -> None:
    async with ScriptedProduct() as product:
        product.answers["POST /v1/guests"] = Guest(account="house-7", token="t", bot=True)
        states: list[BotState] = []
        bot = HouseBot(7, House(product.url, "key", 0, Thinker()), Random(1), lambda: states.append(bot.state))
        life = asyncio.create_task(bot.run(stays=lambda: True))
        await product.request("POST /v1/stand-by")
        await product.send(MatchCalledOff(table_id="t1", code="bots-missing"))
        with pytest.raises(Refused, match="bots-missing"):
            await life
    assert BotState.PLAYING not in states
