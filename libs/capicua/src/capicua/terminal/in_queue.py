"""A ticket in the public queue, as its owner sees it."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from rich.text import Text

from capicua.client import Client
from capicua.terminal.names import printable
from capicua.terminal.page import Page
from capicua.terminal.status import seconds_text
from capicua.terminal.table_list import people_count, pool_words
from capicua.terminal.waiting import LEAVE
from contracts.queue_api import Offer, QueueStatus
from contracts.region import Pool
from domino_bots import Strength

YES, NO = ("y", "yes"), ("n", "no")


class InQueue:
    """`strength` is that of the house bots to which the person says yes; `friends` what those of a group say."""

    def __init__(self, client: Client, pool: Pool, strength: Strength, page: Page, friends: str) -> None:
        self._client = client
        self._pool = pool
        self._strength = strength
        self._page = page
        self._friends = friends
        self._since_ms = client.clock.now_ms()
        self._status: QueueStatus | None = None
        self._declined: set[Pool | None] = set()

    async def news(self) -> AsyncGenerator[None, None]:
        async with aclosing(self._client.queue_statuses()) as statuses:
            async for self._status in statuses:
                self._since_ms = self._status.queued_at
                yield

    def heading(self) -> str:
        waited = max(0, self._client.clock.now_ms() - self._since_ms)
        return f"Waiting for {pool_words(self._pool)}: {seconds_text(waited // 1000 * 1000)}"

    def lines(self) -> list[Text]:
        status = self._status
        if status is None:
            return []
        also = [Text(f"You wait for {pool_words(pool)} too.") for pool in status.also]
        offers = [Text(f"  {number}  {offer_words(offer)}") for number, offer in enumerate(self._offers(), 1)]
        return [
            Text(_waiting_words(status)),
            Text(printable(status.why.message)),
            *also,
            *([Text(f"Your friends say the same, with {self._friends}.")] if self._friends else []),
            *([Text(), Text("What would help:", "bold"), *offers] if offers else []),
        ]

    def plain(self) -> str:
        if self._status is None:
            return ""
        return " ".join([printable(self._status.why.message), *(offer_words(offer) for offer in self._status.offers)])

    def as_json(self) -> str:
        return "" if self._status is None else self._status.model_dump_json()

    def question(self) -> str:
        count = len(self._offers())
        yes = {0: "", 1: "y: yes to it, n: no, "}.get(count, f"1 to {count}: yes to that one, n: no, ")
        return "" if self._status is None else f"{yes}q leave the queue > "

    @property
    def takes_lines(self) -> bool:
        return self._page.is_screen

    async def obey(self, line: str) -> str | None:
        offers = self._offers()
        line = line.lower()
        if line in LEAVE:
            return None
        if not line or not offers:
            return ""
        if line in NO:
            self._declined |= {offer.pool for offer in offers}
            return "You go on waiting."
        numbers = {str(number): offer for number, offer in enumerate(offers, 1)}
        chosen = offers[0] if line in YES and len(offers) == 1 else numbers.get(line)
        if chosen is None:
            yes = "y" if len(offers) == 1 else f"a number from 1 to {len(offers)}"
            return f"expected {yes} or n, got {line!r}"
        self._declined.add(chosen.pool)
        if chosen.pool is None:
            await self._client.accept_bots(self._strength)
            return "House bots are on their way."
        await self._client.widen(chosen.pool)
        return ""  # the next status says so

    def _offers(self) -> list[Offer]:
        """Those that the person has not answered yet."""
        offers = () if self._status is None else self._status.offers
        return [offer for offer in offers if offer.pool not in self._declined]


def offer_words(offer: Offer) -> str:
    return printable(offer.message)


def _waiting_words(status: QueueStatus) -> str:
    verb = "waits" if status.waiting == 1 else "wait"
    soon = "" if status.expected_ms is None else f"; lately it took about {seconds_text(status.expected_ms)}"
    return f"{people_count(status.waiting)} {verb} here, you among them{soon}."
