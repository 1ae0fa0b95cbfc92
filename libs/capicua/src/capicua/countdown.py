"""What is left until a table's deadline, for people to watch."""

from typing import NamedTuple

from capicua.server_clock import ServerClock
from capicua.view import DeadlineView, TableView


class PutOff(NamedTuple):
    """Why more time is left than before: `given_back_ms` after an outage, or by a `fresh` timer in the same turn."""

    given_back_ms: int = 0
    fresh: bool = False


class Countdown:
    """Follows the views of one table. For one deadline the time that is left never goes up: when the clock is set right
    it stands still until the truth has caught up. A deadline that was put off starts anew, and `follow` tells."""

    def __init__(self, clock: ServerClock) -> None:
        self._clock = clock
        self._deadline: DeadlineView | None = None
        self._turn = 0
        self._least_ms: dict[tuple[str, int, int], int] = {}
        self._given_back_ms: dict[tuple[str, int], int] = {}

    def follow(self, view: TableView) -> PutOff:
        """The time that is left is now that of this view. Says what nobody was told yet."""
        before, self._deadline = self._deadline, view.deadline
        if view.turn != self._turn:
            self._least_ms.clear()
            self._given_back_ms.clear()
        is_same_turn, self._turn = 0 < view.turn == self._turn, view.turn
        deadline = view.deadline
        if deadline is None:
            return PutOff()
        timer = (deadline.kind, deadline.set_at)
        known_ms = self._given_back_ms.get(timer, 0)
        self._given_back_ms[timer] = max(known_ms, deadline.given_back_ms)
        is_later = before is not None and deadline.set_at > before.set_at
        fresh = is_same_turn and is_later and deadline.kind == "turn"
        return PutOff(self._given_back_ms[timer] - known_ms, fresh)

    @property
    def overdue_ms(self) -> int:
        """For how long the deadline has passed without news; 0 before it has."""
        return 0 if self._deadline is None else max(0, self._clock.now_ms() - self._deadline.due_at)

    @property
    def left_ms(self) -> int | None:
        """Milliseconds, 0 once the deadline has passed; none without a deadline."""
        if self._deadline is None:
            return None
        one = (self._deadline.kind, self._deadline.set_at, self._deadline.due_at)
        left = max(0, self._deadline.due_at - self._clock.now_ms())
        self._least_ms[one] = min(left, self._least_ms.get(one, left))
        return self._least_ms[one]
