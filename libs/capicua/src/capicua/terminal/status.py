"""The first line of a screen: what runs, and how much time is left of it."""

from rich.text import Text

from capicua.player import says_ready
from capicua.terminal.narration import name
from capicua.view import DeadlineView, TableView

HURRY_MS = 5_000
TENTHS_BELOW_MS = 10_000
CREDIT_TOLD_MS = 100
SECONDS_SHOWN_MAX = 120
PLAYED_FOR = "your last turn was played for you"
HURRY_STYLE = "bold white on red"


def status(view: TableView, left_ms: int) -> Text:
    """For a view with a deadline of which `left_ms` are left."""
    if view.deadline is None:
        return Text()
    said = _what_runs(view, view.deadline.kind, left_ms)
    if hurries(view, left_ms):
        said += " – hurry!" if left_ms else " – time is up"
    line = Text(said, HURRY_STYLE if hurries(view, left_ms) else "")
    more = "   ".join(_time_added(view, view.deadline))
    return line.append(f"   {more}" if more else "", "")


def hurries(view: TableView, left_ms: int) -> bool:
    """Whether one's own time for this turn, or the match, is nearly over."""
    runs = view.deadline is not None and view.deadline.kind in ("turn", "clock")
    return view.my_turn and runs and left_ms <= HURRY_MS


def unchanged_ms(view: TableView, left_ms: int) -> int:
    """For how long the line stays true, at most a second."""
    if not left_ms:
        return 1000
    if view.deadline is None or view.deadline.kind != "clock":
        return (left_ms - 1) % 1000 + 1
    step = 100 if left_ms < TENTHS_BELOW_MS else 1000
    return min(left_ms, left_ms % step + 1)


def seconds_text(left_ms: int) -> str:
    """Whole seconds, rounded up so that 0 is said when nothing is left; minutes where it is long."""
    seconds = -(-left_ms // 1000)
    return f"{seconds} s" if seconds <= SECONDS_SHOWN_MAX else f"{seconds // 60}:{seconds % 60:02} min"


def clock_text(left_ms: int) -> str:
    """`9:05`, and with tenths when it is nearly over: `0:09.3`."""
    minutes, ms = divmod(left_ms, 60_000)
    return f"{minutes}:{ms // 1000:02}" + (f".{ms % 1000 // 100}" if left_ms < TENTHS_BELOW_MS else "")


def _what_runs(view: TableView, kind: str, left_ms: int) -> str:
    left = seconds_text(left_ms)
    match kind:
        case "turn":
            return f"{'Your turn' if view.my_turn else 'Turn ends'}: {left}"
        case "clock":
            return f"{'Your turn' if view.my_turn else 'Clocks'}:   {_clocks(view, left_ms)}"
        case "autopilot":
            whose = " for you" if view.to_move is not None and view.to_move == view.you else ""
            return f"The autopilot plays{whose} in {left}"
        case "pause":
            return f"Next round in {left}{_sooner(view)}"
        case "start":
            return f"Waiting for everybody to sit down: starts in {left} at the latest"
        case "expiry":
            return f"No person has acted for a day: the table expires in {left}"
    return f"It goes on in {left}"


def _clocks(view: TableView, left_ms: int) -> str:
    """Every seat's match clock; that of the seat to move is running."""
    clocks = dict(enumerate(view.clocks or (), 1))
    if view.to_move is not None:
        clocks[view.to_move] = left_ms
    return "   ".join(f"{name(seat, view)} {clock_text(left)}" for seat, left in clocks.items())


def _sooner(view: TableView) -> str:
    """Who may end the pause before its time."""
    if view.host is not None and view.you != view.host:
        return f", or when the host says so ({name(view.host, view)})"
    if says_ready(view):
        return ", or Enter"
    return ", or when everybody is ready" if view.you is not None else ""


def _time_added(view: TableView, deadline: DeadlineView) -> list[str]:
    """After an outage, to whoever is to move; for one's own connection, in one's own turn."""
    said = []
    if deadline.given_back_ms:
        said.append(f"{deadline.given_back_ms // 1000} s given back")
    if view.my_turn and deadline.credit_ms >= CREDIT_TOLD_MS:
        said.append(f"{deadline.credit_ms / 1000:.1f} s more for your connection")
    return said
