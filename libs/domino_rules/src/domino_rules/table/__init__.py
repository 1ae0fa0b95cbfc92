"""A table: seats, rounds, turns and their time around a match; the aggregate that every reader of the log folds.

`evolve` folds, `deadline` says what falls due, `view_for` and `event_view` are the only ways out to people;
`codec.to_json`, `codec.from_json` and `state_hash` are for stores that may hold secrets.
"""

from domino_rules.table.absence import absent_seats
from domino_rules.table.codec import from_json, state_hash, to_json
from domino_rules.table.deadlines import TableDeadline, deadline
from domino_rules.table.decide import (
    Decision,
    RefusedAfterReturn,
    draw_tiles,
    leave,
    next_round,
    open_table,
    pass_turn,
    play_tile,
    resign,
    return_to_seat,
    sit_down,
    time_out,
)
from domino_rules.table.draft import HOST, Moment
from domino_rules.table.events import TableEvent, event_from_json
from domino_rules.table.fold import evolve
from domino_rules.table.pausing import end_pause
from domino_rules.table.refusal import TableReason
from domino_rules.table.reservation import Reservation
from domino_rules.table.sender import from_seat
from domino_rules.table.state import Expired, Finished, Pausing, Playing, TableState, Waiting, last_turn
from domino_rules.table.view import event_view, view_for

__all__ = [
    "HOST",
    "Decision",
    "Expired",
    "Finished",
    "Moment",
    "Pausing",
    "Playing",
    "RefusedAfterReturn",
    "Reservation",
    "TableDeadline",
    "TableEvent",
    "TableReason",
    "TableState",
    "Waiting",
    "absent_seats",
    "deadline",
    "draw_tiles",
    "end_pause",
    "event_from_json",
    "event_view",
    "evolve",
    "from_json",
    "from_seat",
    "last_turn",
    "leave",
    "next_round",
    "open_table",
    "pass_turn",
    "play_tile",
    "resign",
    "return_to_seat",
    "sit_down",
    "state_hash",
    "time_out",
    "to_json",
    "view_for",
]
