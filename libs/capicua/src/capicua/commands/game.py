"""What one queues for, as options of a command."""

from enum import StrEnum
from typing import Annotated

import typer

from contracts.region import Pool
from domino_rules import RulesetError
from domino_rules.public_play import PUBLIC_CHOICES, SWITCHES, TIMES, public_ruleset, wish_in_words, wished_options


class Preset(StrEnum):
    DRAW = "draw"
    BLOCK = "block"
    DUEL_DRAW = "duel-draw"
    ALL_FIVES = "all-fives"
    PARTY = "party"


PRESET_HELP = (
    "draw: take from the boneyard; block: pass; duel-draw: two with clocks; all-fives: the ends score; "
    "party: block, if you like in pairs or with drawing."
)
TARGET_HELP = "Points that win the match: 100, or else another of the preset's own."
PresetOption = Annotated[Preset, typer.Option(help=PRESET_HELP)]
Seats = Annotated[
    int | None, typer.Option(min=2, max=4, help="How many play; else 2, and 4 in pairs.", show_default=False)
]
Target = Annotated[int, typer.Option(min=1, help=TARGET_HELP)]
Pairs = Annotated[bool, typer.Option("--pairs", help="party: seats 1 and 3 against 2 and 4.")]
Spinner = Annotated[bool, typer.Option("--spinner", help="all-fives: four ends at the first double.")]
Drawing = Annotated[bool, typer.Option("--drawing", help="party: take from the boneyard.")]
TurnSeconds = Annotated[
    int | None, typer.Option(min=1, help="party: 15, 30 or 60 seconds a turn; else 15.", show_default=False)
]
ClockMinutes = Annotated[
    int | None,
    typer.Option(min=1, help="duel-draw, all-fives: 3, 5, 10, 15 or 20 minutes a seat; else 10.", show_default=False),
]


def pool_of(
    preset: Preset,
    seats: int | None,
    target: int,
    pairs: bool,
    spinner: bool,
    drawing: bool,
    turn_seconds: int | None = None,
    clock_minutes: int | None = None,
) -> Pool:
    """The public pool of these options. Raises typer's BadParameter for what public play does not take."""
    pool = {"preset": preset.value, "seats": seats or (4 if pairs else 2), "target": target}
    chosen = {name: True for name, on in zip(SWITCHES, (pairs, spinner, drawing), strict=True) if on}
    for name in chosen:
        if name not in PUBLIC_CHOICES[preset.value]:
            raise typer.BadParameter(f"{preset.value}: expected no choice, the preset decides", param_hint=f"--{name}")
    said = {"turn_seconds": turn_seconds, "clock_minutes": clock_minutes}
    times = {name: value for name, value in said.items() if value is not None}
    for name, value in times.items():
        _check_time(preset, name, value)
    wish = pool | chosen | times
    try:
        public_ruleset(wished_options(wish))
    except RulesetError as error:
        raise typer.BadParameter(f"{preset.value}: {error}", param_hint=f"--{error.field}") from None
    return Pool.model_validate(wish)


def _check_time(preset: Preset, name: str, value: int) -> None:
    """Raises BadParameter in the option's own unit."""
    _, unit_ms, public = TIMES[name]
    allowed = [ms // unit_ms for ms in public.get(preset.value, ())]
    if value not in allowed:
        expected = f"expected {' or '.join(map(str, allowed))}" if allowed else "expected none, it has no such time"
        hint = f"--{name.replace('_', '-')}"
        raise typer.BadParameter(f"{preset.value}: {expected}, got {value}", param_hint=hint)


def in_words(pool: Pool) -> str:
    """`party with 4 seats to 100, pairs, 30 s a turn`."""
    return wish_in_words(pool.model_dump())
