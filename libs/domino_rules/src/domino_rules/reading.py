"""Reads the fields of a scenario's JSON, or says where and why one is malformed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domino_rules.notation import NotationError, parse_hand
from domino_rules.ruleset import Ruleset, Seat
from domino_rules.tiles import Hand


class Malformed(ValueError):
    """A scenario that cannot be read; says where and why in one line."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{where}: {why}")


def needed(body: Mapping[str, Any], field: str, prefix: str) -> object:
    if field not in body:
        raise Malformed(f"{prefix}{field}", "expected it to be there, got nothing")
    return body[field]


def an_object(value: object, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Malformed(where, f"expected an object, got {_kind(value)}")
    return value


def fields_of(value: object, where: str) -> dict[str, Any]:
    """The fields of an object that are there; a null is as good as absent."""
    return {field: inner for field, inner in an_object(value, where).items() if inner is not None}


def a_list(value: object, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise Malformed(where, f"expected a list, got {_kind(value)}")
    return value


def a_text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise Malformed(where, f"expected text, got {_kind(value)}")
    return value


def a_whole_number(value: object, where: str, least: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise Malformed(where, f"expected a whole number from {least}, got {value!r}")
    return value


def a_seat(body: Mapping[str, Any], field: str, prefix: str, ruleset: Ruleset) -> Seat | None:
    if field not in body:
        return None
    seat = body[field]
    if a_whole_number(seat, f"{prefix}{field}", 1) > ruleset.seats:
        raise Malformed(f"{prefix}{field}", f"expected a seat from 1 to {ruleset.seats}, got {seat}")
    return int(seat)


def a_hand(value: object, where: str) -> Hand:
    try:
        return parse_hand(a_text(value, where))
    except NotationError as error:
        raise Malformed(where, str(error)) from None


def _kind(value: object) -> str:
    return "nothing" if value is None else type(value).__name__
