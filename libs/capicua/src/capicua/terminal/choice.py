"""What a person typed, as an action."""

import re

from capicua.view import TableView

HELP = """\
Type a tile's number to play it; with l or r for the end where it fits both: 3l.
Draws and passes happen by themselves. ? shows this.
Who runs out of time is played by the autopilot; Enter takes the seat back.
q leaves the table; the autopilot plays on until 'capicua play' returns to it."""

TYPED = re.compile("([1-9][0-9]?) *(l|r|u|d|left|right|up|down|)")
ENDS = {name[:length]: name for name in ("left", "right", "up", "down") for length in (1, len(name))} | {"": ""}


class NotUnderstood(ValueError):
    """A line that is no choice; says what was expected."""


def choose(line: str, view: TableView) -> str:
    """The legal action of a line such as `3`, `3l`, `3 right` or `6-3@left`. Raises `NotUnderstood`."""
    text = line.strip().lower()
    if text in view.legal:
        return text
    hand = view.hand or ()
    found = TYPED.fullmatch(text)
    if found is None or int(found[1]) > len(hand):
        raise NotUnderstood(f"expected a tile's number from 1 to {len(hand)}, maybe with l or r, got {line.strip()!r}")
    return _with_end(hand[int(found[1]) - 1], ENDS[found[2]], view)


def _with_end(tile: str, end: str, view: TableView) -> str:
    fitting = [action for action in view.legal if action.partition("@")[0] == tile]
    if not fitting:
        raise NotUnderstood(f"{tile} does not fit; you may play {', '.join(_tiles(view))}")
    if end and view.layout:
        fitting = [action for action in fitting if action.endswith(f"@{end}")]
        if not fitting:
            raise NotUnderstood(f"{tile} does not fit on the {end}")
    numbers = {view.ends.get(action.partition("@")[2]) for action in fitting}
    if len(numbers) > 1:
        raise NotUnderstood(f"{tile} fits both ends: add l (left) or r (right)")
    return fitting[0]


def _tiles(view: TableView) -> list[str]:
    return list(dict.fromkeys(action.partition("@")[0] for action in view.legal))
