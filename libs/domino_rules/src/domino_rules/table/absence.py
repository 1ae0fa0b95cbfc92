"""Who was not there when a match ended: whom a rating places last, whatever the score."""

from __future__ import annotations

from domino_rules.events import MatchEnded
from domino_rules.ruleset import Seat
from domino_rules.table.state import Table


def absent_seats(table: Table, ended: MatchEnded) -> tuple[Seat, ...]:
    """The seats, ascending, whose person had left, had resigned or was on autopilot when the match `ended`; `table` as
    it was then. One partner is not absent by the other's absence."""
    resigned = ended.reason == "resigned"
    return tuple(
        [
            seat
            for seat, player in enumerate(table.players, start=1)
            if player.left or player.autopilot or (resigned and seat not in ended.winner)
        ]
    )
