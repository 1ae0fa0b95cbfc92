"""The own hand: numbered tiles, those that may be played bright; in all fives what each play would count."""

import textwrap
from collections.abc import Sequence

from rich.text import Text

from capicua.terminal.picture import COLUMNS
from capicua.terminal.tiles import FRAME, Size, side_by_side
from capicua.terminal.view_layout import total_after
from capicua.view import TableView

PER_ROW = 11
GAP = "  "
NO_BREAK = "\u00a0"
PLAYABLE = "bold bright_white"


def hand_rows(view: TableView, size: Size) -> list[Text]:
    """Numbered from 1."""
    rows: list[Text] = []
    playable = {action.partition("@")[0] for action in view.legal}
    numbered = list(enumerate(view.hand or (), 1))
    for first in range(0, len(numbered), PER_ROW):
        tiles = [(n, tile, PLAYABLE if tile in playable else FRAME) for n, tile in numbered[first : first + PER_ROW]]
        rows += side_by_side([size.flat(int(tile[0]), int(tile[2]), style) for _, tile, style in tiles], GAP)
        rows.append(Text(GAP).join(Text(f"{n:^5}", style) for n, _, style in tiles))
    return rows


def totals_lines(view: TableView) -> list[Text]:
    """What the ends would count after each play that is legal now, as one types it; nothing but in all fives."""
    plays = [action for action in view.legal if "-" in action]
    if not view.my_turn or not view.ruleset.get("fives") or not plays:
        return []
    hand = view.hand or ()
    ordered = sorted(plays, key=lambda action: hand.index(action.partition("@")[0]))
    words = [f"{_key(action, plays, hand)} → {_counts(action, view)}" for action in ordered]
    # A space that does not break keeps each play's words together.
    unbroken = " · ".join(word.replace(" ", NO_BREAK) for word in words)
    lines = textwrap.wrap(f"Ends after{NO_BREAK}{unbroken}", COLUMNS)
    return [Text(line.replace(NO_BREAK, " ")) for line in lines]


def _key(action: str, plays: list[str], hand: Sequence[str]) -> str:
    """The tile's number, and the end's letter where the tile may go to more than one."""
    tile, _, end = action.partition("@")
    letter = end[0] if sum(play.startswith(tile) for play in plays) > 1 else ""
    return f"{hand.index(tile) + 1}{letter}"


def _counts(action: str, view: TableView) -> str:
    total = total_after(action, view)
    return f"{total} scores" if total and total % 5 == 0 else str(total)
