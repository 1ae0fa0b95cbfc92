"""Old logs of private rooms."""

from pathlib import Path

import pytest
from tests.lobby.golden import FILES, SEEDS, read_golden
from tests.lobby.rooms import decider

from contracts.message import tags
from contracts.room import RoomEvent
from lobby.decider import State


def test_every_golden_room_is_there_and_together_they_have_every_event() -> None:
    assert {file.stem for file in FILES} == {f"room-{name}" for name in SEEDS}
    seen = {body["type"] for file in FILES for body in read_golden(file)[0]}
    assert seen == set(tags(RoomEvent)) - {"retired"}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_golden_room_still_folds_to_the_state_it_had(file: Path) -> None:
    bodies, expected = read_golden(file)
    state: State | None = None
    for body in bodies:
        state = decider.evolve(state, decider.decode_event(body))
    assert state == decider.state_from_json(expected)
