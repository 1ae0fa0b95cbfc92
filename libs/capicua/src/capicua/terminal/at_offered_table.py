"""An offered table, as those see it who sit there until its seats are taken."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from rich.text import Text

from capicua.client import Client
from capicua.errors import Refused
from capicua.terminal.page import Page
from capicua.terminal.status import seconds_text
from capicua.terminal.table_list import people_words, pool_words
from capicua.terminal.waiting import LEAVE
from contracts.queue_api import TableEntry
from domino_bots import Strength

BOTS = ("b", "bots")


class AtOfferedTable:
    """`program` is how this one is started; `strength` that of the house bots that the host asks for."""

    def __init__(
        self, client: Client, table_id: str, preset: str, strength: Strength, page: Page, program: str
    ) -> None:
        self._client = client
        self._table_id = table_id
        self._preset = preset
        self._strength = strength
        self._page = page
        self._program = program
        self._since_ms = client.clock.now_ms()
        self._entry: TableEntry | None = None
        self._was_seated = False

    async def news(self) -> AsyncGenerator[None, None]:
        """Raises `Refused` when the seat is gone."""
        async with aclosing(self._client.follow_room(self._preset)) as lists:
            async for found in lists:
                entry = next((entry for entry in found.tables if entry.table_id == self._table_id), None)
                is_seated = entry is not None and self._client.account in {one.account for one in entry.people}
                if self._was_seated and not is_seated and (entry is None or entry.state == "open"):
                    raise Refused("seat-lost", "you have no seat at this table any more")
                if is_seated and entry != self._entry:
                    self._was_seated, self._entry = True, entry
                    yield

    def heading(self) -> str:
        waited = max(0, self._client.clock.now_ms() - self._since_ms)
        return f"Waiting until all seats are taken: {seconds_text(waited // 1000 * 1000)}"

    def lines(self) -> list[Text]:
        entry = self._entry
        if entry is None:
            return []
        return [
            Text(f"A table of {pool_words(entry.pool)}, on the list of the room {self._preset}."),
            Text(self.plain()),
            Text(),
            Text.assemble("Others sit down by  ", (f"{self._program} play --table {self._table_id}", "green")),
        ]

    def plain(self) -> str:
        entry = self._entry
        if entry is None:
            return ""
        free = entry.pool.seats - len(entry.people)
        return f"{free} of {entry.pool.seats} seats free. Here: {people_words(entry.people, self._client.account)}."

    def as_json(self) -> str:
        return "" if self._entry is None else self._entry.model_dump_json()

    def question(self) -> str:
        bots = "b: let house bots take the free seats, " if self._is_host else ""
        return "" if self._entry is None else f"{bots}q leave > "

    @property
    def takes_lines(self) -> bool:
        return self._page.is_screen

    async def obey(self, line: str) -> str | None:
        line = line.lower()
        if line in LEAVE:
            return None
        if not line or not self._is_host:
            return ""
        if line not in BOTS:
            return f"expected b, got {line!r}"
        await self._client.accept_bots(self._strength)
        return "House bots are on their way."

    @property
    def _is_host(self) -> bool:
        people = () if self._entry is None else self._entry.people
        return bool(people) and people[0].account == self._client.account
