"""What one queues for, as options of a command."""

from enum import StrEnum
from typing import Annotated, Any

import typer

from contracts.region import Pool
from domino_rules import Ruleset, RulesetError
from domino_rules.public_play import PUBLIC_CHOICES, SWITCHES, TIMES, public_ruleset, wished_options


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
Rated = Annotated[bool, typer.Option("--rated", help="The match counts; people of about equal strength meet.")]
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
    wish = _wish(preset, seats, target, (pairs, spinner, drawing), turn_seconds, clock_minutes)
    for name in filter(wish.get, SWITCHES):
        if name not in PUBLIC_CHOICES[preset.value]:
            raise typer.BadParameter(f"{preset.value}: expected no choice, the preset decides", param_hint=f"--{name}")
    for name in TIMES:
        if name in wish:
            _check_time(preset, name, wish[name])
    try:
        public_ruleset(wished_options(wish))
    except RulesetError as error:
        raise typer.BadParameter(f"{preset.value}: {error}", param_hint=f"--{error.field}") from None
    return Pool.model_validate(wish)


def private_ruleset(
    preset: Preset,
    seats: int | None,
    target: int,
    pairs: bool,
    spinner: bool,
    drawing: bool,
    turn_seconds: int | None = None,
    clock_minutes: int | None = None,
) -> dict[str, Any]:
    """The ruleset's options for a private room, where whatever makes a ruleset can be played. Raises BadParameter."""
    wish = _wish(preset, seats, target, (pairs, spinner, drawing), turn_seconds, clock_minutes)
    for name, (_, _, public) in TIMES.items():
        if name in wish and preset.value not in public:
            _check_time(preset, name, wish[name])
    options = wished_options(wish)
    try:
        Ruleset.from_json(options)
    except RulesetError as error:
        raise typer.BadParameter(f"{preset.value}: {error}", param_hint=f"--{error.field}") from None
    return options


def _wish(
    preset: Preset,
    seats: int | None,
    target: int,
    switches: tuple[bool, ...],
    turn_seconds: int | None,
    clock_minutes: int | None,
) -> dict[str, Any]:
    """What was said, and the number of seats where it was not."""
    seats = seats or (4 if switches[0] else 2)
    chosen = {name: True for name, on in zip(SWITCHES, switches, strict=True) if on}
    times = {"turn_seconds": turn_seconds, "clock_minutes": clock_minutes}
    said = {name: value for name, value in times.items() if value is not None}
    return {"preset": preset.value, "seats": seats, "target": target, **chosen, **said}


def _check_time(preset: Preset, name: str, value: int) -> None:
    """Raises BadParameter in the option's own unit."""
    _, unit_ms, public = TIMES[name]
    allowed = [ms // unit_ms for ms in public.get(preset.value, ())]
    if value not in allowed:
        expected = f"expected {' or '.join(map(str, allowed))}" if allowed else "expected none, it has no such time"
        hint = f"--{name.replace('_', '-')}"
        raise typer.BadParameter(f"{preset.value}: {expected}, got {value}", param_hint=hint)
