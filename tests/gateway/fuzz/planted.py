"""What nobody else may ever be told: planted in a running product, and searched for in all that it says and writes."""

import json
import re
import secrets
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
from tests.gateway.rooms import do, opened
from tests.gateway.running import SESSION_MS, Guest, from_somewhere

from bus.kafka import KafkaLog
from bus.local import Home
from bus.outcomes import PartitionFold
from bus.partitioning import partition_of
from bus.records import TopicPartition
from capicua.server.processes import ACCOUNT_PUBLIC_KEY, PROCESSES, Need
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
        self._look(self.secrets | {"the code of their room": self.code}, where, text)

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
            self._look(self.secrets, file.name, text)
            if TOKEN.search(text):
                raise Leak(f"a token in {file.name}")

    def _look(self, hidden: Mapping[str, str], where: str, text: str) -> None:
        for what, secret in hidden.items():
            if secret in text:
                raise Leak(f"{what} in {where}")


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
        answers = [(await http.post("/v1/guests", json={})).raise_for_status().json() for _ in range(2)]
        people = [Guest(http, url, answer["account"], answer["token"]) for answer in answers]
        for person in people:
            await person.connect()
        code = await opened(people[0], {"preset": "draw", "seats": 2, "target": 500})
        await do(people[1], code, type="enter-room")
        await do(people[0], code, type="start-match")
        table_id = (await people[0].hear("your-table"))["table_id"]
        for person in people:
            await person.command(table_id, {"type": "sit-down"})
        found = Planted(stack.home, url, table_id, code, tuple(person.account for person in people))
        found.secrets |= await _of_the_product(stack, table_id)
        for number, answer in enumerate(answers):
            found.secrets |= {f"the {what} of player {number}": answer[what] for what in ("token", "secret")}
        found.secrets |= await _mail(people[0])
        for person in people:
            await person.socket.close()
    yield found


async def _of_the_product(stack: Stack, table_id: str) -> dict[str, str]:
    keys = {key for process in PROCESSES for key in process.keys} - {ACCOUNT_PUBLIC_KEY}
    found = {f"the key {key}": stack.home.key(key.lower()) for key in sorted(keys)}
    seeds = await _server_seeds(stack.servers[Need.KAFKA].address, table_id)
    return found | {f"server seed {number}": seed for number, seed in enumerate(seeds)}


async def _mail(person: Guest) -> dict[str, str]:
    """A link is on its way to an address, and an address is somebody's."""
    name = f"planted-{secrets.token_hex(8)}"
    answer = await person.http.post("/v1/mail", json={"address": f"{name}@example.org"}, headers=person.headers)
    assert answer.status_code == 202, answer.text
    return {"a mail address": name}


async def _server_seeds(bootstrap: str, table_id: str) -> list[str]:
    """Of all its rounds so far."""
    log, partition = KafkaLog(bootstrap, SESSION_MS), TopicPartition("table.events", partition_of(table_id, 6))
    reader, fold = log.reader("planted"), PartitionFold(partition)
    await reader.start([partition])
    reader.seek(partition, 0)
    _, end = await log.bounds(partition)
    seeds = []
    while fold.position < end:
        for outcome in fold.all((await reader.poll(200)).get(partition, ())):
            events = outcome.body().events if outcome.aggregate == table_id else ()
            seeds += [event["server_seed"] for event in events if event["type"] == "round-committed"]
    await reader.stop()
    await log.close()
    assert seeds
    return seeds


def somewhere() -> dict[str, str]:
    """Headers of somebody whom nobody has seen yet."""
    return from_somewhere() | {"User-Agent": secrets.token_hex(4)}
