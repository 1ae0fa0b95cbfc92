"""What the logs say, by a second and plainer reading of the rules: what the product believes is held against it."""

import json
from collections.abc import Mapping
from itertools import takewhile
from typing import Any

from tests.simulation.broker import Broker
from tests.simulation.deadly import Poison
from tests.simulation.tables import check_table
from tests.simulation.timing import check_set, check_time
from tests.simulation.told import Aggregate, Outages, Standing, Told, broken

from bus import digest
from bus.answers import ANSWERS_PER_PRINCIPAL
from bus.decider import Deadline, Decider
from bus.header import HEADER, Claim, CommandsSkipped, Heartbeat, Jump, MalformedHeader, OutcomeHeader, unpack
from bus.partitioning import partition_of
from bus.records import Record, TopicPartition
from bus.suspicion import CONVICTED_CLAIMS
from contracts.room import code_of

POISON = Poison.model_fields["type"].default
OUTAGES_KEPT_MS = 86_400_000


class Ledger:
    """The truth about one event partition."""

    def __init__(self, broker: Broker, partition: TopicPartition, decider: Decider[Any, Any, Any], count: int) -> None:
        self.broker = broker
        self.partition = partition
        self.decider = decider
        self.count = count
        self.commands = TopicPartition(f"{decider.name}.commands", partition.partition)
        self.standings: list[Standing] = []
        self.claim_offset, self.owner, self.next_command = -1, b"", 0
        self.tried: list[tuple[int, bool]] = []
        """Of each claim made while commands waited: with which it began, and whether it was made alone."""
        self.log_id = b""
        self.digest = 0
        self.heard_at = self.passed = 0
        self.claims: list[tuple[int, bytes]] = []
        self.outages: list[Outages] = [()]
        """What was known of them at first, and behind each record that told of another one."""
        self.aggregates: dict[str, Aggregate] = {}
        self.retired: dict[str, Aggregate] = {}
        self.told: dict[tuple[str, str, str], Told] = {}
        self.answers: dict[tuple[str, str], int] = {}
        self.answered: dict[tuple[str, str, str], int] = {}
        self.tells = False
        self.untold: list[tuple[int, int]] = []
        self.outcomes: list[Told] = []
        self.by_offset: dict[int, Told] = {}
        self.by_command: dict[int, Told] = {}
        self.by_id: dict[tuple[str, str, str], list[Told]] = {}

    def judge(self, record: Record) -> Told | None:
        """Folds the next record; a valid outcome comes back."""
        if record.offset != len(self.standings):
            raise AssertionError("the simulation's own broker has a gap")
        told, counts, heard = None, True, False
        jump: Jump | None = None
        try:
            header = unpack(record.header(HEADER))
        except MalformedHeader:
            header, counts = None, False
        match header:
            case Claim(owner, end, alone):
                self.claim_offset, self.owner, heard = record.offset, owner, True
                self.claims.append((record.offset, owner))
                self.tried.append((self.next_command if end > self.next_command else -1, alone))
            case Heartbeat(owner):
                counts = heard = owner == self.owner
                jump = header.jump
            case CommandsSkipped(first, last, _):
                counts = first == self.next_command and last >= first
                if counts:  # whoever owns the partition may have decided on top of what is passed over
                    self.claim_offset, self.owner, self.next_command = -1, b"", last + 1
            case OutcomeHeader():
                current = (header.claim_offset, header.owner) == (self.claim_offset, self.owner)
                counts = heard = current and header.command_offset == self.next_command
                if counts:
                    self.next_command += 1
                    told = Told(self.partition, record.offset, header, json.loads(record.value or b""))
            case None:
                pass
            case founding:
                counts = record.offset == 0
                self.log_id = founding.log_id if counts else self.log_id
        if told is not None:
            self._believe(record, told)
        if heard:
            self._hear(record, jump, claimed=isinstance(header, Claim))
        self.standings.append(Standing(counts, self.claim_offset, self.owner, self.next_command, self.outages[-1]))
        return told

    @property
    def tried_alone(self) -> bool:
        """Whether the newest claim was made alone, and nothing has been decided under it."""
        return bool(self.tried) and self.tried[-1] == (self.next_command, True)

    def _hear(self, record: Record, jump: Jump | None, *, claimed: bool) -> None:
        """The partition's owner was heard; silence before was an outage if it was longer than three seconds, whatever
        has passed without waiting. A clock that jumped by more than half a second left time out, if that silence has
        not covered it."""
        at = record.timestamp + record.passed
        if self.heard_at:
            silence = at - self.heard_at - (record.passed - self.passed)
            if silence > 3000:
                self.untold.append((self.heard_at, self.heard_at + silence))
        if at > self.heard_at:
            self.heard_at, self.passed = at, record.passed
        if claimed or not self.tells or (jump is not None and jump.end):
            for begin, end in self.untold:
                self._note(begin, end)
            self.untold.clear()
        if claimed:
            self.tells = False
        if jump is not None and not jump.end:
            self.tells = True
        elif jump is not None:
            begin = max([jump.begin, *(end for _, end in self.outages[-1])])
            if jump.end - begin > 500:
                self._note(begin, jump.end)

    def _note(self, begin: int, end: int) -> None:
        """What ended a day before the newest one is forgotten."""
        kept = [outage for outage in self.outages[-1] if outage[1] > end - OUTAGES_KEPT_MS]
        self.outages.append((*kept, (begin, end)))

    def due(self, deadline: Deadline, outages: Outages | None = None) -> int:
        """When it really falls due, by `outages` or those known now: each gives its length back, and five seconds."""
        due = deadline.due_at
        for begin, end in self.outages[-1] if outages is None else outages:
            if deadline.set_at <= begin < due:
                due += end - begin + 5000
        return due

    def _believe(self, record: Record, told: Told) -> None:
        key = (record.key or b"").decode(errors="replace")
        known = self.aggregates.get(key) or Aggregate()
        header, body = told.header, told.body
        self._check_command(told)
        self._check_versions(told, key, known)
        self._check_first_answer(told, key)
        standing = known.deadline
        state = known.state
        for payload in body.get("events", ()):
            retires = payload["type"] == "retired"
            state = None if retires else self.decider.evolve(state, self.decider.decode_event(payload))
        check_time(self, told, known, standing)
        if header.deadline != standing:
            check_set(self, told)
            steady = header.deadline is None or self.broker.steady_since(header.deadline.set_at)
            known.set_under = self.claim_offset if steady else -1
        known.state, known.version, known.deadline = state, header.to_version, header.deadline
        if state is None and key in self.aggregates:
            self._retire(told, key)
        if state is not None:
            self.aggregates[key] = known
            if header.to_version > header.from_version:
                known.states[known.version] = (state, told, self.broker.loop.time())
            self._check_state(told, key, known)
            check_table(self, told, known)
        self.outcomes.append(told)
        self.by_offset[record.offset] = self.by_command[header.command_offset] = told
        self.by_id.setdefault((key, body["principal"], body["command_id"]), []).append(told)

    def _retire(self, told: Told, key: str) -> None:
        """It is gone, with all answers; what was seen of it may still be on its way to somebody."""
        self.retired[key] = self.aggregates.pop(key)
        self.told = {asked: first for asked, first in self.told.items() if asked[0] != key}

    def of(self, key: str) -> list[Told]:
        """The outcomes of one aggregate up to now."""
        return [told for told in self.outcomes if told.body["aggregate"] == key]

    def known(self, key: str) -> Aggregate:
        """The aggregate, also when it is retired; an empty one where there never was any."""
        return self.aggregates.get(key) or self.retired.get(key) or Aggregate()

    def _check_command(self, told: Told) -> None:
        offset = told.header.command_offset
        if offset >= self.broker.end(self.commands):
            broken("one outcome per command", told, "answers a command that is not there")
        record = self.broker.record(self.commands, offset)
        if told.body["at"] != record.timestamp + record.passed:
            broken("one outcome per command", told, "does not have its command's time")
        try:
            command = json.loads(record.value or b"")
            sent = (command["id"], command["principal"])
            told.command = command
        except (ValueError, KeyError, TypeError):
            return
        self._check_poison(told, kills=command["command"]["type"] == POISON)
        if told.body["command_id"] and sent != (told.body["command_id"], told.body["principal"]):
            broken("one outcome per command", told, "answers another command")

    def kills(self, offset: int) -> bool:
        """Whether that command kills whoever decides it."""
        command = json.loads(self.broker.record(self.commands, offset).value or b"")
        return bool(command["command"]["type"] == POISON)

    def _check_poison(self, told: Told, *, kills: bool) -> None:
        """What kills is found out. Nothing is convicted but what has outlived three owners alone with it, in a row."""
        offset = told.header.command_offset
        if (told.code == "poison") < kills:
            broken("poison", told, "is what nobody can have lived to tell")
        before = list(takewhile(lambda claim: claim[0] == offset, reversed(self.tried[:-1])))
        if told.code == "poison" and sum(alone for _, alone in before) < CONVICTED_CLAIMS:
            broken("poison", told, f"convicts a command that stood at the beginning of {before}")

    def _check_versions(self, told: Told, key: str, known: Aggregate) -> None:
        header, events = told.header, told.body.get("events", ())
        retires = any(event["type"] == "retired" for event in events)
        to_version = 0 if retires else known.version + len(events)
        if header.from_version != known.version or header.to_version != to_version:
            broken("versions without gap", told, f"{key} is at {known.version}")
        if header.to_version and self.retired.pop(key, None) is not None and code_of(key) is None:
            broken("what is retired stays away", told, f"{key} is back")
        self.digest ^= digest.term(key, header.from_version) ^ digest.term(key, header.to_version)
        if header.digest != self.digest:
            broken("fold = live state", told, "its digest is not that of the log")
        if events and partition_of(key, self.count) != self.partition.partition:
            broken("one outcome per command", told, f"{key} does not belong here")

    def _check_first_answer(self, told: Told, key: str) -> None:
        body, events = told.body, told.body.get("events", ())
        if not body["command_id"]:
            return
        who = (key, body["principal"])
        asked = (*who, body["command_id"])
        first = self.told.get(asked)
        if first is None:
            if body.get("duplicate_of") is not None:
                broken("acknowledged is never missing", told, "repeats an answer that was never given")
            if told.code != "too-early" and (events or key in self.aggregates):
                self.told[asked] = told
                self.answers[who] = self.answered[asked] = self.answers.get(who, 0) + 1
        elif body.get("duplicate_of") is None:
            forgotten = self.answers[who] - self.answered[asked] >= ANSWERS_PER_PRINCIPAL
            if not forgotten:  # what was asked longer ago than anybody remembers is asked anew
                broken("nothing twice", told, f"decides anew what was answered at {first.offset}: {asked}")
        elif body["duplicate_of"] != first.header.command_offset:
            broken("nothing twice", told, f"names another first answer than the one at {first.offset}")
        elif (told.code, body["version"]) != (first.code, first.body["version"]):
            broken("nothing twice", told, f"gives another answer than the one at {first.offset}")

    def _check_state(self, told: Told, key: str, known: Aggregate) -> None:
        if known.deadline != self.decider.deadline(known.state):
            broken("fold = live state", told, f"{key}: {known.deadline}, not {self.decider.deadline(known.state)}")
        if known.deadline is not None:
            before = known.deadlines.get(known.deadline.ref)
            if before is None or known.deadline.due_at < before.due_at:
                known.deadlines[known.deadline.ref] = known.deadline
        recorded = told.body.get("state_hash")
        if recorded is not None:
            events = [self.decider.decode_event(payload) for payload in told.body["events"]]
            if self.decider.state_hash(known.state, events) != recorded:
                broken("fold = live state", told, f"{key}: another hash than recorded")


class Truth:
    """All event partitions of `deciders`."""

    def __init__(self, broker: Broker, deciders: Mapping[str, Decider[Any, Any, Any]]) -> None:
        self.broker = broker
        self.ledgers: dict[TopicPartition, Ledger] = {}
        for name, decider in deciders.items():
            count = broker.topics[f"{name}.events"]
            for number in range(count):
                partition = TopicPartition(f"{name}.events", number)
                self.ledgers[partition] = Ledger(broker, partition, decider, count)

    def of(self, decider: str, aggregate: str) -> Ledger:
        """The ledger that an aggregate stands in."""
        topic = f"{decider}.events"
        return self.ledgers[TopicPartition(topic, partition_of(aggregate, self.broker.topics[topic]))]

    @property
    def outcomes(self) -> int:
        return sum(len(ledger.outcomes) for ledger in self.ledgers.values())
