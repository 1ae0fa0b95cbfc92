"""One `Ruleset` value holds every difference between the presets and their house variants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Literal, Self, TypeAlias

Seat: TypeAlias = int
"""1 to 4, in playing order."""

PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {
    "draw": {"drawing": True},
    "block": {},
    "duel-draw": {
        "drawing": True,
        "forced": "manual",
        "opening": "house",
        "after_win": "as-first",
        "blocked": "opponents",
        "round_cap": 20,
        "turn_ms": None,
        "clock_ms": 600_000,
    },
    "all-fives": {
        "drawing": True,
        "forced": "manual",
        "opening": "lot",
        "fives": True,
        "round_cap": 20,
        "turn_ms": None,
        "clock_ms": 600_000,
    },
    "party": {
        "forced": "manual",
        "after_tie": "next-seat",
        "blocked": "opponents",
        "turn_ms": 15_000,
        "pause_ms": 15_000,
        "out_of_time": "this-turn",
        "next_round": "host",
    },
}
"""What each preset changes against the defaults of `Ruleset`."""

SEATS: Final[Mapping[str, tuple[int, int]]] = {
    "draw": (2, 4),
    "block": (2, 4),
    "duel-draw": (2, 2),
    "all-fives": (2, 2),
    "party": (2, 4),
}
"""Fewest and most seats of each preset."""

CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "preset": tuple(PRESETS),
    "tie_at_cap": ("drawn", "extra-rounds"),
    "forced": ("auto", "manual"),
    "opening": ("highest-double", "house", "lot"),
    "after_win": ("winner", "as-first"),
    "after_tie": ("as-first", "next-seat"),
    "blocked": ("minus-own", "opponents"),
    "out_of_time": ("autopilot", "this-turn"),
    "next_round": ("all", "host"),
}

TURN_MS: Final = 20_000
SWITCHES: Final = ("pairs", "drawing", "spinner", "stop_on_dead_end", "fives")

YOUNGER: Final[Mapping[str, Any]] = {"out_of_time": "autopilot", "next_round": "all"}
"""Options that the first logs knew nothing of, with their defaults. They are written only where they differ from the
preset's own value, so that what folds out of an old log is still written as it was."""


class RulesetError(ValueError):
    """An option has a value that no ruleset can have; names the field, what was expected and what came."""

    def __init__(self, field: str, expected: str, got: object) -> None:
        super().__init__(f"{field}: expected {expected}, got {got!r}")
        self.field = field
        self.expected = expected
        self.got = got


@dataclass(frozen=True, slots=True)
class Ruleset:
    """Every option of a match. Make one with `Ruleset.of` or `from_json`, which raise `RulesetError` for an impossible
    value; so does the class itself, but for a wrong type, which the compiled one meets with a `TypeError`.
    """

    preset: str
    seats: int
    hand_size: int
    pairs: bool = False
    target: int = 100
    drawing: bool = False
    spinner: bool = False
    round_cap: int | None = None
    tie_at_cap: Literal["drawn", "extra-rounds"] = "drawn"
    boneyard_reserve: int = 0
    stop_on_dead_end: bool = False
    forced: Literal["auto", "manual"] = "auto"
    opening: Literal["highest-double", "house", "lot"] = "highest-double"
    after_win: Literal["winner", "as-first"] = "winner"
    after_tie: Literal["as-first", "next-seat"] = "as-first"
    blocked: Literal["minus-own", "opponents"] = "minus-own"
    fives: bool = False
    turn_ms: int | None = TURN_MS
    clock_ms: int | None = None
    pause_ms: int = 8_000
    out_of_time: Literal["autopilot", "this-turn"] = "autopilot"
    """When the turn timer has run out: the autopilot plays and stays on, or acts for this turn alone."""
    next_round: Literal["all", "host"] = "all"
    """Who ends the pause before its time: all people who sit there, or the host in seat 1 alone while there is one."""

    def __post_init__(self) -> None:
        check_options({field.name: getattr(self, field.name) for field in fields(self)})

    @classmethod
    def of(cls, /, preset: str, seats: int = 2, **options: Any) -> Self:
        """A preset with some options changed: `Ruleset.of("draw", seats=3, target=50)`. Raises `RulesetError`."""
        return cls.from_json({"preset": preset, "seats": seats, **options})

    @classmethod
    def from_json(cls, options: Mapping[str, Any]) -> Self:
        """The ruleset of a JSON object of options; options that are absent are the preset's. Raises `RulesetError`."""
        preset, seats = options.get("preset"), options.get("seats", 2)
        if not isinstance(preset, str) or preset not in PRESETS:
            raise RulesetError("preset", "one of " + ", ".join(PRESETS), preset)
        known = {field.name for field in fields(cls)}
        for name, value in options.items():
            if name not in known:
                raise RulesetError(name, "an option of the ruleset", value)
        _whole_number("seats", seats, *SEATS[preset])
        hand_size = 5 if preset == "draw" and seats > 2 else 7
        values: dict[str, Any] = {"hand_size": hand_size, **PRESETS[preset], **options, "seats": seats}
        check_options(values)  # before it is made, see the class
        return cls(**values)

    def to_json(self) -> dict[str, Any]:
        """The options by name; `from_json` gives the same ruleset back."""
        preset = PRESETS[self.preset]
        body: dict[str, Any] = {name: getattr(self, name) for name in _NAMES}
        for name, default in YOUNGER.items():
            if body[name] == preset.get(name, default):
                del body[name]
        return body

    @property
    def sides(self) -> tuple[tuple[Seat, ...], ...]:
        """The seats of each side, in the order of the scores: one seat each, or 1+3 and 2+4."""
        if self.pairs:
            return ((1, 3), (2, 4))
        return tuple([(seat,) for seat in range(1, self.seats + 1)])

    def side_of(self, seat: Seat) -> int:
        """The index of the seat's side in `sides` and in scores."""
        return (seat - 1) % 2 if self.pairs else seat - 1

    def next_seat(self, seat: Seat) -> Seat:
        """The seat whose turn follows."""
        return seat % self.seats + 1


_NAMES: Final = tuple([field.name for field in fields(Ruleset)])
"""Their names, in the order in which they are written."""


def check_options(options: Mapping[str, Any]) -> None:
    """Raises `RulesetError` for the first of these options that no ruleset can have; absent ones are the defaults."""
    for field, choices in CHOICES.items():
        if options.get(field, choices[0]) not in choices:
            raise RulesetError(field, "one of " + ", ".join(choices), options[field])
    for field in SWITCHES:
        if not isinstance(options.get(field, False), bool):
            raise RulesetError(field, "true or false", options[field])
    seats = options["seats"]
    _whole_number("seats", seats, *SEATS[options["preset"]])
    _whole_number("target", options.get("target", 1), 1, None)
    _whole_number("hand_size", options["hand_size"], 1, 28 // seats)
    _whole_number("boneyard_reserve", options.get("boneyard_reserve", 0), 0, 28)
    _whole_number("pause_ms", options.get("pause_ms", 0), 0, None)
    for field in ("round_cap", "turn_ms", "clock_ms"):
        if options.get(field) is not None:
            _whole_number(field, options[field], 1, None)
    if options.get("pairs") and seats != 4:
        raise RulesetError("pairs", f"false with {seats} seats (pairs need 4)", options["pairs"])
    turn_ms, clock_ms = options.get("turn_ms", TURN_MS), options.get("clock_ms")
    if clock_ms is not None and turn_ms is not None:
        raise RulesetError("clock_ms", f"none beside a turn timer (turn_ms {turn_ms})", clock_ms)


def _whole_number(field: str, value: object, least: int, most: int | None) -> None:
    whole = isinstance(value, int) and not isinstance(value, bool)
    if not whole or value < least or (most is not None and value > most):  # type: ignore[operator]
        up_to = "" if most is None else f" to {most}"
        expected = str(least) if least == most else f"a whole number from {least}{up_to}"
        raise RulesetError(field, expected, value)
