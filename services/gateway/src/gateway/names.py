"""What people are called. Kept in Valkey as long as they come; who has no name there has one made from the account."""

import unicodedata
from base64 import b32encode
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from hashlib import sha256
from typing import Any

from redis.asyncio import Redis

from gateway.bells import Bells
from gateway.identity import HOUSE
from gateway.valkey import ValkeyAway, answering

NAME_CHARACTERS_MAX = 24
MARKS_MAX = 2
KEPT_SECONDS = 60 * 24 * 60 * 60
KNOWN_MAX = 20_000
ANSWER_SECONDS_MAX = 0.5
BELL = "names"
Learn = Callable[[Iterable[str]], Awaitable[None]]
"""`Names.learn`, for who needs no more of it."""
BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols by their category, spaces to the eye."""


class NamesUnavailable(Exception):
    """Names cannot be kept just now."""


def fallback_name(account: str) -> str:
    """Always the same for an account, and nothing can be told from it but that."""
    if account.startswith(HOUSE):
        return f"House {account.rpartition('-')[2]}"[:NAME_CHARACTERS_MAX]
    return f"Guest {b32encode(sha256(account.encode()).digest()).decode()[:4]}"


def clean(text: str) -> str:
    """The text as one line that is what it looks like: composed, without what cannot be seen, with plain single spaces,
    with at most two accents on a letter. Empty when nothing is left."""
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", text):
        category = unicodedata.category(character)
        if category in ("Zs", "Zl", "Zp") or character in BLANK or character in "\t\n\r":
            character, category = " ", "Zs"
        marks = marks + 1 if category[0] == "M" else 0
        if category[0] != "C" and marks <= MARKS_MAX:
            kept.append(character)
    return " ".join("".join(kept).split())


class Names:
    """`changed` of every listener is called with the account whose name has changed, at whichever gateway; with an
    empty text when that may be anybody's."""

    def __init__(self, redis: Redis, bells: Bells) -> None:
        self._redis: Any = redis
        self._bells = bells
        self._known: OrderedDict[str, str] = OrderedDict()
        self._listeners: list[Callable[[str], None]] = []
        bells.listen(BELL, self._heard)

    def on_change(self, changed: Callable[[str], None]) -> None:
        self._listeners.append(changed)

    def name_of(self, account: str) -> str:
        """The name as far as it is known here; `learn` it before."""
        return self._known.get(account) or fallback_name(account)

    async def learn(self, accounts: Iterable[str]) -> None:
        """Looks up the names of those who are not known yet. Without Valkey they go by the names made for them."""
        unknown = [account for account in accounts if account not in self._known]
        if not unknown:
            return
        try:
            async with answering(ANSWER_SECONDS_MAX, "names cannot be read"):
                found = await self._redis.mget([_key(account) for account in unknown])
        except ValkeyAway:
            return
        for account, name in zip(unknown, found, strict=True):
            self._keep(account, name.decode(errors="replace") if name is not None else "")

    async def choose(self, account: str, name: str) -> None:
        """Everybody sees the new name. Raises `NamesUnavailable`."""
        async with answering(ANSWER_SECONDS_MAX, "a name cannot be kept", NamesUnavailable):
            await self._redis.set(_key(account), name, ex=KEPT_SECONDS)
            await self._bells.ring(BELL, account)

    def _keep(self, account: str, name: str) -> None:
        self._known[account] = name
        self._known.move_to_end(account)
        if len(self._known) > KNOWN_MAX:
            self._known.popitem(last=False)

    def _heard(self, account: str) -> None:
        if not account:  # bells may have been missed
            self._known.clear()
        elif self._known.pop(account, None) is None:
            return
        for changed in self._listeners:
            changed(account)


def _key(account: str) -> str:
    return f"name:{account}"
