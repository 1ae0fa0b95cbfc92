"""What somebody writes who has installed the SDK's wheel for its two libraries of HTTP and WebSocket, and has read the
API's pages and nothing else: two declared programs meet in the queue and play a match.

`python from_the_pages.py URL` prints every answer and message that came, one JSON object a line.
"""

import asyncio
import json
import sys
import uuid
from collections.abc import Mapping
from typing import Any

import httpx
from websockets.asyncio.client import connect

Body = dict[str, Any]
SLOWER_SECONDS = 1


class Api:
    """The two documents, and calls that are their examples with some fields changed."""

    def __init__(self, http: httpx.AsyncClient, calls: Body, messages: Body) -> None:
        self._http = http
        self._calls = calls["paths"]
        self._messages = messages["components"]["messages"]
        self.socket_path = messages["channels"]["socket"]["address"]

    @classmethod
    async def of(cls, http: httpx.AsyncClient) -> "Api":
        documents = [(await http.get(f"/v1/{name}.json")).raise_for_status().json() for name in ("openapi", "asyncapi")]
        return cls(http, *documents)

    async def post(self, path: str, token: str | None = None, **changed: Any) -> Body:
        body = self._calls[path]["post"]["requestBody"]["content"]["application/json"]["example"] | changed
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = await self._http.post(path, json=body, headers=headers)
        tell({"call": path, "status": answer.status_code, "body": answer.json()})
        answer.raise_for_status()
        return dict(answer.json())

    def message(self, name: str, **changed: Any) -> str:
        return json.dumps(self._messages[name]["examples"][0]["payload"] | changed)


def tell(what: Mapping[str, Any]) -> None:
    sys.stdout.write(json.dumps(what) + "\n")


async def program(api: Api, url: str, owner: Body, label: str) -> None:
    """Declares a program and plays one match with it."""
    declared = await api.post("/v1/me/programs", owner["token"], id=uuid.uuid4().hex, label=label)
    access = await api.post("/v1/session/renew", secret=declared["token"]["secret"])
    token = access["token"]
    async with connect(url.replace("http", "ws", 1) + api.socket_path) as socket:
        await socket.send(api.message("hello", token=token))
        wanted = {"preset": "draw", "seats": 2, "target": 50, "pairs": False, "turn_seconds": None, "bots": "none"}
        table_id, asked = "", ""
        commands: dict[str, str] = {}
        again: set[asyncio.Task[None]] = set()

        async def say(what: Body) -> None:
            name = uuid.uuid4().hex
            commands[name] = api.message("command", id=name, table_id=table_id, command=what)
            await socket.send(commands[name])

        def say_again(command: str) -> None:
            again.add(asyncio.create_task(socket.send(command)))

        async for frame in socket:
            message = json.loads(frame)
            tell({"message": message})
            match message:
                case {"type": "welcome"}:
                    await api.post("/v1/queue", token, id=uuid.uuid4().hex, region=None, **wanted)
                case {"type": "your-table"}:
                    table_id = message["table_id"]
                    await socket.send(api.message("watch", table_id=table_id, version=0))
                    await say({"type": "sit-down"})
                case {"type": "view", "view": {"status": "finished"}}:
                    return
                case {"type": "view", "view": view} if (move := action(view)) and json.dumps(move) != asked:
                    asked = json.dumps(move)
                    await say(move)
                case {"type": "error", "code": "too-many-requests", "id": name} if name in commands:
                    asyncio.get_running_loop().call_later(SLOWER_SECONDS, say_again, commands[name])
                case _:
                    pass


def action(view: Body) -> Body | None:
    """What is to be done now: the first that is legal."""
    if view["status"] == "pausing":
        return {"type": "next-round", "round": view["round"]}
    if not view["legal"]:
        return None
    first, turn = view["legal"][0], {"turn": view["turn"]}
    if first in ("draw", "pass"):
        return {"type": {"draw": "draw-tiles", "pass": "pass-turn"}[first], **turn}
    tile, _, end = first.partition("@")
    return {"type": "play-tile", "tile": tile, "end": end, **turn}


async def main(url: str) -> None:
    async with httpx.AsyncClient(base_url=url, timeout=30) as http:
        api = await Api.of(http)
        owner = await api.post("/v1/guests", house_key=None, house_bot=None)
        await asyncio.gather(*(program(api, url, owner, label) for label in ("the one", "the other")))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
