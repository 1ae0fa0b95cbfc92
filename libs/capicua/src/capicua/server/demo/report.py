"""What the demonstration found, each line with whether it is as it must be."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from capicua.replay import Verification
from capicua.server.demo.ledger import Ledger
from capicua.server.demo.plan import KILLS_EACH, SILENT_TABLES, TABLES, VICTIMS, Plan
from capicua.server.demo.players import Ending


@dataclass(slots=True)
class Report:
    lines: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def add(self, what: str, found: str, *, good: bool) -> None:
        line = f"{what:<44} {found}"
        self.lines.append(f"  {'ok  ' if good else 'FAIL'} {line}")
        if not good:
            self.failures.append(line)

    def matches(self, plan: Plan, endings: Sequence[Ending]) -> None:
        by_table: dict[str, list[Ending]] = {}
        for ending in endings:
            by_table.setdefault(ending.table_id, []).append(ending)
        finished = [seen for seen in by_table.values() if all(ending.last.result for ending in seen)]
        agree = [seen for seen in finished if len({str(ending.last.result) for ending in seen}) == 1]
        silent = [ending for ending in endings if ending.silent]
        by_autopilot = [ending for ending in silent if ending.last.my_seat and ending.last.my_seat.autopilot]
        self.add("matches finished", f"{len(finished)} of {TABLES}", good=len(finished) == TABLES)
        self.add("tables where all clients saw one result", f"{len(agree)} of {TABLES}", good=len(agree) == TABLES)
        good = len(by_autopilot) == len(silent) == SILENT_TABLES
        self.add("silent seats that the autopilot finished", f"{len(by_autopilot)} of {SILENT_TABLES}", good=good)
        again = sum(ending.connections - 1 for ending in endings)
        self.add("clients; times that they connected again", f"{plan.clients_count}; {again}", good=again > 0)

    def chaos(self, kills: Counter[str], waiting: Sequence[int], due: int) -> None:
        good = all(kills[victim] >= KILLS_EACH for victim in VICTIMS)
        self.add("killed with SIGKILL", ", ".join(f"{victim} {kills[victim]}" for victim in VICTIMS), good=good)
        found = ", ".join(map(str, waiting))
        self.add("commands waiting when the table was killed", found, good=bool(waiting) and min(waiting) >= 5)
        self.add("deadlines that fell due without a timer", str(due), good=due >= 2)

    def replays(self, verifications: Iterable[Verification], results: dict[str, str]) -> None:
        """`results`: what the clients saw, by table."""
        every = [verification.run() for verification in verifications]
        wrong = [one for one in every if one.first_wrong is not None]
        hashes, deals = sum(one.hashes_checked for one in every), sum(one.deals_checked for one in every)
        found = f"{len(every) - len(wrong)} of {TABLES} ({hashes} state hashes, {deals} deals)"
        self.add("replays verified", found, good=not wrong and len(every) == TABLES)
        same = sum(_result(one) == results[one.replay.table_id] for one in every)
        self.add("replays that end as the clients saw", f"{same} of {TABLES}", good=same == TABLES)

    def ledger(self, ledger: Ledger) -> None:
        found = f"{ledger.outcomes} for {ledger.commands}, {ledger.repeated} repeated, {ledger.void} void records"
        good = ledger.commands == ledger.outcomes and not ledger.wrong
        self.add(f"{ledger.decider} log: valid outcomes for commands", found, good=good)
        self.failures += ledger.wrong[:5]


def _result(verification: Verification) -> str:
    *_, last = verification.steps()
    return str(last.view().result)
