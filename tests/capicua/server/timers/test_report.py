import json
from collections.abc import Sequence

from tests.capicua.server.audit.scribe import ADDED, NOON, Scribe, alarm, timeout

from bus.decider import Deadline
from bus.outcomes import PartitionFold
from capicua.server.timers.lately import LatelyEnded
from capicua.server.timers.lines import lines, span
from capicua.server.timers.reading import Survey
from capicua.server.timers.report import Report, make_report
from capicua.server.timers.standing import Partition


def report(*logs: Scribe, now: int, told: int = 0, fresh: bool = True) -> Report:
    ended = LatelyEnded()
    partitions: Sequence[Partition] = [Partition(PartitionFold(log.source), ended) for log in logs]
    for log, partition in zip(logs, partitions, strict=True):
        partition.take(log.events)
    return make_report(Survey(partitions, now, fresh, sum(len(log.events) for log in logs), []), told)


def missed() -> Scribe:
    """At five seconds past noon: two alarms missed, one to come, one in time; a timeout 40 ms late."""
    log = Scribe().begin()
    log.outcome("first", [ADDED], deadline=alarm(0, length=1000))
    log.outcome("second", [ADDED], deadline=alarm(0, length=2000))
    log.outcome("third", [ADDED], deadline=alarm(0, length=65_000))
    log.outcome("fourth", [ADDED], deadline=alarm(0, length=4500))
    log.outcome("rung", [ADDED], deadline=Deadline("bell", "bell-0", NOON, NOON + 2000))
    log.now += 2050
    log.outcome("rung", [ADDED], deadline=None, at=NOON + 2040, **timeout("bell-0", "rung"))
    log.now = NOON + 5000
    log.beat()
    return log


def test_people_read_what_stands_what_was_missed_and_how_late_it_was_lately() -> None:
    log = missed()
    assert list(lines(report(log, now=log.now, told=5))) == [
        "9 records in 1 partitions; times by the brokers' clock.",
        "decider  kind   armed  next due  put off  overdue  oldest overdue",
        "tally    alarm  4      in 0.0 s  0        2        tally.events:0 first alarm alarm-0: 4.0 s late",
        "tally    bell   0      -         0        0        -",
        "Of the last 1000 of each decider that ended after they were due, in ms:",
        "decider  kind  timeouts  asked late: p50  p99  max  in effect: p50  p99  max  by others",
        "tally    bell  1         40               40   40   50              50   50   0",
        "OVERDUE tally.events:0 first alarm alarm-0: 4.0 s late",
        "OVERDUE tally.events:0 second alarm alarm-0: 3.0 s late",
        "NOT well: something is overdue, or waits for an owner.",
    ]


def test_of_the_overdue_only_the_oldest_are_told() -> None:
    log = missed()
    worst = report(log, now=log.now, told=1).worst
    assert [each.aggregate for each in worst] == ["first"]
    assert report(log, now=log.now).worst == []


def test_a_report_is_json() -> None:
    log = missed()
    body = json.loads(json.dumps(report(log, now=log.now, told=1).to_json()))
    late = {
        "topic": "tally.events", "partition": 0, "aggregate": "first", "kind": "alarm", "ref": "alarm-0",
        "due_at": NOON + 1000, "late_ms": 4000,
    }  # fmt: skip
    assert (body["healthy"], body["clock"], body["now"]) == (False, "broker", NOON + 5000)
    assert body["overdue"] == [late]
    alarms, bells = body["kinds"]
    assert alarms == {
        "decider": "tally", "kind": "alarm", "armed": 4, "put_off": 0, "next_due": NOON + 4500, "overdue": 2,
        "oldest": late,
        "lately": {"timeouts": 0, "asked_late_ms": None, "effective_late_ms": None, "by_others": 0},
    }  # fmt: skip
    assert bells["lately"]["effective_late_ms"] == {"p50": 50, "p99": 50, "max": 50}


def test_who_waits_for_an_owner_is_told_and_is_not_well() -> None:
    log = Scribe().begin()
    log.outcome("a", [ADDED], deadline=alarm(length=60_000))
    found = report(log, now=NOON + 3_600_000, fresh=False)
    said = list(lines(found))
    assert said[0].endswith("times by this machine's clock: no owner was heard just now.")
    assert "tally    alarm  1      -         1        0        -" in said
    assert "SILENT tally.events:0: no owner for 1:00:00; deadlines that wait for one: 1" in said
    assert not found.healthy


def test_all_is_well_while_an_owner_is_heard_and_nothing_is_late() -> None:
    log = Scribe().begin()
    log.outcome("a", [ADDED], deadline=alarm(length=60_000))
    found = report(log, now=NOON + 2000)
    assert found.healthy
    assert list(lines(found))[-1] == "Nothing is overdue."


def test_nothing_of_a_strangers_name_moves_the_terminal() -> None:
    log = Scribe().begin()
    log.outcome("\x1b[2J", [ADDED], deadline=Deadline("a\nb", "\x07", NOON, NOON))
    log.now += 2000
    log.beat()
    said = "\n".join(lines(report(log, now=log.now, told=1)))
    assert all(letter.isprintable() for letter in said.replace("\n", ""))
    assert "OVERDUE tally.events:0 ?[2J a?b ?: 2.0 s late" in said


def test_lengths_of_time_are_read_at_a_glance_however_long() -> None:
    assert [span(ms) for ms in (0, 59_999, 60_000, 3_845_000, 31 * 86_400_000 + 7_200_000)] == [
        "0.0 s", "59.9 s", "0:01:00", "1:04:05", "31 d 2:00:00",
    ]  # fmt: skip
    assert span(2**63 - 1).startswith("106,751,991,167 d")
