"""What a person is told about the keys: the line that asks, and the help."""

from capicua.errors import Refused
from capicua.player import says_ready
from capicua.terminal.narration import name
from capicua.terminal.words import HELP as WORDS_HELP
from capicua.terminal.words import HELP_TEXT
from capicua.view import TableView
from contracts.room import code_of

LEAVE = "? help, q leave > "
NEXT_ROUND = "Enter: next round > "
TAKE_BACK = "The autopilot plays for you. Enter: take your seat back, q leave > "
END_HELP = "Enter: back to the table > "
TOO_LATE = "Too late: the time of that turn was up."


def prompt(view: TableView) -> str:
    """What is asked for now; empty where nothing is."""
    if view.my_seat is not None and view.my_seat.autopilot and not view.over:
        return TAKE_BACK
    if view.my_turn:
        return turn_prompt(view)
    return pause_prompt(view) if view.status == "pausing" and view.you is not None else ""


def pause_prompt(view: TableView) -> str:
    """Who ends the pause, to whom it may be."""
    if view.host is not None and view.host != view.you:
        return f"The host ({name(view.host, view)}) ends the pause. {LEAVE}"
    if not says_ready(view):
        return ""
    return f"You are the host. {NEXT_ROUND}" if view.host is not None else NEXT_ROUND


def not_now(view: TableView | None) -> str:
    """What is said to a line that nothing asked for."""
    if view is None or view.status != "pausing":
        return "It is not your turn."
    if view.host not in (None, view.you):
        return f"The host ({name(view.host, view)}) ends the pause."
    return "You are ready; others are not yet."


def refused(refusal: Refused) -> str:
    """Why a choice was not taken."""
    return TOO_LATE if refusal.code == "too-late" else f"Refused: {refusal}"


def resign_question(view: TableView) -> str:
    """Asked before a match is given up."""
    if len(view.seats) == 2:
        return "Give the match up? It is lost at once. yes: resign, Enter: play on > "
    return f"With {len(view.seats)} seats resigning is leaving. yes: leave, Enter: play on > "


def turn_prompt(view: TableView) -> str:
    """What the own turn asks for."""
    if view.legal == ("draw",):
        return f"Nothing fits. Enter or d: draw, {LEAVE}"
    if view.legal == ("pass",):
        return f"Nothing fits, nothing to draw. Enter or p: pass, {LEAVE}"
    if not view.layout:
        return f"Tile number to open with, {LEAVE}"
    return f"Tile number ({'/'.join(end[0] for end in view.ends)} for the end), {LEAVE}"


def help_lines(view: TableView) -> list[str]:
    """The keys, under the options that are set."""
    rules = view.ruleset
    if rules.get("spinner"):
        lines = [
            "Type a tile's number to play it; where it fits several ends",
            "with l, r, u or d for left, right, up or down: 3l.",
        ]
    else:
        lines = ["Type a tile's number to play it; with l or r for the end where it fits both: 3l."]
    if rules.get("forced") == "manual":
        lines.append("Nothing fits: d or Enter draws; nothing to draw: p or Enter passes.")
    else:
        lines.append("Draws and passes happen by themselves.")
    if rules.get("fives"):
        lines.append("What the ends count together scores when five divides it.")
    if rules.get("pairs"):
        lines.append("Seats 1 and 3 play together against 2 and 4.")
    text = [HELP_TEXT] if code_of(view.region) is not None else []
    talk = ["Words for the others:", *text, *WORDS_HELP.splitlines()]
    return [*lines, *_pause_lines(view), *_time_lines(view), _resign_line(view), *talk, "? shows this."]


def _pause_lines(view: TableView) -> list[str]:
    if view.host is None:
        return []
    who = "you, the host," if view.host == view.you else f"the host ({name(view.host, view)})"
    return [f"Between rounds {who} may start the next one; else it starts by itself."]


def _resign_line(view: TableView) -> str:
    if len(view.seats) == 2:
        return "The word resign gives the match up, once you have said yes."
    return "The word resign is leaving, with more than two seats."


def _time_lines(view: TableView) -> list[str]:
    back = "'capicua play' returns to it."
    if view.ruleset.get("clock_ms") is not None:
        return [
            "Your clock runs in your own turns, draws included; at zero the match is lost.",
            f"q leaves the table; your clock runs on until {back}",
        ]
    if view.rules.out_of_time == "this-turn":
        late = "Who runs out of time is played for, in this turn alone."
    else:
        late = "Who runs out of time is played by the autopilot; Enter takes the seat back."
    return [late, f"q leaves the table; the autopilot plays on until {back}"]
