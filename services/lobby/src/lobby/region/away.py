"""People without a connection, who has been gone longest in front."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rpds import HashTrieMap

from lobby.region.line import Line


class Absence(NamedTuple):
    """`since` when, in log ms, and a number that nobody else's has."""

    number: int
    account: str
    since: int


@dataclass(frozen=True, slots=True)
class Away:
    order: Line = field(default_factory=Line)
    since: HashTrieMap[str, int] = field(default_factory=HashTrieMap)

    def __contains__(self, account: str) -> bool:
        return account in self.since

    def __len__(self) -> int:
        return len(self.since)

    def with_person(self, account: str, at: int) -> Away:
        """With somebody who has gone at `at`; the same if nothing was heard since an earlier time."""
        if account in self.since:
            return self
        return Away(self.order.joined_by(account), self.since.insert(account, at))

    def without(self, account: str) -> Away:
        return Away(self.order.without(account), self.since.remove(account)) if account in self.since else self

    def longest(self, count: int) -> Iterator[Absence]:
        """The `count` who have been away longest, or all if there are fewer."""
        for account in self.order.first(count):
            yield Absence(self.order.place_of[account], account, self.since[account])

    def to_json(self) -> list[Any]:
        """The same for equal ones; `from_json` gives an equal one back."""
        return [self.order.to_json(), dict(sorted(self.since.items()))]

    @classmethod
    def from_json(cls, body: Sequence[Any]) -> Away:
        order, since = body
        return cls(Line.from_json(order), HashTrieMap(since))
