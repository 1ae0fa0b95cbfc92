"""One view as a screen of text: the table above, the own hand below."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from capicua.terminal import view_layout
from capicua.terminal.chain import chain
from capicua.terminal.hand import hand_rows, totals_lines
from capicua.terminal.narration import count_of_tiles, name, padded_name
from capicua.terminal.picture import COLUMNS, picture
from capicua.terminal.seats import seat_line
from capicua.terminal.tiles import LARGE, SMALL, Size
from capicua.view import RoundResult, TableView

NEWS_SHOWN = 6
LINES = 40


@dataclass(frozen=True, slots=True)
class _Look:
    """How much room a screen takes: the size of the drawn layout (none: as text) and of the hand, blank lines between
    its parts or not, and the sentences of news that are worth more than a richer look."""

    layout: Size | None
    hand: Size
    airy: bool
    news: int


LOOKS = (
    _Look(LARGE, LARGE, airy=True, news=3),
    _Look(LARGE, LARGE, airy=False, news=2),
    _Look(SMALL, LARGE, airy=True, news=3),
    _Look(SMALL, LARGE, airy=False, news=2),
    _Look(SMALL, SMALL, airy=False, news=1),
    _Look(None, SMALL, airy=False, news=1),
)
"""The richest first."""


def screen(view: TableView, news: Sequence[str] = (), lines: int = LINES) -> list[Text]:
    """At most 80 columns and `lines` lines, in the richest look for which there is room.

    `news`: sentences about what happened last, the newest at the end, each short enough for a line.
    """
    for look in LOOKS:
        above, below = _above(view, look), _below(view, look)
        free = lines - len(above) - len(below)
        if free >= min(len(news), look.news):
            break
    shown = news[max(0, len(news) - max(0, min(NEWS_SHOWN, free))) :]
    return [*above, *(Text(f"  {line}", "dim") for line in shown), *below]


def heading(view: TableView) -> Text:
    """The rules that are played by, and the table's id where there is room for it."""
    rules = view.ruleset
    options = [
        str(rules.get("preset", "?")),
        f"{len(view.seats)} seats" + (" in pairs" if rules.get("pairs") else ""),
        *(["four ends"] if rules.get("spinner") else []),
        f"to {rules.get('target', '?')}",
        f"round {view.round}",
    ]
    title = Text.assemble(("Capicua ", "bold"), " · ".join(options))
    table = Text(f" · table {view.table_id}", "dim")
    return title + table if len(title) + len(table) <= COLUMNS else title


def layout_lines(view: TableView, size: Size | None) -> list[Text]:
    """The layout drawn in that size, or as text."""
    if not view.layout:
        return [Text("No tile lies yet.", "dim")]
    if size is None:
        return [Text(line, "bold") for line in textwrap.wrap(view_layout.text(view), COLUMNS)]
    return picture(chain(view.layout, view.ends), size)


def ends_line(view: TableView) -> Text:
    """The number of each end, in all fives what they count together, and the boneyard."""
    ends = "  ".join(f"{end} {number}" for end, number in view.ends.items())
    total = f"  total {view_layout.total(view)}" if view.ruleset.get("fives") and view.layout else ""
    boneyard = f"   boneyard: {count_of_tiles(view.boneyard)}"
    return Text.assemble(("Ends: ", "dim"), (ends or "none", "bold"), (total, "bold cyan"), (boneyard, "dim"))


def round_result(result: RoundResult, view: TableView) -> list[Text]:
    """Every hand as it stood at the round's end."""
    rows = [Text(f"Round {result.round} is over ({result.reason}).", "bold")]
    for seat, hand in enumerate(result.hands, 1):
        pips = result.pips[seat - 1] if len(result.pips) >= seat else 0
        won = " wins" if seat == result.winner else ""
        held = f"{pips:>3} {'pip ' if pips == 1 else 'pips'}"
        rows.append(Text(f"  {padded_name(seat, view)} {held}{won:<6} {' '.join(hand) or 'no tiles left'}"))
    return [*rows, _scores_line(result.scores, view)]


def end_result(view: TableView) -> list[Text]:
    """Of the round that has ended, or of a match that ends in the middle of one: then the scores alone."""
    if view.ended_round is not None:
        return round_result(view.ended_round, view)
    return [] if view.result is None else [_scores_line(view.result.scores, view)]


def _above(view: TableView, look: _Look) -> list[Text]:
    blank = [Text()] if look.airy else []
    seats = [seat_line(seat, view) for seat in view.seats]
    return [heading(view), *blank, *seats, *blank, *layout_lines(view, look.layout), ends_line(view), *blank]


def _below(view: TableView, look: _Look) -> list[Text]:
    blank = [Text()] if look.airy else []
    below: list[Text] = []
    if view.ended_round is not None:
        below += [*blank, *round_result(view.ended_round, view)]
    if view.hand is not None and view.status in ("playing", "waiting"):
        below += [*blank, *totals_lines(view), *hand_rows(view, look.hand)]
    return below


def _scores_line(scores: Sequence[int], view: TableView) -> Text:
    of_sides = zip(view.rules.sides, scores, strict=True)
    return Text("  Scores: " + ", ".join(f"{_side(side, view)} {points}" for side, points in of_sides))


def _side(side: Sequence[int], view: TableView) -> str:
    return " and ".join(name(seat, view) for seat in side)
