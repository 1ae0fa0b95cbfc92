from pathlib import Path
from typing import Any

import pytest
from tests.domino_rules.table.golden import FILES, NAMES, golden_life, read_golden
from tests.domino_rules.table.lives import draws

from domino_rules import Passed, Ruleset, table
from domino_rules.table import Moment, Reservation
from domino_rules.table.events import PlayerReady, TableExpired, TableOpened
from domino_rules.table.fold import MisplacedEvent
from domino_rules.table.state import Expired

SPECIAL = {
    "tiles-drawn": "drawn",
    "passed": "passed",
    "clock-stopped": "a clock that stopped",
    "turn-timed-out": "a turn that timed out",
    "autopilot-started": "an autopilot",
    "player-left": "left",
    "player-returned": "returned",
}
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


def test_the_golden_tables_are_whole_matches_with_all_that_is_special_in_their_presets() -> None:
    events = {file.stem: read_golden(file)[0] for file in FILES}
    ends = {
        name: [body["reason"] for body in bodies if body["type"] == "match-ended"] for name, bodies in events.items()
    }
    assert ends == {name: ["clock" if name == "duel-draw-flag" else "target"] for name in events}
    seen = {name: {_special(body) for body in bodies} for name, bodies in events.items()}
    assert seen["duel-draw"] >= {"a play by house", "drawn", "a clock that stopped", "left", "returned"}
    assert seen["all-fives"] >= {"points of a play", "drawn", "a clock that stopped"}
    assert seen["all-fives-spinner"] >= {"four ends", "points of a play"}
    for name in ("party-3", "party-pairs"):
        assert seen[name] >= {"passed", "a turn that timed out", "an autopilot", "left", "returned"}
    assert seen["party-drawing"] >= {"drawn", "passed", "a turn that timed out"}
    assert [body["winner"] for body in events["party-pairs"] if body["type"] == "match-ended"] == [[2, 4]]


def _special(body: dict[str, Any]) -> str:
    match body:
        case {"type": "tile-played", "by": "house"}:
            return "a play by house"
        case {"type": "tile-played", "ends": {"up": _}}:
            return "four ends"
        case {"type": "tile-played", "points": points} if points:
            return "points of a play"
        case {"type": tag}:
            return SPECIAL.get(tag, "")
        case _:
            return ""


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
