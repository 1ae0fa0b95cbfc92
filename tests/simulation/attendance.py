"""No deadline is forgotten while somebody is there to answer it: a timer that has caught up, and an owner that is
heard."""

from typing import TYPE_CHECKING

from tests.simulation.processes import TIMERS
from tests.simulation.told import Violation
from tests.simulation.truth import Ledger

from bus.decider import Deadline

if TYPE_CHECKING:
    from tests.simulation.world import World

LOOK_SECONDS = 0.5
HEARD_SECONDS = 2.0
"""A live owner is heard every second."""
ANSWER_SECONDS_MAX = 10.0
"""A send without an answer is given up after eight."""


class Attendance:
    def __init__(self, world: "World") -> None:
        self._world = world
        self._absent_at: dict[Ledger, float] = {}
        """When a partition was without a timer or an owner last."""
        self._overdue: dict[tuple[Ledger, str, Deadline], float] = {}
        """Since when a deadline has been seen to be due."""

    def look(self) -> None:
        """Now, and every half second from now on."""
        world = self._world
        world.loop.outside(LOOK_SECONDS, self.look)
        world.guarded(self._check)()

    def _check(self) -> None:
        now, overdue = self._world.loop.time(), {}
        for ledger in self._world.truth.ledgers.values():
            if not (self._owned(ledger) and self._timed(ledger)):
                self._absent_at[ledger] = now
            there_since = self._absent_at.get(ledger, 0.0)
            for key, deadline in self._due(ledger):
                which = (ledger, key, deadline)
                overdue[which] = since = self._overdue.get(which, now)
                if now - max(since, there_since) > ANSWER_SECONDS_MAX:
                    raise Violation(f"no deadline is forgotten: {key} has waited since {since:.1f} s for {deadline}")
        self._overdue = overdue

    def _due(self, ledger: Ledger) -> list[tuple[str, Deadline]]:
        now = self._world.broker.log_now()
        return [
            (key, known.deadline)
            for key, known in ledger.aggregates.items()
            if known.deadline is not None and known.deadline.due_at < now and ledger.due(known.deadline) < now
        ]

    def _owned(self, ledger: Ledger) -> bool:
        """Whether its owner was heard just now, and has decided nearly all that there is."""
        broker = self._world.broker
        silent = broker.log_now() - ledger.heard_at
        return silent < HEARD_SECONDS * 1000 and broker.end(ledger.commands) - ledger.next_command < 20

    def _timed(self, ledger: Ledger) -> bool:
        """Whether a timer to which nothing has happened lately has read the partition to its end."""
        now = self._world.loop.time()
        for kind in TIMERS:
            for process in self._world.processes[kind]:
                if process.reachable and process.started and now - process.troubled_at > ANSWER_SECONDS_MAX:
                    tail = process.inside._tail
                    if ledger.partition in tail.gained and not tail.catching_up:
                        return True
        return False
