"""What a person typed, as an action."""

import re

from capicua.view import TableView

TYPED = re.compile("([1-9][0-9]?) *(l|r|u|d|left|right|up|down|)")
ENDS = {name[:length]: name for name in ("left", "right", "up", "down") for length in (1, len(name))} | {"": ""}
DRAW, PASS = ("d", "draw"), ("p", "pass")


class NotUnderstood(ValueError):
    """A line that is no choice; says what was expected."""


def choose(line: str, view: TableView) -> str:
    """The legal action of a line such as `3`, `3l`, `3 right`, `6-3@left`, `d` or `p`; an empty line is the draw or the
    pass where nothing fits. Raises `NotUnderstood`."""
    text = line.strip().lower()
    if text in view.legal:
        return text
    if nothing_fits(view) and text in ("", view.legal[0][0]):
        return view.legal[0]
    if text in (*DRAW, *PASS):
        raise NotUnderstood(f"you cannot {'draw' if text in DRAW else 'pass'} now; {_instead(view)}")
    hand = view.hand or ()
    found = TYPED.fullmatch(text)
    if found is None or int(found[1]) > len(hand):
        raise NotUnderstood(f"expected a tile's number from 1 to {len(hand)}, {_maybe(view)}, got {line.strip()!r}")
    return _with_end(hand[int(found[1]) - 1], ENDS[found[2]], view)


def nothing_fits(view: TableView) -> bool:
    """Whether an empty line is a choice: the draw or the pass."""
    return view.legal in (("draw",), ("pass",))


def letters(ends: tuple[str, ...]) -> str:
    """The ends' letters with their names: `l (left) or r (right)`."""
    named = [f"{end[0]} ({end})" for end in ends]
    return " or ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)


def _with_end(tile: str, end: str, view: TableView) -> str:
    fitting = [action for action in view.legal if action.partition("@")[0] == tile]
    if not fitting:
        raise NotUnderstood(f"{tile} does not fit; {_instead(view)}")
    if end and view.layout:
        ends = tuple(action.partition("@")[2] for action in fitting)
        fitting = [action for action in fitting if action.endswith(f"@{end}")]
        if not fitting:
            raise NotUnderstood(f"{tile} does not fit {_on(end)}, but with {letters(ends)}")
    return _only(tile, fitting, view)


def _only(tile: str, fitting: list[str], view: TableView) -> str:
    """Both ends of a line may show the same number: then it does not matter where the tile lies, unless ends count."""
    ends = tuple(action.partition("@")[2] for action in fitting)
    numbers = {view.ends.get(end) for end in ends}
    counts = bool(view.ruleset.get("fives")) and len(view.layout) > 1
    if len(ends) > 1 and (len(numbers) > 1 or counts):
        raise NotUnderstood(f"{tile} fits {'both' if len(ends) == 2 else 'several'} ends: add {letters(ends)}")
    return fitting[0]


def _maybe(view: TableView) -> str:
    return "maybe with " + ("l, r, u or d" if "up" in view.ends else "l or r")


def _on(end: str) -> str:
    return f"on the {end}" if end in ("left", "right") else f"{end}wards"


def _instead(view: TableView) -> str:
    if nothing_fits(view):
        return f"nothing fits: {view.legal[0][0]} to {view.legal[0]}"
    return f"you may play {', '.join(dict.fromkeys(action.partition('@')[0] for action in view.legal))}"
