"""The seats of a table, one line each: who, how many tiles, the score, and what everybody may know of them."""

from rich.text import Text

from capicua.terminal.narration import numbers, padded_name
from capicua.view import SeatView, TableView


def seat_line(seat: SeatView, view: TableView) -> Text:
    """With the numbers that were open at each of its passes; cut off where it is too long."""
    to_move = view.to_move == seat.seat
    marks = ", ".join(_marks(seat, view))
    passes = [numbers(passed.ends) for passed in view.passes if passed.seat == seat.seat]
    points = score(seat.seat, view)
    return Text.assemble(
        ("▶ " if to_move else "  ", "bold yellow"),
        (padded_name(seat.seat, view), "bold" if seat.seat == view.you else ""),
        f"{seat.tiles:>3} {'tile ' if seat.tiles == 1 else 'tiles'}",
        f" {points:>5} {'point ' if points == 1 else 'points'}",
        (f"  {marks}" if marks else "", "yellow"),
        (f"  passed on {', '.join(passes)}" if passes else "", "dim"),
        no_wrap=True,
        overflow="ellipsis",
    )


def score(seat: int, view: TableView) -> int:
    """The points of the seat's side."""
    return view.scores[view.rules.side_of(seat)] if view.scores else 0


def _marks(seat: SeatView, view: TableView) -> list[str]:
    marks = {
        "your partner": seat.seat == view.partner,
        f"{'first' if seat.seat % 2 else 'second'} pair": view.you is None and bool(view.ruleset.get("pairs")),
        seat.strength or "": seat.strength is not None,
        "autopilot": seat.autopilot,
        "left": seat.left,
        "not seated yet": view.status == "waiting" and not seat.seated,
        "ready": view.status == "pausing" and seat.ready,
    }
    return [mark for mark, on in marks.items() if on]
