"""One view as a screen of text: the table above, the own hand below."""

import textwrap
from collections.abc import Sequence

from rich.console import Group
from rich.text import Text

from capicua.terminal.chain import as_text, chain
from capicua.terminal.narration import count_of_tiles, name, numbers
from capicua.terminal.tiles import COLUMNS, FLAT_HEIGHT, FRAME, flat, layout_rows, side_by_side
from capicua.view import RoundResult, SeatView, TableView

NEWS_SHOWN = 6
NEWS_KEPT = 3
"""So many sentences are worth more than the drawn tiles where both do not fit."""
LINES = 40
HAND_PER_ROW = 11
PLAYABLE = "bold bright_white"


def screen(view: TableView, news: Sequence[str] = (), lines: int = LINES) -> Group:
    """At most 80 columns and `lines` lines: without room for all, the older news go, then the tiles are text.

    `news`: sentences about what happened last, the newest at the end, each short enough for a line.
    """
    above = [heading(view), Text(), *(seat_line(seat, view) for seat in view.seats), Text()]
    below: list[Text] = []
    if view.last_round is not None and view.status != "playing":
        below += round_result(view.last_round, view)
    if view.hand is not None and view.status in ("playing", "waiting"):
        below += [Text(), *hand_rows(view)]
    free = lines - len(above) - len(below) - 2
    layout = layout_lines(view, free - min(len(news), NEWS_KEPT))
    news_shown = max(0, min(NEWS_SHOWN, free - len(layout)))
    latest = [Text(f"  {line}", "dim") for line in news[max(0, len(news) - news_shown) :]]
    return Group(*above, *layout, ends_line(view), Text(), *latest, *below)


def layout_lines(view: TableView, lines: int) -> list[Text]:
    """The layout drawn, or as text where drawing takes more than `lines` lines."""
    if not view.layout:
        return [Text("No tile lies yet.", "dim")]
    drawn = layout_rows(chain(view.layout))
    if len(drawn) <= lines:
        return drawn
    return [Text(line, "bold") for line in textwrap.wrap(as_text(view.layout), COLUMNS)]


def heading(view: TableView) -> Text:
    rules = view.ruleset
    what = f"{rules.get('preset', '?')} · {len(view.seats)} seats · to {rules.get('target', '?')}"
    return Text.assemble(("Capicua ", "bold"), f"{what} · round {view.round} ", (f"· table {view.table_id}", "dim"))


def seat_line(seat: SeatView, view: TableView) -> Text:
    """Who, how many tiles, the score, the marks, and the numbers that were open at each pass."""
    to_move = view.to_move == seat.seat
    score = view.scores[seat.seat - 1] if len(view.scores) >= seat.seat else 0
    marks = [mark for mark, on in (("autopilot", seat.autopilot), ("left", seat.left)) if on]
    marks += ["not seated yet"] if view.status == "waiting" and not seat.seated else []
    marks += ["ready"] if view.status == "pausing" and seat.ready else []
    passes = [numbers(passed.ends) for passed in view.passes if passed.seat == seat.seat]
    return Text.assemble(
        ("▶ " if to_move else "  ", "bold yellow"),
        (f"{name(seat.seat, view):<8}", "bold" if seat.seat == view.you else ""),
        f"{seat.tiles:>3} {'tile ' if seat.tiles == 1 else 'tiles'} {score:>5} points",
        (f"  {', '.join(marks)}" if marks else "", "yellow"),
        (f"  passed on {', '.join(passes)}" if passes else "", "dim"),
        no_wrap=True,
        overflow="ellipsis",
    )


def ends_line(view: TableView) -> Text:
    ends = "  ".join(f"{end} {number}" for end, number in view.ends.items())
    boneyard = f"   boneyard: {count_of_tiles(view.boneyard)}"
    return Text.assemble(("Ends: ", "dim"), (ends or "none", "bold"), (boneyard, "dim"))


def hand_rows(view: TableView) -> list[Text]:
    """The own tiles, numbered from 1; those that may be played now are bright."""
    rows: list[Text] = []
    hand = view.hand or ()
    playable = {action.partition("@")[0] for action in view.legal}
    for first in range(0, len(hand), HAND_PER_ROW):
        tiles = list(enumerate(hand, 1))[first : first + HAND_PER_ROW]
        styles = [PLAYABLE if tile in playable else FRAME for _, tile in tiles]
        boxes = [flat(int(tile[0]), int(tile[2]), style) for (_, tile), style in zip(tiles, styles, strict=True)]
        rows += side_by_side(boxes, FLAT_HEIGHT, gap="  ")
        rows.append(Text("  ").join(Text(f"{n:^5}", style) for (n, _), style in zip(tiles, styles, strict=True)))
    return rows


def round_result(result: RoundResult, view: TableView) -> list[Text]:
    """Every hand as it stood at the round's end."""
    rows = [Text(), Text(f"Round {view.round} is over ({result.reason}).", "bold")]
    for seat, hand in enumerate(result.hands, 1):
        pips = result.pips[seat - 1] if len(result.pips) >= seat else 0
        won = " wins" if seat == result.winner else ""
        rows.append(Text(f"  {name(seat, view):<8} {pips:>3} pips{won:<6} {' '.join(hand) or 'no tiles left'}"))
    rows.append(Text("  Scores: " + ", ".join(f"{name(n, view)} {score}" for n, score in enumerate(result.scores, 1))))
    return rows
