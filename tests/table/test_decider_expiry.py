"""A table expires when no person has done anything for a day; all that programs do keeps none alive."""

from typing import Any

import pytest
from tests.table.tables import NOON, Table, act, dealt, decider, events_of, given, kinds, pausing, play

from bus.decider import Deadline
from bus.judging import context_of, judge
from bus.outages import Outage, Outages
from contracts.envelope import CommandEnvelope, TimeOut
from contracts.message import Message
from contracts.table import LeaveTable, NextRound, PassTurn, ReturnToSeat, SitDown
from contracts.topics import COMMANDS_KEPT_MS, DAY_MS
from domino_rules.ruleset import Ruleset
from domino_rules.table import Expired, view_for
from domino_rules.table.events import PersonActed, PlayerLeft, PlayerReturned, TableExpired
from table.decider import TableDecider

MINUTE = 60_000
DAY = 24 * 60 * MINUTE
WEEK = 7 * DAY
SLOW = Ruleset.of("draw", 2, turn_ms=WEEK)
"""A house rule by which a turn lasts longer than a table without people."""


def slow(ruleset: Ruleset = SLOW) -> Table:
    """Opened and dealt at noon."""
    return given(*dealt(ruleset=ruleset))


def deadline(table: Table) -> Deadline | None:
    assert table.state is not None
    return decider.deadline(table.state)


def test_a_table_expires_a_day_and_a_minute_after_its_opening_if_no_person_ever_comes() -> None:
    assert deadline(slow()) == Deadline("expiry", f"expiry-{NOON}", NOON, NOON + DAY + MINUTE)
    expired = slow()
    expired.when_due().then(TableExpired())
    expired = expired.after(TimeOut(kind="expiry", ref=f"expiry-{NOON}"), by="timer", at=NOON + DAY + MINUTE + 1)
    assert isinstance(expired.state, Expired)
    assert view_for(expired.state, 1)["status"] == "expired"
    expired.when(SitDown(), by="ann", at=NOON + DAY + MINUTE + 2).refused("table-over")
    assert deadline(expired) == Deadline("retire", "retire", NOON, NOON + COMMANDS_KEPT_MS + DAY_MS)


@pytest.mark.parametrize("preset", ["draw", "duel-draw", "party"])
def test_the_deadline_of_the_turn_stands_as_long_as_it_is_the_earlier(preset: str) -> None:
    due = deadline(slow(Ruleset.of(preset, 2)))
    assert due is not None
    assert due.kind in ("turn", "clock")
    in_pause = deadline(pausing())
    assert in_pause is not None
    assert in_pause.kind == "pause"


def test_a_person_who_acts_is_noted_once_a_minute() -> None:
    table = slow()
    table.when(SitDown(), by="bob", at=NOON + MINUTE - 1, human=True).nothing()
    table.when(SitDown(), by="bob", at=NOON + MINUTE, human=True).then(PersonActed(NOON + MINUTE))
    noted = table.after(SitDown(), by="bob", at=NOON + MINUTE, human=True)
    assert deadline(noted) == Deadline("expiry", f"expiry-{NOON + MINUTE}", NOON + MINUTE, NOON + MINUTE + DAY + MINUTE)
    noted.when(ReturnToSeat(), by="ann", at=NOON + 2 * MINUTE - 1, human=True).nothing()
    noted.when(ReturnToSeat(), by="ann", at=NOON + 2 * MINUTE, human=True).then(PersonActed(NOON + 2 * MINUTE))


def test_no_table_expires_before_a_day_without_a_persons_command() -> None:
    """What came less than a minute after the last note is not noted, and is waited for all the same."""
    table = slow().after(SitDown(), by="bob", at=NOON + 5 * MINUTE, human=True)
    last = NOON + 6 * MINUTE - 1
    table.when(SitDown(), by="bob", at=last, human=True).nothing()
    table.when(SitDown(), by="bob", at=last + DAY, human=True).then(PersonActed(last + DAY))
    due = deadline(table)
    assert due is not None
    assert due.due_at == last + 1 + DAY


@pytest.mark.parametrize(
    ("command", "by", "human"),
    [
        (SitDown(), "bob", False),
        (act("6-6", 1), "ann", False),
        (LeaveTable(), "eve", True),
        (PassTurn(turn=1), "ann", True),
        (play("6-1", 7), "ann", True),
    ],
)
def test_programs_strangers_and_what_is_refused_keep_no_table_alive(command: Message, by: str, human: bool) -> None:
    decision = slow().when(command, by=by, at=NOON + MINUTE, human=human).decision
    assert "person-acted" not in [event.tag for event in decision.events]


def test_the_autopilot_and_the_timer_keep_no_table_alive() -> None:
    left = slow().after(LeaveTable(), by="ann", at=NOON + MINUTE, human=True)
    played = left.when_due(late_ms=5 * MINUTE)
    assert kinds(played) == ["tile-played", "turn-started"]
    left.state = played.decision.state
    assert deadline(left) == Deadline("expiry", f"expiry-{NOON + MINUTE}", NOON + MINUTE, NOON + 2 * MINUTE + DAY)


def test_the_note_comes_before_what_the_person_did() -> None:
    leaving = events_of(slow().when(LeaveTable(), by="bob", at=NOON + MINUTE, human=True))
    assert leaving[:2] == [PersonActed(NOON + MINUTE), PlayerLeft(2)]
    left = slow().after(LeaveTable(), by="bob", at=NOON)
    back = events_of(left.when(ReturnToSeat(), by="bob", at=NOON + MINUTE, human=True))
    assert back[:2] == [PersonActed(NOON + MINUTE), PlayerReturned(2)]


def test_a_refused_play_that_brings_its_person_back_is_noted_too() -> None:
    timed_out = given(*dealt()).after(TimeOut(kind="turn", ref="turn-1"), by="timer", at=NOON + 20_001)
    later = timed_out.after(play("6-5@left", 2), by="bob", at=NOON + 40_001)
    then = later.when(play("3-2", 3), by="ann", at=NOON + MINUTE - 18_000, decided_at=NOON + MINUTE, human=True)
    assert then.decision.code == "does-not-fit"
    assert [event.tag for event in then.decision.events] == ["person-acted", "autopilot-stopped", "turn-started"]


@pytest.mark.parametrize(
    ("command", "by"), [(SitDown(), "ann"), (act("6-6", 1), "ann"), (NextRound(round=1), "bob"), (SitDown(), "eve")]
)
def test_the_first_command_after_the_expiry_finds_the_table_expired(command: Message, by: str) -> None:
    then = slow().when(command, by=by, at=NOON + DAY + MINUTE + 1, human=True)
    assert then.decision.events == (TableExpired(),)
    assert then.decision.code in ("table-over", "not-seated")
    at_the_deadline = slow().when(SitDown(), by="ann", at=NOON + DAY + MINUTE, human=True)
    at_the_deadline.then(PersonActed(NOON + DAY + MINUTE))


def test_an_expiry_that_a_person_has_put_off_is_not_current() -> None:
    noted = slow().after(SitDown(), by="bob", at=NOON + MINUTE, human=True)
    old = TimeOut(kind="expiry", ref=f"expiry-{NOON}")
    noted.when(old, by="timer", at=NOON + DAY + MINUTE + 1).refused("not-current")
    new = TimeOut(kind="expiry", ref=f"expiry-{NOON + MINUTE}")
    noted.when(new, by="timer", at=NOON + DAY + 2 * MINUTE).refused("too-early")


def test_an_expired_table_is_kept_from_when_a_person_last_acted() -> None:
    noted = slow().after(SitDown(), by="bob", at=NOON + 5 * MINUTE, human=True)
    expired = noted.after(
        TimeOut(kind="expiry", ref=f"expiry-{NOON + 5 * MINUTE}"), by="timer", at=NOON + DAY + 6 * MINUTE + 1
    )
    set_at = NOON + 5 * MINUTE
    assert deadline(expired) == Deadline("retire", "retire", set_at, set_at + COMMANDS_KEPT_MS + DAY_MS)


def test_a_pause_that_nobody_ends_expires_too() -> None:
    paused = pausing(ruleset=Ruleset.of("draw", 2, pause_ms=WEEK))
    assert kinds(paused.when_due()) == ["table-expired"]


def test_an_outage_puts_the_expiry_off_and_what_a_person_does_after_it_counts_in_full() -> None:
    hour = 60 * MINUTE
    outages = Outages(NOON + 2 * hour, (Outage(NOON + hour, NOON + 2 * hour),))
    due = NOON + DAY + MINUTE + hour + 5_000
    for at, events in ((due, (PersonActed(due),)), (due + 1, (TableExpired(),))):
        assert judged(SitDown(), at, outages).events == events


def judged(command: Message, at: int, outages: Outages) -> Any:
    envelope = CommandEnvelope(id="c", principal="ann", aggregate="t", command=command.model_dump(), human=True)
    return judge(TableDecider(), slow().state, envelope.command, context_of(envelope, at, at, bytes(32)), outages)
