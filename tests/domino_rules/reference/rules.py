"""The table of presets and what a scenario may change in it."""

from dataclasses import dataclass
from typing import Any, TypeGuard


class Malformed(Exception):
    """The scenario cannot be run at all."""


@dataclass
class Rules:
    preset: str
    seats: int
    pairs: bool
    target: int
    drawing: bool
    four_ends: bool
    round_cap: int | None
    tie_at_cap: str
    boneyard_reserve: int
    stop_on_dead_end: bool
    forced_by_themselves: bool

    @property
    def sides(self) -> list[list[int]]:
        """The seats of each side."""
        return [[1, 3], [2, 4]] if self.pairs else [[seat] for seat in range(1, self.seats + 1)]

    @property
    def has_match_clock(self) -> bool:
        return self.preset in ("duel-draw", "all-fives")

    def side_of(self, seat: int) -> int:
        return next(side for side, seats in enumerate(self.sides) if seat in seats)


SEATS = {"draw": (2, 3, 4), "block": (2, 3, 4), "duel-draw": (2,), "all-fives": (2,), "party": (2, 3, 4)}
OPTIONS = {
    "preset",
    "seats",
    "pairs",
    "target",
    "drawing",
    "hand_size",
    "spinner",
    "round_cap",
    "tie_at_cap",
    "boneyard_reserve",
    "stop_on_dead_end",
}


def demand(condition: bool, sentence: str) -> None:
    if not condition:
        raise Malformed(sentence)


def whole_number(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def read_switch(data: dict[str, Any], name: str, unless_told: bool) -> bool:
    value = data.get(name, unless_told)
    demand(isinstance(value, bool), f"{name} is true or false")
    return bool(value)


def read_count(data: dict[str, Any], name: str, unless_told: int | None, least: int) -> Any:
    value = data.get(name, unless_told)
    demand(
        (value is None and unless_told is None) or (whole_number(value) and value >= least),
        f"{name} is a number from {least}",
    )
    return value


def read_rules(data: Any, hands: int, forced: Any) -> Rules:
    """The rules of a scenario with that many hands; `forced` is the scenario's field. Raises Malformed."""
    demand(isinstance(data, dict), "a ruleset is an object")
    preset = data.get("preset")
    demand(isinstance(preset, str) and preset in SEATS, "no such preset")
    demand(set(data) <= OPTIONS, "an unknown option")
    seats = data.get("seats", hands)
    demand(whole_number(seats) and seats in SEATS[preset], "the preset has no such number of seats")
    pairs = read_switch(data, "pairs", False)
    demand(seats == 4 or not pairs, "pairs need four seats")
    demand(data.get("tie_at_cap", "drawn") in ("drawn", "extra-rounds"), "tie_at_cap is drawn or extra-rounds")
    demand(forced in (None, "auto", "manual"), "forced is auto or manual")
    demand(read_count(data, "hand_size", 7, 1) * seats <= 28, "there are 28 tiles")
    has_clock = preset in ("duel-draw", "all-fives")
    return Rules(
        preset=preset,
        seats=seats,
        pairs=pairs,
        target=read_count(data, "target", 100, 1),
        drawing=read_switch(data, "drawing", preset in ("draw", "duel-draw", "all-fives")),
        four_ends=read_switch(data, "spinner", False),
        round_cap=read_count(({"round_cap": 20} if has_clock else {}) | data, "round_cap", None, 1),
        tie_at_cap=data.get("tie_at_cap", "drawn"),
        boneyard_reserve=read_count(data, "boneyard_reserve", 0, 0),
        stop_on_dead_end=read_switch(data, "stop_on_dead_end", False),
        forced_by_themselves=forced == "auto" or (forced is None and preset in ("draw", "block")),
    )
