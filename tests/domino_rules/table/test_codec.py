import json

import pytest
from tests.domino_rules.table.lives import whole_life

from domino_rules import table


def test_the_hash_does_not_depend_on_the_order_of_fields() -> None:
    state = whole_life("block", 2, 3)[-1].after
    assert state is not None
    body = table.to_json(state)
    backwards = json.loads(json.dumps(body), object_pairs_hook=lambda pairs: dict(reversed(pairs)))
    assert table.state_hash(table.from_json(backwards)) == table.state_hash(state)


def test_states_that_differ_have_different_hashes() -> None:
    states = [step.after for step in whole_life("draw", 3, 4) if step.events]
    hashes = {table.state_hash(state) for state in states if state is not None}
    assert len(hashes) == len(states)


def test_an_unknown_status_is_an_error() -> None:
    state = whole_life("block", 2, 3)[-1].after
    assert state is not None
    with pytest.raises(ValueError, match="status: expected waiting, playing"):
        table.from_json({**table.to_json(state), "status": "dreaming"})
