"""A house bot at a server that does not say that it is one."""

import asyncio
import json
from random import Random

import pytest

from bots.house_bot import House, HouseBot, NotLabelled
from capicua import Thinker


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
