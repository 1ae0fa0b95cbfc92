"""People who follow the list of a public room, all in one process: `python -m bench.lobby_followers URL PRESET COUNT`.

Says `following` when all of them have the list. A line on standard input ends it: then it prints each message that
came, once, with how many sockets had it in which ms of the wall clock."""

import asyncio
import json
import sys
import time
from collections import Counter

import httpx
from websockets.asyncio.client import ClientConnection, connect

from contracts.api import Hello
from contracts.queue_api import FollowRoom

ASKING_MAX = 20
FRAME_BYTES_MAX = 2**24


class Followers:
    """`messages` are those that came, in UTF-8, by their hash; all sockets are sent the same."""

    def __init__(self, url: str, preset: str) -> None:
        self._url = url
        self._follow = FollowRoom(preset=preset).model_dump_json()
        self._asking = asyncio.Semaphore(ASKING_MAX)
        self._all_follow = asyncio.Event()
        self._to_come = 0
        self.messages: dict[int, bytes] = {}
        self.heard: dict[int, Counter[int]] = {}
        self.lost = 0

    async def follow(self, count: int) -> list[asyncio.Task[None]]:
        """Returns when all of them have the list."""
        self._to_come = count
        async with httpx.AsyncClient(base_url=self._url, timeout=30) as http:
            tasks = [asyncio.create_task(self._person(http)) for _ in range(count)]
            await self._all_follow.wait()
        return tasks

    async def _person(self, http: httpx.AsyncClient) -> None:
        async with self._asking:
            guest = (await http.post("/v1/guests", json={})).raise_for_status().json()
            address = self._url.replace("http", "ws", 1) + "/v1/ws"
            socket = await connect(address, compression=None, ping_interval=None, max_size=FRAME_BYTES_MAX)
            await socket.send(Hello(token=guest["token"]).model_dump_json())
            await socket.recv()
            await socket.send(self._follow)
            await socket.recv()
        self._to_come -= 1
        if not self._to_come:
            self._all_follow.set()
        await self._listen(socket)

    async def _listen(self, socket: ClientConnection) -> None:
        try:
            async for text in socket:
                self._note(text.encode() if isinstance(text, str) else text)
        finally:
            self.lost += 1

    def _note(self, message: bytes) -> None:
        now, name = time.time_ns() // 1_000_000, hash(message)
        if name not in self.messages:
            self.messages[name], self.heard[name] = message, Counter()
        self.heard[name][now] += 1


async def main(url: str, preset: str, count: int) -> None:
    followers = Followers(url, preset)
    tasks = await followers.follow(count)
    print("following", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    lost = followers.lost
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    heard = [(followers.messages[name].decode(), sorted(times.items())) for name, times in followers.heard.items()]
    print(json.dumps({"lost": lost, "heard": heard}), flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
