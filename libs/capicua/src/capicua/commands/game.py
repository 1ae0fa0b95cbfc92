"""What one queues for, as options of a command."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any

import typer

from capicua.commands.options import FLAG
from contracts.region import Pool
from domino_rules import Ruleset, RulesetError
from domino_rules.public_play import PUBLIC_CHOICES, PUBLIC_TARGETS, SWITCHES, TIMES, public_ruleset, wished_options
from domino_rules.ruleset import SEATS


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
GAME = "What is played"
PresetOption = Annotated[Preset, typer.Option(metavar="PRESET", help=PRESET_HELP, rich_help_panel=GAME)]
Seats = Annotated[
    int | None,
    typer.Option(metavar="N", help="How many play: 2, or 4 in pairs.", show_default=False, rich_help_panel=GAME),
]
Target = Annotated[int, typer.Option(metavar="POINTS", help="What wins the match.", rich_help_panel=GAME)]
Pairs = Annotated[
    bool, typer.Option("--pairs", metavar=FLAG, help="Seats 1 and 3 play against 2 and 4.", rich_help_panel=GAME)
]
Spinner = Annotated[
    bool, typer.Option("--spinner", metavar=FLAG, help="Four ends, at the first double.", rich_help_panel=GAME)
]
Drawing = Annotated[bool, typer.Option("--drawing", metavar=FLAG, help="Take from the boneyard.", rich_help_panel=GAME)]
Rated = Annotated[
    bool,
    typer.Option(
        "--rated",
        metavar=FLAG,
        help="The match counts; people of about equal strength meet.",
        rich_help_panel=GAME,
    ),
]
TurnSeconds = Annotated[
    int | None,
    typer.Option(metavar="N", help="For each turn; else 15.", show_default=False, rich_help_panel=GAME),
]
ClockMinutes = Annotated[
    int | None,
    typer.Option(
        metavar="N", help="For each seat, for the whole match; else 10.", show_default=False, rich_help_panel=GAME
    ),
]


def presets_help() -> str:
    """What each preset takes in public play, for the end of a help page."""
    head = _row("preset", "seats", "--target", "and")
    return "\n".join(["Public play takes:", head, *(_preset_row(preset.value) for preset in Preset)])


def _preset_row(preset: str) -> str:
    fewest, most = SEATS[preset]
    times = {name: [ms // unit_ms for ms in public.get(preset, ())] for name, (_, unit_ms, public) in TIMES.items()}
    choices = [f"--{name}" for name in PUBLIC_CHOICES[preset]]
    choices += [f"{option_of(name)} {_either(allowed)}" for name, allowed in times.items() if len(allowed) > 1]
    seats = str(fewest) if fewest == most else f"{fewest} to {most}"
    return _row(preset, seats, _either(PUBLIC_TARGETS[preset]), " ".join(choices))


def _row(preset: str, seats: str, targets: str, choices: str) -> str:
    return f"{preset:<11}{seats:<8}{targets:<13}{choices}".rstrip()


def _either(numbers: Sequence[int]) -> str:
    return "|".join(map(str, numbers))


def option_of(name: str) -> str:
    """As it is typed."""
    return f"--{name.replace('_', '-')}"


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
        raise _not_taken(preset, error) from None
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
        raise _not_taken(preset, error) from None
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


def _not_taken(preset: Preset, error: RulesetError) -> typer.BadParameter:
    words = f"{preset.value}: expected {error.expected}, got {str(error.got).lower()}"
    return typer.BadParameter(words, param_hint=f"--{error.field}")


def _check_time(preset: Preset, name: str, value: int) -> None:
    """Raises BadParameter in the option's own unit."""
    _, unit_ms, public = TIMES[name]
    allowed = [ms // unit_ms for ms in public.get(preset.value, ())]
    if value not in allowed:
        expected = f"expected {' or '.join(map(str, allowed))}" if allowed else "expected none, it has no such time"
        raise typer.BadParameter(f"{preset.value}: {expected}, got {value}", param_hint=option_of(name))
