"""What nobody else may ever be told: planted in a running product, and searched for in all that it says and writes."""

import json
import re
import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
from tests.gateway.rooms import do, opened
from tests.gateway.running import Guest, from_somewhere
from tests.gateway.test_what_logs_hold import every_record

from bus.local import Home
from capicua.server.processes import PROCESSES, Need
from capicua.server.stack import Stack

TOKEN = re.compile(r"eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}")
"""What every signed token looks like: no log has one, whosever it is."""


class Leak(AssertionError):
    """Says what was found where, and not the thing itself."""


@dataclass
class Planted:
    """`secrets` by what they are. `table_id` is a table in the middle of a round, and the room `code` leads to it."""

    home: Home
    url: str
    table_id: str
    code: str
    accounts: tuple[str, ...]
    secrets: dict[str, str] = field(default_factory=dict)

    def check(self, where: str, text: str) -> None:
        """Raises `Leak`: something that was said to a stranger holds a secret."""
        for what, secret in self.secrets.items():
            if secret in text:
                raise Leak(f"{what} in {where}")

    def check_message(self, where: str, message: Any) -> None:
        """The same for a message, which shows no hand to somebody without a seat either."""
        self.check(where, json.dumps(message, ensure_ascii=False))
        for part in _objects(message):
            hidden = [name for name in ("hand", "hands", "legal", "server_seed") if part.get(name)]
            if (part.get("you", 0) is None and hidden) or (part.get("type") == "round-dealt" and "hands" in part):
                raise Leak(f"{' and '.join(hidden)} in {where}")

    def check_logs(self) -> None:
        """Raises `Leak`: a process has written down a secret, or anybody's token."""
        files = sorted((self.home.root / "logs").iterdir())
        assert files
        for file in files:
            text = file.read_text(errors="replace")
            self.check(file.name, text)
            if TOKEN.search(text):
                raise Leak(f"a token in {file.name}")


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for each in value.values():
            yield from _objects(each)
    elif isinstance(value, list):
        for each in value:
            yield from _objects(each)


@asynccontextmanager
async def planted(stack: Stack) -> AsyncIterator[Planted]:
    """Two people play in a private room, with all that is theirs; nobody's time runs out."""
    url = stack.gateway_url
    async with httpx.AsyncClient(base_url=url, timeout=20, headers=from_somewhere()) as http:
        people = [await Guest.arrive(http, url) for _ in range(2)]
        for person in people:
            await person.connect()
        code = await opened(people[0], {"preset": "draw", "seats": 2, "target": 500})
        await do(people[1], code, type="enter-room")
        await do(people[0], code, type="start-match")
        table_id = (await people[0].hear("your-table"))["table_id"]
        for person in people:
            await person.command(table_id, {"type": "sit-down"})
        found = Planted(stack.home, url, table_id, code, tuple(person.account for person in people))
        found.secrets |= await _of(people, stack)
        for person in people:
            await person.socket.close()
    yield found


async def _of(people: list[Guest], stack: Stack) -> dict[str, str]:
    logged = (await every_record(stack.servers[Need.KAFKA].address)).decode(errors="replace")
    seeds = re.findall(r'"server_seed": ?"(\w+)"', logged)
    assert seeds
    keys = {key for process in PROCESSES for key in process.keys}
    found = {f"the key {key}": stack.home.key(key.lower()) for key in sorted(keys)}
    found |= {f"server seed {number}": seed for number, seed in enumerate(seeds)}
    found |= {f"the token of player {number}": person.token for number, person in enumerate(people)}
    return found


def somewhere() -> dict[str, str]:
    """Headers of somebody whom nobody has seen yet."""
    return from_somewhere() | {"User-Agent": secrets.token_hex(4)}
