"""A line of people: first come, first served, and anybody may step out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rpds import HashTrieMap  # persistent maps: a change shares all but a few nodes with the line before it


@dataclass(frozen=True, slots=True)
class Line:
    """An immutable queue of accounts. Every operation costs the same however long the line is; places that people
    have left are skipped once, when the front comes to them. `places` lacks those who have stepped out of the line and
    may step back to where they stood."""

    places: HashTrieMap[int, str] = field(default_factory=HashTrieMap)
    place_of: HashTrieMap[str, int] = field(default_factory=HashTrieMap)
    front: int = 0
    back: int = 0

    def __len__(self) -> int:
        return len(self.place_of)

    def __contains__(self, account: str) -> bool:
        return account in self.place_of

    def joined_by(self, account: str) -> Line:
        """With `account` at the back."""
        return Line(
            self.places.insert(self.back, account),
            self.place_of.insert(account, self.back),
            self.front,
            self.back + 1,
        )

    def without(self, account: str) -> Line:
        """Without `account`, wherever it stands; the same line if it does not stand there."""
        place = self.place_of.get(account)
        if place is None:
            return self
        places = self.places.discard(place)
        return Line(places, self.place_of.remove(account), self._front_of(places), self.back)

    def stepped_out(self, account: str) -> Line:
        """Somebody of the line is passed over, and keeps the place."""
        places = self.places.discard(self.place_of[account])
        return Line(places, self.place_of, self._front_of(places), self.back)

    def stepped_back(self, account: str) -> Line:
        place = self.place_of[account]
        return Line(self.places.insert(place, account), self.place_of, min(place, self.front), self.back)

    def _front_of(self, places: HashTrieMap[int, str]) -> int:
        front = self.front
        while front < self.back and front not in places:
            front += 1
        return front

    def first(self, count: int) -> tuple[str, ...]:
        """The `count` accounts that have waited longest, or all if there are fewer."""
        found: list[str] = []
        place = self.front
        while len(found) < count and place < self.back:
            account = self.places.get(place)
            if account is not None:
                found.append(account)
            place += 1
        return tuple(found)

    def to_json(self) -> list[Any]:
        """The same for equal lines; `from_json` gives an equal line back."""
        everybody = sorted((place, account, place in self.places) for account, place in self.place_of.items())
        return [self.front, self.back, [list(each) for each in everybody]]

    @classmethod
    def from_json(cls, body: Sequence[Any]) -> Line:
        front, back, places = body
        here = {place: account for place, account, is_here in places if is_here}
        place_of = {account: place for place, account, _ in places}
        return cls(HashTrieMap(here), HashTrieMap(place_of), front, back)
