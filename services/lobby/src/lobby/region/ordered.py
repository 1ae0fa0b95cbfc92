"""Keys in order, as a value: the least first, and a change shares nearly all with what was before it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound="int | tuple[Any, ...]")

CHUNK = 256


class Ordered(Generic[K]):
    """An immutable sorted set, after Grant Jenks' *sortedcontainers*: a tuple of sorted tuples of at most `2 * CHUNK`
    keys each. A change copies one of these and the outer one: a few microseconds for a hundred thousand keys."""

    __hash__ = None  # type: ignore[assignment]
    __slots__ = ("_chunks", "_count")

    def __init__(self, chunks: tuple[tuple[K, ...], ...] = (), count: int = 0) -> None:
        self._chunks = chunks
        self._count = count

    @classmethod
    def of(cls, keys: Iterable[K]) -> Ordered[K]:
        """Of keys that are all different, in any order."""
        ordered: list[Any] = sorted(keys)
        chunks = tuple([tuple(ordered[start : start + CHUNK]) for start in range(0, len(ordered), CHUNK)])
        return cls(chunks, len(ordered))

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[K]:
        for chunk in self._chunks:
            yield from chunk

    def __contains__(self, key: K) -> bool:
        if not self._chunks:
            return False
        chunk: tuple[Any, ...] = self._chunks[self._place(key)]
        at = bisect_left(chunk, key)
        return at < len(chunk) and bool(chunk[at] == key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ordered) and self._count == other._count and tuple(self) == tuple(other)

    def __repr__(self) -> str:
        return f"Ordered.of({list(self)})"

    @property
    def first(self) -> K | None:
        """The least."""
        return self._chunks[0][0] if self._chunks else None

    def with_key(self, key: K) -> Ordered[K]:
        """With `key`, which is not in it yet."""
        if not self._chunks:
            return Ordered(((key,),), 1)
        place = self._place(key)
        chunk: tuple[Any, ...] = self._chunks[place]
        at = bisect_right(chunk, key)
        chunk = (*chunk[:at], key, *chunk[at:])
        parts = (chunk,) if len(chunk) <= 2 * CHUNK else (chunk[:CHUNK], chunk[CHUNK:])
        return Ordered((*self._chunks[:place], *parts, *self._chunks[place + 1 :]), self._count + 1)

    def without(self, key: K) -> Ordered[K]:
        """Without `key`; the same if it is not in it."""
        if key not in self:
            return self
        place = self._place(key)
        chunk: tuple[Any, ...] = self._chunks[place]
        at = bisect_left(chunk, key)
        chunk = (*chunk[:at], *chunk[at + 1 :])
        parts = (chunk,) if chunk else ()
        return Ordered((*self._chunks[:place], *parts, *self._chunks[place + 1 :]), self._count - 1)

    def up_to(self, key: Any) -> Iterator[K]:
        """Those that are not greater than `key`, in order."""
        for found in self:
            if found > key:
                return
            yield found

    def _place(self, key: Any) -> int:
        if len(self._chunks) == 1:
            return 0
        return max(bisect_right(self._chunks, key, key=_least) - 1, 0)


def _least(chunk: tuple[Any, ...]) -> Any:
    return chunk[0]
