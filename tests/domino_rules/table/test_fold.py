from pathlib import Path

import pytest
from tests.domino_rules.table.golden import FILES, NAMES, golden_life, read_golden
from tests.domino_rules.table.lives import draws

from domino_rules import Passed, Ruleset, table
from domino_rules.table import Moment, Reservation
from domino_rules.table.events import PlayerReady, TableExpired, TableOpened
from domino_rules.table.fold import MisplacedEvent
from domino_rules.table.state import Expired

OPENED = TableOpened("t1", Ruleset.of("draw"), (Reservation("ann"), Reservation("bob")), "eu", 0, 10_000)


def test_a_table_begins_with_its_opening_and_with_nothing_else() -> None:
    assert isinstance(table.evolve(None, OPENED), table.Waiting)
    with pytest.raises(MisplacedEvent, match="passed cannot follow on nothing"):
        table.evolve(None, Passed(1))


def test_an_event_that_cannot_follow_says_so_without_its_content() -> None:
    with pytest.raises(MisplacedEvent, match=r"^player-ready cannot follow on Waiting$"):
        table.evolve(table.evolve(None, OPENED), PlayerReady(1, "salt"))


def test_an_expired_table_waits_for_nothing() -> None:
    expired = table.evolve(table.evolve(None, OPENED), TableExpired())
    assert isinstance(expired, Expired)
    assert table.deadline(expired) is None
    assert table.view_for(expired, 1)["status"] == "expired"
    assert table.from_json(table.to_json(expired)) == expired


def test_a_fold_leaves_the_state_before_as_it_was() -> None:
    waiting = table.evolve(None, OPENED)
    before = table.state_hash(waiting)
    table.sit_down(waiting, "ann", "salt", Moment(5, draws("test")))
    assert table.state_hash(waiting) == before


def test_every_golden_table_is_there() -> None:
    assert {file.stem for file in FILES} == set(NAMES)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_golden_table_still_folds_to_the_state_it_had(file: Path) -> None:
    bodies, digest = read_golden(file)
    state = None
    for body in bodies:
        state = table.evolve(state, table.event_from_json(body))
    assert state is not None
    assert table.state_hash(state) == digest


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_golden_table_is_still_decided_as_it_was(file: Path) -> None:
    bodies, _ = read_golden(file)
    assert [event.to_json() for event in golden_life(file.stem)] == bodies
