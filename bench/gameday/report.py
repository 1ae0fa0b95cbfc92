"""What was done, what it cost, and what was wrong."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bench.gameday.ledger import Ledger
from bus.owner import FOREIGN

LIMITS: Mapping[str, float] = {
    "table SIGKILL": 2.5,
    "planned stop": 0.5,
    "planned start": 0.5,
    "zombie returns": 0.3,
    "broker SIGKILL": 6.0,
    "controller SIGKILL": 6.0,
}
"""Seconds from a fault to the first answer everywhere: the 90th percentile, on a machine that does nothing else."""

GUILTY = {"bug", "poison", "quarantined", "undecodable", "outcome-too-large", "wrong-key", "wrong-partition"}
"""Faults that no command here deserves: one that waited through three kills is not the one that kills."""


def percentile(values: Sequence[float], part: float) -> float:
    """The nearest rank; of one value, that one."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(part * len(ordered)) - 1)]


@dataclass
class Report:
    ledger: Ledger
    counts: Counter[str]
    waits: Mapping[str, Sequence[float]]
    codes: Counter[str]
    matches: int
    seconds: float
    notes: list[str] = field(default_factory=list)
    alarms: Counter[str] = field(default_factory=Counter)

    @property
    def wrong(self) -> list[str]:
        """What must not be: in the log, or by what the processes themselves called an error."""
        unexpected = self.alarms - self.alarms_expected
        said = [f"{what}, {count} times" for what, count in unexpected.items()]
        return self.ledger.wrong + said + [f"{code}, {n} times" for code, n in self.codes.items() if code in GUILTY]

    @property
    def alarms_expected(self) -> Counter[str]:
        """Those about strangers, where strangers wrote."""
        strange = self.counts["stranger writes"]
        return Counter({what: count for what, count in self.alarms.items() if strange and FOREIGN in what})

    @property
    def kills(self) -> int:
        return sum(count for what, count in self.counts.items() if what.endswith("SIGKILL"))

    @property
    def pauses(self) -> int:
        """Of table processes, each longer than the session."""
        return self.counts["table SIGSTOP"]

    @property
    def slow(self) -> list[str]:
        """What took longer than it should."""
        return [
            f"{what}: {percentile(self.waits[what], 0.9):.2f} s, expected at most {limit} s"
            for what, limit in LIMITS.items()
            if what in self.waits and percentile(self.waits[what], 0.9) > limit
        ]

    def lines(self) -> list[str]:
        ledger = self.ledger
        return [
            f"{self.seconds:.0f} s, {self.kills} kills, {self.pauses} pauses longer than the session",
            f"{ledger.commands} commands, {ledger.outcomes} valid outcomes, {ledger.claims} claims,"
            f" {ledger.repeated} repeated commands with their first answer, {self.matches} matches played to their end",
            f"records that count for nobody: {dict(ledger.void) or 'none'}",
            f"{ledger.timeouts} accepted timeouts, {ledger.outages} outages; the audit"
            f" {'found what must not be' if any(line.startswith('audit') for line in ledger.wrong) else 'is clean'}",
            f"answers: {dict(self.codes)}",
            f"alarms: {dict(self.alarms - self.alarms_expected) or 'none'}",
            *(
                f"expected alarm, as strangers wrote: {what}, {count} times"
                for what, count in self.alarms_expected.items()
            ),
            f"done: {dict(sorted(self.counts.items()))}",
            f"{'longest wait for an answer, seconds':<40} {'times':>6} {'median':>8} {'p90':>8} {'longest':>8}",
            *(
                f"  {what:<38} {len(waits):>6} {percentile(waits, 0.5):>8.2f} {percentile(waits, 0.9):>8.2f}"
                f" {max(waits):>8.2f}"
                for what, waits in self.waits.items()
            ),
            *(f"slow: {line}" for line in self.slow),
            *(f"note: {line}" for line in self.notes),
            *(f"WRONG: {line}" for line in self.wrong),
            self._verdict,
        ]

    @property
    def _verdict(self) -> str:
        count = len(self.wrong)
        return f"WRONG: {count} {'thing' if count == 1 else 'things'}, see above" if count else "Nothing was lost."
