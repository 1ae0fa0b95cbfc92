"""One of several long ids, by as much of its beginning as is no other's."""

from collections.abc import Mapping
from typing import TypeVar

Value = TypeVar("Value")


def one_of(typed: str, known: Mapping[str, Value], what: str) -> Value:
    """Raises `ValueError`, saying what was expected."""
    if typed in known:
        return known[typed]
    found = [value for name, value in known.items() if typed and name.startswith(typed)]
    if len(found) == 1:
        return found[0]
    if found:
        raise ValueError(f"{len(found)} of them begin with {typed!r}: type more of the {what}")
    raise ValueError(f"expected a {what} of the list, or its beginning, got {typed!r}")
