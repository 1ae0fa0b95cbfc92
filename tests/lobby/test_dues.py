"""A region does what is due and nothing else."""

import pytest
from tests.lobby.lobbies import NOON, given, ticket
from tests.lobby.offered import gone

from bus.decider import Deadline
from bus.judging import context_of
from contracts.envelope import CommandEnvelope, TimeOut
from lobby.region import dues


def test_a_due_of_a_kind_that_nobody_knows_takes_nobodys_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    here = given(ticket("ann"), gone("ann"))
    assert here.state is not None
    monkeypatch.setattr(dues, "deadline", lambda _: Deadline("tea", "tea-5", NOON, NOON))
    envelope = CommandEnvelope(id="c", principal="timer", aggregate="eu", command={})
    with pytest.raises(ValueError, match="expected fill, widen, lapse or away, got 'tea'"):
        dues.time_out(here.state, context_of(envelope, NOON + 1, NOON + 1, bytes(32)))


def test_a_timeout_of_an_unknown_kind_is_refused_even_with_the_right_name() -> None:
    here = given(ticket("ann"), gone("ann"))
    assert here.state is not None
    due = dues.deadline(here.state)
    assert due is not None
    here.when(TimeOut(kind="tea", ref=due.ref), by="timer", at=NOON + 2 * dues.LAPSE_MS).refused("not-current")
