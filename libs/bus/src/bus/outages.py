"""Outages as facts of the log: silence of a partition's owner, and a jump of the broker's clock that the owner has
seen, give the time back to whoever waited for it.

The table's decider, the timer, the gateway and replays all ask this module, so that all know the same effective
deadlines. What counts for a record are the outages that had ended before it in the log.

Where an outage stands is said in log time, as deadlines are; how long it was, in the broker's: hours that a test lets
pass without waiting are no silence.
"""

from dataclasses import dataclass
from typing import NamedTuple

OUTAGE_MS = 3000
"""Silence up to this long is none: a live owner is heard every second."""
JUMP_MS = 500
"""A clock that is ahead by no more than this has not jumped."""
GRACE_MS = 5000
"""Given on top of an outage's length: people must first see that the game goes on."""
KEPT_MS = 24 * 60 * 60 * 1000


class Outage(NamedTuple):
    """From the last record of an owner on, up to the next one of a current claim; or what a clock has left out. In log
    ms."""

    begin: int
    end: int

    @property
    def given_back(self) -> int:
        return self.end - self.begin + GRACE_MS


@dataclass(slots=True)
class Outages:
    """Those of one partition in the last 24 hours, in order. `heard_at` is the log time of the newest record of a
    current claim, None before the first; `passed` ms of it a test had let pass without waiting.

    Records that were under way while nothing landed are decided by what their owner knew. So an owner that `tells`
    decides no more when it has seen a silence in its own log, until its heartbeat has told of it there: up to then, or
    to the next claim, the silence is `untold` and gives nothing back. Owners of before told of none: theirs count at
    once.
    """

    heard_at: int | None = None
    known: tuple[Outage, ...] = ()
    passed: int = 0
    tells: bool = False
    untold: tuple[Outage, ...] = ()

    def hear(self, at: int, passed: int = 0) -> None:
        """A record of the current claim was appended at log time `at`, of which a test has let `passed` ms pass. Times
        never go back, whatever a broker's clock does."""
        before = self.heard_at
        if before is None or at > before:
            if before is not None:
                silence = at - before - passed + self.passed
                if silence > OUTAGE_MS:
                    self._silent(Outage(before, before + silence))
            self.heard_at, self.passed = at, passed

    def claimed(self, at: int, passed: int = 0) -> None:
        """A claim was appended: nothing that was decided before it is believed behind it."""
        self.hear(at, passed)
        self._tell()
        self.tells = False

    def jump(self, begin: int, end: int) -> None:
        """The owner says that the broker's clock went from `begin` to `end` by itself, or that nobody was heard in
        between; at the moment 0, that it tells of silences. What silence has given back is not given twice."""
        if end == 0:
            self.tells = True
            return
        self._tell()
        if self.known:
            begin = max(begin, self.known[-1].end)
        if end - begin > JUMP_MS:
            self._note(Outage(begin, end))

    def _silent(self, silence: Outage) -> None:
        if self.tells:
            self.untold = (*self.untold, silence)
        else:
            self._note(silence)

    def _tell(self) -> None:
        for silence in self.untold:
            self._note(silence)
        self.untold = ()

    def _note(self, newest: Outage) -> None:
        kept = [outage for outage in self.known if outage.end > newest.end - KEPT_MS]
        self.known = (*kept, newest)

    def given_back(self, set_at: int, due_at: int) -> int:
        """How many ms later than `due_at` a deadline set at `set_at` really falls due: the length of every outage, and
        five seconds for each, that began while the deadline stood."""
        due = due_at
        for outage in self.known:
            if set_at <= outage.begin < due:
                due += outage.given_back
        return due - due_at

    def under_way(self, set_at: int, due_at: int, now: int) -> bool:
        """Whether the owner is silent since the deadline stood, and for so long that it will fall due later; or was,
        and has yet to tell."""
        heard_at = self.heard_at
        if any(set_at <= silence.begin < self.effective_due(set_at, due_at) for silence in self.untold):
            return True
        if heard_at is None or now - heard_at <= OUTAGE_MS:
            return False
        return set_at <= heard_at < self.effective_due(set_at, due_at)

    def effective_due(self, set_at: int, due_at: int) -> int:
        return due_at + self.given_back(set_at, due_at) if self.known else due_at


NO_OUTAGES = Outages()
"""Of a log whose owner was never silent; nobody adds to it."""


def no_outages() -> Outages:
    return NO_OUTAGES
