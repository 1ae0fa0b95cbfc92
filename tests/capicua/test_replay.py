from typing import Any

import pytest
from tests.capicua.matches import match, replay

from capicua.replay import Verification
from contracts.api import Replay


def tampered(honest: Replay, version: int, **changes: Any) -> Replay:
    outcomes = [
        outcome.model_copy(update=changes) if outcome.version == version else outcome for outcome in honest.outcomes
    ]
    return honest.model_copy(update={"outcomes": tuple(outcomes)})


@pytest.fixture(scope="module")
def honest() -> Replay:
    return replay(list(match("draw", 3, 50)))


def hashed_versions(honest: Replay) -> list[int]:
    return [outcome.version for outcome in honest.outcomes if outcome.state_hash]


@pytest.mark.parametrize("preset", ["draw", "block"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_an_honest_replay_verifies_with_every_hash_and_every_deal(preset: str, seats: int) -> None:
    verification = Verification(replay(list(match(preset, seats, 50)))).run()
    assert verification.first_wrong is None
    assert verification.hashes_checked == verification.deals_checked > 0


def test_a_changed_hash_is_found_at_its_version(honest: Replay) -> None:
    version = hashed_versions(honest)[0]
    wrong = Verification(tampered(honest, version, state_hash="0" * 64)).run().first_wrong
    assert wrong is not None
    assert (wrong.version, wrong.what, wrong.got) == (version, "state hash", "0" * 64)


def test_changed_points_are_found_at_the_next_hash(honest: Replay) -> None:
    version = hashed_versions(honest)[0]
    outcome = next(outcome for outcome in honest.outcomes if outcome.version == version)
    events = tuple(
        event | {"scores": [50 for _ in event["scores"]]} if event["type"] == "round-ended" else event
        for event in outcome.events
    )
    wrong = Verification(tampered(honest, version, events=events)).run().first_wrong
    assert wrong is not None
    assert (wrong.version, wrong.what) == (version, "state hash")


def test_a_deal_that_does_not_follow_from_its_seeds_is_found(honest: Replay) -> None:
    version = next(o.version for o in honest.outcomes if any(e["type"] == "round-dealt" for e in o.events))
    outcome = next(outcome for outcome in honest.outcomes if outcome.version == version)
    events = tuple(
        event | {"client_seeds": ["loaded", "", ""]} if event["type"] == "round-dealt" else event
        for event in outcome.events
    )
    wrong = Verification(tampered(honest, version, events=events)).run().first_wrong
    assert wrong is not None
    assert (wrong.what, wrong.version) == ("deal of round 1", hashed_versions(honest)[0])


def test_an_opener_that_the_lot_does_not_give_is_found() -> None:
    honest = replay(list(match("all-fives", 2, 100)))
    assert Verification(honest).run().first_wrong is None
    outcome = next(o for o in honest.outcomes if any(event["type"] == "round-dealt" for event in o.events))
    events = tuple(
        event | {"opener": 3 - event["opener"]} if event["type"] == "round-dealt" else event for event in outcome.events
    )
    wrong = Verification(tampered(honest, outcome.version, events=events)).run().first_wrong
    assert wrong is not None
    assert (wrong.what, wrong.version) == ("deal of round 1", hashed_versions(honest)[0])
    assert wrong.got.startswith("lot: expected seat ")


def test_a_missing_outcome_is_found(honest: Replay) -> None:
    calls = [number for number, o in enumerate(honest.outcomes) if o.events[0]["type"] == "player-seated"]
    outcomes = honest.outcomes[: calls[0]] + honest.outcomes[calls[0] + 1 :]
    wrong = Verification(honest.model_copy(update={"outcomes": outcomes})).run().first_wrong
    assert wrong is not None
    assert wrong.what == "version"
    assert wrong.version == honest.outcomes[calls[1]].version
