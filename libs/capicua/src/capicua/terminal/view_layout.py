"""A view's layout as the rules know it: its text, and what its ends count."""

from capicua.view import TableView
from domino_rules import PlayTile
from domino_rules.layout import EMPTY, Layout, ends_after, ends_total, with_play
from domino_rules.layout_text import layout_text
from domino_rules.notation import parse_end, parse_play, parse_tile


def text(view: TableView) -> str:
    """One line: `6|3 3|3 3|1`, the spinner with its arms in brackets: `6|5 5|5[5|4 4|4/5|2] 5|0`."""
    return layout_text(_layout(view), four_ends=_four_ends(view))


def total(view: TableView) -> int:
    """The pips on the open ends as they lie; 0 when nothing does."""
    if not view.layout:
        return 0
    *before, last = _plays(view)
    layout = _laid(before, view)
    return ends_total(layout, last, ends_after(layout, last, four_ends=_four_ends(view)))


def total_after(action: str, view: TableView) -> int:
    """The pips on the open ends once a legal play such as `6-3@left` lies there."""
    tile, end = parse_play(action)
    layout, play = _layout(view), PlayTile(view.you or 0, tile, end or "start")
    return ends_total(layout, play, ends_after(layout, play, four_ends=_four_ends(view)))


def _layout(view: TableView) -> Layout:
    return _laid(_plays(view), view)


def _plays(view: TableView) -> list[PlayTile]:
    return [PlayTile(placed.seat, parse_tile(placed.tile), parse_end(placed.end)) for placed in view.layout]


def _laid(plays: list[PlayTile], view: TableView) -> Layout:
    layout = EMPTY
    for play in plays:
        layout = with_play(layout, play, four_ends=_four_ends(view))
    return layout


def _four_ends(view: TableView) -> bool:
    return bool(view.ruleset.get("spinner"))
