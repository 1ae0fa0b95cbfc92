"""What public play takes: each preset's own targets and times, and the options that its row leaves open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from domino_rules.ruleset import Ruleset, RulesetError

MINUTE_MS: Final = 60_000

PUBLIC_TARGETS: Final[Mapping[str, tuple[int, ...]]] = {
    "draw": (50, 100, 150),
    "block": (50, 100, 150),
    "duel-draw": (100, 250, 500),
    "all-fives": (100, 250, 500),
    "party": (100, 150, 200),
}

PUBLIC_TURN_MS: Final[Mapping[str, tuple[int, ...]]] = {
    "draw": (20_000,),
    "block": (20_000,),
    "party": (15_000, 30_000, 60_000),
}
"""A preset without an entry has no turn timer."""

PUBLIC_CLOCK_MS: Final[Mapping[str, tuple[int, ...]]] = {
    "duel-draw": tuple(minutes * MINUTE_MS for minutes in (3, 5, 10, 15, 20)),
    "all-fives": tuple(minutes * MINUTE_MS for minutes in (3, 5, 10, 15, 20)),
}
"""A preset without an entry has no match clock."""

PUBLIC_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "draw": (),
    "block": (),
    "duel-draw": (),
    "all-fives": ("spinner",),
    "party": ("pairs", "drawing"),
}
"""The options that people choose; all others are the preset's own."""

SWITCHES: Final = ("pairs", "spinner", "drawing")
"""What people switch on where the preset leaves it open."""

TIMES: Final[Mapping[str, tuple[str, int, Mapping[str, tuple[int, ...]]]]] = {
    "turn_seconds": ("turn_ms", 1_000, PUBLIC_TURN_MS),
    "clock_minutes": ("clock_ms", MINUTE_MS, PUBLIC_CLOCK_MS),
}
"""Times as people say them: the ruleset's option, its milliseconds of one unit, and what public play takes."""


def wished_options(wish: Mapping[str, Any]) -> dict[str, Any]:
    """The ruleset's options of what somebody wishes: `preset`, `seats` and `target`, and maybe `SWITCHES` that are on
    and `TIMES` that are said."""
    options = {name: wish[name] for name in ("preset", "seats", "target")}
    options |= {name: True for name in SWITCHES if wish.get(name)}
    return options | {TIMES[name][0]: wish[name] * TIMES[name][1] for name in TIMES if wish.get(name) is not None}


def wish_in_words(wish: Mapping[str, Any]) -> str:
    """`party with 4 seats to 100, pairs, 30 s a turn`, of such a wish."""
    words = [f"{wish['preset']} with {wish['seats']} seats to {wish['target']}"]
    words += [name for name in SWITCHES if wish.get(name)]
    words += [f"{wish['turn_seconds']} s a turn"] if wish.get("turn_seconds") is not None else []
    words += [f"{wish['clock_minutes']} min a seat"] if wish.get("clock_minutes") is not None else []
    return ", ".join(words)


def public_ruleset(options: Mapping[str, Any]) -> Ruleset:
    """The ruleset of a JSON object of options, if public play takes it. Raises `RulesetError`."""
    ruleset = Ruleset.from_json(options)
    check_public(ruleset)
    return ruleset


def check_public(ruleset: Ruleset) -> None:
    """Raises `RulesetError` with the first field that public play does not take."""
    preset = ruleset.preset
    own = Ruleset.of(preset, ruleset.seats)
    rows = {"target": PUBLIC_TARGETS, "turn_ms": PUBLIC_TURN_MS, "clock_ms": PUBLIC_CLOCK_MS}
    for field in fields(Ruleset):
        name, value = field.name, getattr(ruleset, field.name)
        allowed = rows[name].get(preset, (None,)) if name in rows else (getattr(own, name),)
        if name not in PUBLIC_CHOICES[preset] and value not in allowed:
            raise RulesetError(name, _one_of(allowed) + " in public play", value)


def _one_of(allowed: tuple[Any, ...]) -> str:
    texts = ["none" if value is None else str(value).lower() for value in allowed]
    return texts[0] if len(texts) == 1 else "one of " + ", ".join(texts)
