"""What states, events and actions have in common: they are values."""

from __future__ import annotations

from typing import ClassVar


class Value:
    """Equal to a value of the same type with equal fields. Nobody changes one: its attributes are `Final`.

    These are plain classes and no frozen dataclasses because a match is folded from hundreds of them: one is made in
    a quarter of the time, and compiled in a tenth.
    """

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]] = ()
    """The names of its fields."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and fields_of(self) == fields_of(other)

    def __hash__(self) -> int:
        return hash((type(self).__name__, *fields_of(self)))

    def __repr__(self) -> str:
        fields = zip(type(self).__match_args__, fields_of(self), strict=True)
        return f"{type(self).__name__}({', '.join([f'{name}={field!r}' for name, field in fields])})"


def fields_of(value: object) -> tuple[object, ...]:
    """The fields in the order of `__match_args__`."""
    names: tuple[str, ...] = type(value).__match_args__  # type: ignore[attr-defined]
    return tuple([getattr(value, name) for name in names])
