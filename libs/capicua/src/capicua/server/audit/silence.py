"""When nobody owned a partition, and the time that its deadlines get back for it; read from the log alone."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from bus.decider import Deadline

SILENCE_MS = 3_000
LEFT_OUT_MS = 500
"""A clock that goes ahead by no more at once is none that an owner tells of."""
GIVEN_MS = 5_000
"""On top of each outage's own length."""
REMEMBERED_MS = 24 * 60 * 60 * 1000
"""What owners know of outages at least; longer ago is not demanded of them."""
OUTAGES_KEPT = 4096


class Outage(NamedTuple):
    """Between two records, in ms of log time."""

    begin: int
    end: int


@dataclass(slots=True)
class Silence:
    """The outages of one partition: more than 3 s without a record of the claim that was the newest, or time that its
    owner says the broker's clock has left out. `sure` of them had ended by the newest claim, so that its owner knew
    them from the start. `last` is the broker's time of the newest record heard, log time was `shift` ms on. Of an owner
    that `tells` a silence between its own records counts when it has told of one, or at the next claim."""

    last: int | None = None
    shift: int = 0
    count: int = 0
    outages: list[Outage] = field(default_factory=list)
    sure: int = 0
    tells: bool = False
    untold: list[Outage] = field(default_factory=list)

    def heard(self, stamp: int, shift: int = 0, *, claim: bool = False) -> None:
        """A record of the newest claim, or that claim itself, at the broker's time `stamp`; log time: `shift` ms on."""
        last = self.last
        if last is not None and stamp - last > SILENCE_MS:
            self.untold.append(Outage(last + self.shift, stamp + self.shift))
        if claim or not self.tells:
            self._told()
        if last is None or stamp + shift > last + self.shift:
            self.last, self.shift = stamp, shift
        if claim:
            self.tells = False
            self.sure = len(self.outages)

    def left_out(self, begin: int, end: int) -> None:
        """The newest claim's owner tells of a clock that went on at `end` where it should have at `begin`; silence may
        have given a part of that back. Or it tells of silences, at the moment 0 that it will."""
        if end == 0:
            self.tells = True
            return
        self._told()
        given_back_until = self.outages[-1].end if self.outages else begin
        begin = max(begin, given_back_until)
        if end > begin + LEFT_OUT_MS:
            self._add(Outage(begin, end))

    def _told(self) -> None:
        for outage in self.untold:
            self._add(outage)
        self.untold.clear()

    def _add(self, outage: Outage) -> None:
        self.count += 1
        self.outages.append(outage)
        if len(self.outages) > OUTAGES_KEPT:
            del self.outages[0]
            self.sure = max(0, self.sure - 1)

    def of_a_day(self) -> list[tuple[int, int]]:
        """Those that had ended less than a day before the last one did: what a marker tells."""
        since = self.outages[-1].end - REMEMBERED_MS if self.outages else 0
        return [(begin, end) for begin, end in self.outages if end > since]

    def latest(self, deadline: Deadline) -> int:
        """When the deadline falls due at the latest, in ms of log time: all outages count."""
        return _put_off(deadline, self.outages)

    def earliest(self, deadline: Deadline, at: int) -> int:
        """When it falls due at the earliest, for a decision on a command of the time `at`: those outages count that its
        owner knew for sure."""
        return _put_off(deadline, (each for each in self.outages[: self.sure] if each.end > at - REMEMBERED_MS))


def _put_off(deadline: Deadline, outages: Iterable[Outage]) -> int:
    """Every outage that begins after it was set and before it falls due gives its length and 5 s."""
    due = deadline.due_at
    for begin, end in outages:
        if deadline.set_at <= begin < due:
            due += end - begin + GIVEN_MS
    return due
