"""A private room as text: the way in, who sits where, what is played, what was said."""

import textwrap
from collections.abc import Sequence
from typing import Any

from rich.text import Text

from capicua.terminal.names import padded, shortened
from capicua.terminal.page import Page
from capicua.terminal.picture import COLUMNS
from capicua.terminal.qr import qr_lines
from capicua.terminal.words import heard_words
from contracts.room_api import PrivateRoom, SeatInRoom, Talk
from domino_rules import Ruleset, RulesetError

NAME_CELLS = 24
TIME_WORDS = {
    "turn_ms": ("turn timer", 1_000, "{} s a turn"),
    "clock_ms": ("match clock", 60_000, "{} min a seat"),
    "pause_ms": ("pauses", 1_000, "pauses of {} s"),
}
"""What such an option is, the milliseconds of its unit, how a value is said."""


def room_lines(view: PrivateRoom, account: str | None, who_cells: int = NAME_CELLS + 8) -> list[Text]:
    """The seats, and the people beside them. `account` is the reader's; a screen has none."""
    names = names_in(view)
    away = {person.account for person in view.people if person.away}
    seated = {seat.account for seat in view.seats}
    lines = [Text(f"Played: {ruleset_words(view.ruleset)}")]
    lines += [_seat_line(seat, view, names, away, account, who_cells) for seat in view.seats]
    beside = [person.account for person in view.people if person.account not in seated]
    if beside:
        words = ", ".join(_person(one, view, names, away, account) for one in beside)
        lines.append(Text(f"  without a seat: {words}"))
    if view.owner != view.host:
        lines.append(Text(f"  {name_in(view, view.host)} is the host while {name_in(view, view.owner)} is away"))
    if view.screens:
        lines.append(Text(f"  {'a screen shows' if view.screens == 1 else f'{view.screens} screens show'} the table"))
    return lines


def ruleset_words(options: dict[str, Any]) -> str:
    """`party with 4 seats to 150, pairs, 30 s a turn`: what is chosen, and what is not the preset's own."""
    try:
        ruleset = Ruleset.from_json(options)
    except RulesetError:  # of a newer server
        return ", ".join(f"{name} {value}" for name, value in options.items())
    own = Ruleset.of(ruleset.preset, ruleset.seats).to_json() | {"target": ruleset.target}
    other = {name: value for name, value in ruleset.to_json().items() if value != own.get(name)}
    words = [f"{ruleset.preset} with {ruleset.seats} seats to {ruleset.target}"]
    return ", ".join([*words, *(_option(name, value) for name, value in other.items())])


def way_in_lines(link: str, play: str) -> list[Text]:
    """`play` is the command that enters the room."""
    return [Text.assemble("Come in by  ", (link, "green")), Text.assemble("        or  ", (play, "green"))]


def way_in_page(link: str, play: str, page: Page, other_lines: int) -> list[Text]:
    """With the picture of the link where the page has room for it beside that many other lines."""
    words = way_in_lines(link, play)
    if not page.is_screen:
        return words
    picture = qr_lines(link, color=page.has_colors)
    return [*words, *picture] if page.lines >= len(picture) + other_lines else words


def state_words(view: PrivateRoom) -> str:
    """What the room does."""
    if view.closed:
        return "The room is closed."
    if view.running:
        return "A match is being played."
    if view.starting:
        return "The house bots are on their way …"
    if view.bots_missing:
        return "Too few house bots are free just now; the host may start again."
    if view.not_opened:
        return "The table could not be opened; the host may start again."
    free = sum(seat.account is None and seat.strength is None for seat in view.seats)
    if free:
        return f"{free} {'seat is' if free == 1 else 'seats are'} free: people enter, or the host puts bots there."
    return "Nobody is missing: the host may start."


def talk_lines(said: Sequence[Talk]) -> list[Text]:
    """Indented, long ones in several lines."""
    return [
        Text(part, "dim")
        for talk in said
        for part in textwrap.wrap(heard_words(talk), COLUMNS, initial_indent="  ", subsequent_indent="    ")
    ]


def names_in(view: PrivateRoom) -> dict[str, str]:
    """By account."""
    return {person.account: person.name for person in view.people}


def name_in(view: PrivateRoom, account: str) -> str:
    return shortened(names_in(view).get(account, account), NAME_CELLS)


def _seat_line(
    seat: SeatInRoom, view: PrivateRoom, names: dict[str, str], away: set[str], account: str | None, who_cells: int
) -> Text:
    if seat.account is not None:
        who, style = _person(seat.account, view, names, away, account), ""
    elif seat.strength is not None:
        who, style = f"house bot, {seat.strength}", "cyan"
    else:
        who, style = "free", "dim"
    ruleset = view.ruleset
    side = f"  {'first' if seat.seat % 2 else 'second'} pair" if ruleset.get("pairs") else ""
    return Text.assemble((f"  {seat.seat}  ", "bold"), (padded(who, who_cells), style), (side, "dim"))


def _person(one: str, view: PrivateRoom, names: dict[str, str], away: set[str], account: str | None) -> str:
    marks = {"you": one == account, "host": one == view.host, "away": one in away}
    said = [mark for mark, on in marks.items() if on]
    return shortened(names.get(one, one), NAME_CELLS) + (f" ({', '.join(said)})" if said else "")


def _option(name: str, value: object) -> str:
    """An option that is not the preset's own; times in the units in which people say them."""
    words, unit_ms, said = TIME_WORDS.get(name, (name.replace("_", " "), 1, "{}"))
    if value in (False, None):
        return f"no {words}"
    if name in TIME_WORDS and isinstance(value, int):
        return said.format(value // unit_ms)
    return words if value is True else f"{words} {value}"
