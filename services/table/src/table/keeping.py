"""How long a table that is over is kept, and which ids no table can be opened by any more."""

from dataclasses import dataclass

from bus.decider import Context, Deadline
from contracts.ids import made_at
from contracts.topics import COMMANDS_KEPT_MS, DAY_MS
from domino_rules.refusal import Refusal
from domino_rules.table import Expired, Finished, TableReason, TableState


@dataclass(frozen=True, slots=True)
class Keeping:
    """`commands_ms`: for so long a command to open a table may come again, and its id is good for. A table that is over
    is kept for `margin_ms` more, so that there is no time at which neither the table nor the age of its id refuses a
    second one. `ahead_ms`: so far may an id's time lie ahead of the log's, because it is another broker's; less than
    the margin, and more than clocks are ever wrong, for the people of a match that is never opened stay seated."""

    commands_ms: int = COMMANDS_KEPT_MS
    margin_ms: int = DAY_MS
    ahead_ms: int = 60 * 60 * 1000

    def deadline(self, state: TableState) -> Deadline | None:
        """When a table that is over leaves memory; it counts from when its last turn began or a person last acted:
        a table is over a day after that, and so long is the margin. None for one that is played at."""
        if not isinstance(state, Finished | Expired):
            return None
        began_at = 0 if state.turn is None else state.turn.set_at
        set_at = max(began_at, state.table.person_acted_at)
        return Deadline("retire", "retire", set_at, set_at + self.commands_ms + self.margin_ms)

    def refuse_to_open(self, context: Context) -> Refusal | None:
        """Why no table can be opened by this id."""
        made, at = made_at(context.aggregate), context.at
        if made is None:
            return Refusal(TableReason.BAD_ID, "an id that says when it was made", "another name")
        if made > at + self.ahead_ms:
            return Refusal(TableReason.BAD_ID, f"an id of {at + self.ahead_ms} at the latest", f"one of {made}")
        if made < at - self.commands_ms:
            return Refusal(TableReason.STALE_ID, f"an id of {at - self.commands_ms} at the earliest", f"one of {made}")
        return None


KEEPING = Keeping()
