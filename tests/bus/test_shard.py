"""A shard decides what it is given and folds what it wrote to the same state."""

import json
from dataclasses import replace
from typing import Any

import pytest
from tests.bus.tally import Command, Event, Tally, TallyDecider

from bus.header import HEADER, Claim, CommandsSkipped, Founding, OutcomeHeader, pack
from bus.outages import Outage
from bus.outcomes import Outcome
from bus.records import Record, TopicPartition
from bus.shard import Decided, Shard

OWNER = b"o" * 16
ENTROPY = bytes(32)
TallyShard = Shard[Tally, Command, Event]


class Bench:
    """One shard under a claim, the records it appends, and the commands it is given."""

    def __init__(self) -> None:
        self.shard: TallyShard = Shard(TallyDecider(), 0, 1)
        self.log: list[Record] = []
        self.commands = 0
        self.append(b"", b"", pack(Founding(b"l" * 16)))
        self.append(b"", b"", pack(Claim(OWNER, 0)))
        for record in self.log:
            self.shard.restore(record)

    def append(self, key: bytes, value: bytes, header: bytes) -> None:
        self.log.append(Record("tally.events", 0, len(self.log), 5000, key, value, ((HEADER, header),)))

    def send(
        self, payload: Any, command_id: str = "", by: str = "tester", at: int = 5000, key: str = "a", **sent: Any
    ) -> Decided:
        body = {"id": command_id or f"c{self.commands}", "principal": by, "aggregate": "a", "command": payload, **sent}
        return self.send_raw(json.dumps(body).encode(), key.encode(), at)

    def send_raw(self, value: bytes, key: bytes, at: int = 5000) -> Decided:
        record = Record("tally.commands", 0, self.commands, at, key, value, ())
        self.commands += 1
        decided = self.shard.decide(record, at, at, ENTROPY)
        self.append(decided.key, decided.value, pack(decided.header))
        return decided

    def folded(self) -> TallyShard:
        shard: TallyShard = Shard(TallyDecider(), 0, 1)
        for record in self.log:
            shard.restore(record)
        return shard


def body(decided: Decided) -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads(decided.value)
    return parsed


def add(number: int) -> dict[str, Any]:
    return {"type": "add", "number": number}


def test_what_was_decided_folds_to_the_same_state() -> None:
    bench = Bench()
    for number in range(5):
        bench.send(add(number))
    bench.send({"type": "arm", "milliseconds": 100})
    folded = bench.folded()
    state = folded.aggregates["a"].state
    assert state == bench.shard.aggregates["a"].state
    assert state is not None
    assert state.total == 10
    assert folded.digest == bench.shard.digest != 0
    assert folded.fold.validity.next_command == 6
    assert folded.alarms == []


def test_a_repeated_id_gets_the_first_answer_and_no_effect() -> None:
    bench = Bench()
    bench.send(add(1), "x")
    bench.send(add(1))
    again = bench.send(add(1), "x")
    assert again.code == "duplicate"
    assert (body(again)["duplicate_of"], body(again)["version"], body(again)["events"]) == (0, 1, [])
    assert bench.shard.aggregates["a"].version == 2


def test_a_repeated_id_of_a_refused_command_is_refused_again_after_a_restart() -> None:
    bench = Bench()
    bench.send(add(1))
    bench.send(add(-1), "x")
    bench.shard = bench.folded()
    assert body(bench.send(add(5), "x"))["refusal"]["code"] == "negative"
    assert bench.shard.aggregates["a"].version == 1


def test_the_same_id_of_another_principal_is_another_command() -> None:
    bench = Bench()
    bench.send(add(1), "x", by="tester")
    assert bench.send(add(1), "x", by="somebody").code == "accepted"


@pytest.mark.parametrize("value", [b"", b"{", b"[]", b'{"id":"x"}', b"\xff\xfe"])
def test_an_unreadable_command_becomes_a_fault_outcome_that_changes_nothing(value: bytes) -> None:
    bench = Bench()
    bench.send(add(1))
    faulted = bench.send_raw(value, b"a")
    assert faulted.code == "undecodable"
    assert (faulted.header.from_version, faulted.header.to_version) == (1, 1)
    assert bench.send(add(1)).code == "accepted"
    assert bench.folded().alarms == []


def test_an_unknown_command_says_what_was_expected_and_got() -> None:
    fault = body(Bench().send({"type": "subtract"}))["fault"]
    assert fault["code"] == "undecodable"
    assert "subtract" in fault["message"]


def test_a_key_that_is_not_the_bodys_aggregate_is_a_fault() -> None:
    bench = Bench()
    assert bench.send(add(1), key="b").code == "wrong-key"
    assert bench.shard.aggregates == {}


@pytest.mark.parametrize("letter", ["k", "\U0001d11e"])
def test_a_key_of_any_size_has_an_outcome_that_fits_into_a_record(letter: str) -> None:
    bench = Bench()
    key = letter * 200_000
    decided = bench.send_raw(
        json.dumps({"id": "c", "principal": "p", "aggregate": key, "command": add(1)}).encode(), key.encode()
    )
    named = bench.send(add(1), key=key)
    assert (decided.code, named.code) == ("undecodable", "wrong-key")
    assert max(len(decided.key), len(named.key)) < 1000
    assert max(len(decided.value), len(named.value)) < 8000
    assert bench.send(add(1)).code == "accepted"
    assert bench.folded().alarms == []


def test_a_command_in_a_strange_partition_is_a_fault() -> None:
    bench = Bench()
    bench.shard.partitions = 7
    record = Record("tally.commands", 4, 0, 0, b"a", json.dumps(
        {"id": "x", "principal": "p", "aggregate": "a", "command": add(1)}).encode(), ())  # fmt: skip
    assert bench.shard.decide(record, 0, 0, ENTROPY).code == "wrong-partition"


def test_a_bug_in_decide_is_a_fault_and_an_alarm_without_the_commands_content() -> None:
    bench = Bench()
    bench.send(add(1))
    assert bench.send({"type": "explode"}).code == "bug"
    assert bench.shard.alarms == ["tally a: ZeroDivisionError while deciding"]
    assert bench.send(add(1)).code == "accepted"


def test_an_outcome_over_the_limit_becomes_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench()
    monkeypatch.setattr("bus.shard.OUTCOME_BYTES_MAX", 250)
    assert bench.send(add(10**200)).code == "outcome-too-large"
    assert bench.shard.aggregates == {}


def test_a_timeout_must_be_current_and_due() -> None:
    bench = Bench()
    assert bench.send({"type": "time-out", "kind": "alarm", "ref": "alarm-0"}).code == "not-current"
    bench.send({"type": "arm", "milliseconds": 100}, at=5000)
    early = bench.send({"type": "time-out", "kind": "alarm", "ref": "alarm-0"}, "t", at=5100)
    assert early.code == "too-early"
    due = bench.send({"type": "time-out", "kind": "alarm", "ref": "alarm-0"}, "t", at=5101)
    assert due.code == "accepted", "a too early timeout is not remembered as this id's answer"
    assert bench.shard.aggregates["a"].state == Tally(1000, 1)
    late = bench.send({"type": "time-out", "kind": "alarm", "ref": "alarm-0"}, at=5102)
    assert late.code == "not-current"


def test_any_command_logged_after_the_deadline_finds_the_timeout_applied() -> None:
    bench = Bench()
    bench.send({"type": "arm", "milliseconds": 100}, at=5000)
    assert bench.send(add(1), at=5100).header.to_version == 2
    late = bench.send(add(-1), at=5101)
    assert late.code == "negative"
    assert [event["type"] for event in body(late)["events"]] == ["rang", "added"]
    assert bench.folded().aggregates["a"].state == Tally(1001, 1)


def test_every_outcome_carries_the_standing_deadline_refusals_and_faults_too() -> None:
    bench = Bench()
    armed = bench.send({"type": "arm", "milliseconds": 100}, at=5000)
    for later in (bench.send(add(-1)), bench.send_raw(b"?", b"a"), bench.send({"type": "explode"})):
        assert later.header.deadline == armed.header.deadline is not None


def test_a_refusal_for_an_unknown_aggregate_creates_no_state() -> None:
    bench = Bench()
    assert bench.send(add(-1)).code == "negative"
    assert bench.shard.aggregates == bench.folded().aggregates == {}


def test_who_asked_by_a_policy_is_named_with_a_refusal_or_a_fault_alone() -> None:
    bench = Bench()
    for trouble in (add(-1), {"type": "explode"}, {"type": "nothing-known"}):
        assert body(bench.send(trouble, asked_by="eu"))["asked_by"] == "eu"
    assert "asked_by" not in body(bench.send(add(1), asked_by="eu"))
    assert "asked_by" not in body(bench.send(add(-1)))


def test_an_event_that_does_not_fold_quarantines_its_aggregate_and_nobody_else() -> None:
    bench = Bench()
    bench.send(add(1))
    strange = bench.log[-1].value or b""
    bench.log[-1] = replace(bench.log[-1], value=strange.replace(b'"added"', b'"aged"'))
    bench.shard = bench.folded()
    assert len(bench.shard.alarms) == 1
    assert "UnknownEvent" in bench.shard.alarms[0]
    assert bench.send(add(1)).code == "quarantined"


def test_a_version_that_does_not_follow_quarantines_the_aggregate() -> None:
    bench = Bench()
    bench.send(add(1))
    bench.send(add(1))
    del bench.log[2]  # the first outcome is gone, and the second pretends to be it
    header = OutcomeHeader(1, OWNER, 0, 1, 2, 0, None, None)
    bench.log[2] = replace(bench.log[2], headers=((HEADER, pack(header)),))
    shard = bench.folded()
    assert shard.aggregates["a"].quarantined is not None
    assert any("digest" in alarm for alarm in shard.alarms)


def test_of_commands_that_were_passed_over_no_id_is_known() -> None:
    bench = Bench()
    bench.send(add(1))
    assert bench.folded().last_command_id == "c0"
    bench.append(b"", b"", pack(CommandsSkipped(1, 3, "poison")))
    folded = bench.folded()
    assert (folded.fold.validity.next_command, folded.last_command_id) == (4, None)


def test_a_body_that_disagrees_with_its_header_is_not_believed() -> None:
    header = OutcomeHeader(1, OWNER, 0, 0, 2, 0, None, None)
    value = json.dumps({"command_id": "x", "principal": "p", "aggregate": "a", "version": 2, "at": 0, "decided_at": 0,
                        "rules_version": "1", "events": [{"type": "added", "number": 1}]}).encode()  # fmt: skip
    outcome = Outcome(TopicPartition("tally.events", 0), 2, "a", header, value, 0)
    with pytest.raises(ValueError, match="disagrees"):
        outcome.body()


def test_a_flood_of_strangers_never_pushes_out_a_seated_persons_answers() -> None:
    bench = Bench()
    bench.send(add(1), "mine", by="tester")
    for number in range(200):
        bench.send(add(1), f"x{number}", by=f"stranger-{number}")
    assert bench.send(add(1), "mine", by="tester").code == "duplicate"
    assert bench.send(add(1), "x0", by="stranger-0").code == "accepted", "strangers' answers are bounded"


def test_an_outage_puts_the_deadline_off_for_timeouts_and_for_everybody_else() -> None:
    bench = Bench()
    bench.send({"type": "arm", "milliseconds": 100}, at=5000)
    outages = bench.shard.fold.validity.outages
    outages.hear(9000)
    outages.hear(10_000)
    assert outages.known == (Outage(5000, 9000),)
    due = 5100 + 4000 + 5000
    early = bench.send({"type": "time-out", "kind": "alarm", "ref": "alarm-0"}, at=due)
    assert (early.code, body(early)["refusal"]["expected"]) == ("too-early", f"after {due}")
    assert bench.send(add(1), at=due).header.to_version == 2, "the deadline has not fallen due"
    assert early.header.deadline is not None
    assert early.header.deadline.due_at == 5100, "the log holds the deadline as it was set"
    assert bench.send({"type": "time-out", "kind": "alarm", "ref": "alarm-0"}, at=due + 1).code == "accepted"


def test_a_poisoned_command_is_a_fault_that_nobody_reads() -> None:
    bench = Bench()
    bench.send(add(1))
    decided = bench.shard.decide(
        Record("tally.commands", 0, 1, 5000, b"a", b"\xff", ()), 5000, 5000, ENTROPY, poisoned=True
    )
    assert decided.code == "poison"
    assert (decided.header.from_version, decided.header.to_version) == (1, 1)
