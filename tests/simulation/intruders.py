"""Records that nobody of the product writes: strangers', a second timer's, the operators', and a command that kills."""

import random
from dataclasses import replace
from typing import TYPE_CHECKING

from tests.simulation.deadly import Poison

from bus.decider import Deadline
from bus.header import HEADER, Claim, CommandsSkipped, Heartbeat, OutcomeHeader, pack
from bus.partitioning import partition_of
from bus.records import NewRecord
from contracts.envelope import CommandEnvelope, TimeOut

if TYPE_CHECKING:
    from tests.simulation.truth import Ledger
    from tests.simulation.world import World

SKIPPED_MAX = 3


class Intruders:
    def __init__(self, world: "World", chance: random.Random) -> None:
        self._world = world
        self._chance = chance

    def write(self, kind: str, what: str) -> None:
        match kind:
            case "stranger":
                self._stranger(what)
            case "zombie":
                self._zombie(*what.split())
            case "doubled-timeout":
                self._time_out(current=True)
            case "early-timeout":
                self._time_out(current=False)
            case "poison":
                self._poison()
            case _:
                self._skip(what)

    # ---- into event topics

    def _stranger(self, what: str) -> None:
        """Somebody with too many rights writes into an event topic."""
        ledger = self._any_ledger()
        owner = self._chance.randbytes(16)
        headers: tuple[tuple[str, bytes], ...]
        match what:
            case "claim":
                headers = ((HEADER, pack(Claim(owner, 0))),)
            case "heartbeat":
                headers = ((HEADER, pack(Heartbeat(owner))),)
            case "outcome":
                header = OutcomeHeader(ledger.claim_offset - 1, ledger.owner, ledger.next_command, 0, 0, 0, None, None)
                headers = ((HEADER, pack(header)),)
            case _:
                headers = ((HEADER, self._chance.randbytes(20)),)
        if self._chance.random() < 0.2:
            headers = (*headers, *headers)
        self._write(ledger, b"stranger", b"{}", headers)

    def _zombie(self, why: str, what: str) -> None:
        """An owner that was replaced, or that lost a record, writes an outcome with another deadline than stands."""
        ledger = self._any_ledger()
        if not ledger.aggregates or (why != "wrong-chain" and len(ledger.claims) < 2):
            return
        key = self._chance.choice(sorted(ledger.aggregates))
        known, now = ledger.aggregates[key], self._world.broker.log_now()
        standing = known.deadline or Deadline("alarm", "alarm-0", now, now + 1000)
        deadline = {
            "early": replace(standing, due_at=now + 1),
            "late": replace(standing, due_at=standing.due_at + 3_600_000),
            "other": Deadline(standing.kind, f"{standing.ref}-void", now, now + 1),
        }.get(what)
        claim, owner = ledger.claims[-1]
        if why == "old-claim":
            claim, owner = self._chance.choice(ledger.claims[:-1])
        elif why == "old-owner":
            owner = next((old for _, old in reversed(ledger.claims) if old != owner), b"nobody")
        command = ledger.next_command + (why == "wrong-chain")
        version = known.version
        header = OutcomeHeader(claim, owner, command, version, version, ledger.digest, deadline, None)
        self._write(ledger, key.encode(), b"{}", ((HEADER, pack(header)),))

    def _skip(self, how: str) -> None:
        """Operators pass commands over: people's, which their senders repeat. Only what begins with the very next
        command, and does not end before it, counts."""
        ledger = self._any_ledger()
        first = ledger.next_command
        last = min(first + self._chance.randrange(SKIPPED_MAX), self._world.broker.end(ledger.commands) - 1)
        match how:
            case "ahead":
                header = CommandsSkipped(first + 1, last + 1, how)
            case "behind":
                header = CommandsSkipped(first - 1, last, how)
            case "backwards":
                header = CommandsSkipped(first, first - 1, how)
            case _ if last >= first and all(self._of_people(ledger, offset) for offset in range(first, last + 1)):
                header = CommandsSkipped(first, last, how)
            case _:
                return
        self._write(ledger, None, b"", ((HEADER, pack(header)),))

    def _write(self, ledger: "Ledger", key: bytes | None, value: bytes, headers: tuple[tuple[str, bytes], ...]) -> None:
        """Nobody is there before the first owner: an audit calls a log wrong that does not begin with its founding."""
        if self._world.broker.end(ledger.partition):
            self._world.broker.append(NewRecord(*ledger.partition, key, value, headers))

    def _of_people(self, ledger: "Ledger", offset: int) -> bool:
        value = self._world.broker.record(ledger.commands, offset).value or b""
        return CommandEnvelope.model_validate_json(value).principal not in ("timer", "lobby")

    def _any_ledger(self) -> "Ledger":
        ledgers = self._world.truth.ledgers
        return ledgers[self._chance.choice(sorted(ledgers))]

    # ---- into command topics

    def _poison(self) -> None:
        """Commands that kill, in several partitions at once: a process that dies of one testifies against one only."""
        count = self._world.broker.topics["tally.commands"]
        for partition in self._chance.sample(range(count), self._chance.randint(2, count)):
            names = (f"sum-poisoned-{number}" for number in range(1000))
            name = next(name for name in names if partition_of(name, count) == partition)
            self._command("tally", name, "tester", f"poison-{partition}", Poison())

    def _time_out(self, *, current: bool) -> None:
        """A second timer sends what the first has sent or will send: the deadline's own id, at any moment."""
        standing = [
            (ledger, key, known.deadline)
            for ledger in self._world.truth.ledgers.values()
            for key, known in ledger.aggregates.items()
            if known.deadline is not None
        ]
        if not standing:
            return
        ledger, key, deadline = self._chance.choice(standing)
        assert deadline is not None
        ref = deadline.ref if current else self._chance.choice(sorted(ledger.aggregates[key].deadlines))
        command_id = f"timeout:{key}:{ref}:{self._chance.randint(1, 2)}"
        self._command(ledger.decider.name, key, "timer", command_id, TimeOut(kind=deadline.kind, ref=ref))

    def _command(self, decider: str, key: str, principal: str, command_id: str, command: "Poison | TimeOut") -> None:
        envelope = CommandEnvelope(id=command_id, principal=principal, aggregate=key, command=command.model_dump())
        commands = self._world.truth.of(decider, key).commands
        self._world.broker.append(NewRecord(*commands, key.encode(), envelope.model_dump_json().encode()))
