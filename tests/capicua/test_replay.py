from typing import Any

import pytest
from tests.capicua.matches import match, replay

from capicua.replay import Verification
from contracts.api import Replay, ReplayOutcome


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


def changed(outcome: ReplayOutcome, tag: str, **changes: Any) -> tuple[dict[str, Any], ...]:
    return tuple([event | changes if event["type"] == tag else event for event in outcome.events])


def with_event(honest: Replay, tag: str) -> ReplayOutcome:
    return next(outcome for outcome in honest.outcomes if any(event["type"] == tag for event in outcome.events))


@pytest.mark.parametrize(
    ("tag", "changes", "what"),
    [
        ("round-ended", {"points": 49}, "round-ended, points"),
        ("tile-played", {"ends_total": 3}, "tile-played, ends_total"),
        ("round-dealt", {"client_seeds": ["loaded", "", ""]}, "round-dealt, client_seeds"),
    ],
)
def test_an_event_that_does_not_follow_by_the_rules_is_found_where_it_stands(
    honest: Replay, tag: str, changes: dict[str, Any], what: str
) -> None:
    outcome = with_event(honest, tag)
    wrong = Verification(tampered(honest, outcome.version, events=changed(outcome, tag, **changes))).run().first_wrong
    assert wrong is not None
    assert (wrong.version, wrong.what) == (outcome.version, what)


def test_an_opener_that_the_lot_does_not_give_is_found() -> None:
    honest = replay(list(match("all-fives", 2, 100)))
    assert Verification(honest).run().first_wrong is None
    outcome = with_event(honest, "round-dealt")
    opener = next(event["opener"] for event in outcome.events if event["type"] == "round-dealt")
    events = changed(outcome, "round-dealt", opener=3 - opener)
    wrong = Verification(tampered(honest, outcome.version, events=events)).run().first_wrong
    assert wrong is not None
    assert (wrong.version, wrong.what) == (outcome.version, "round-dealt, lot")


def test_a_match_of_other_rules_is_folded_and_its_hashes_are_checked_but_nothing_is_decided_again(
    honest: Replay,
) -> None:
    outcome = with_event(honest, "tile-played")
    events = changed(outcome, "tile-played", ends_total=3)
    other = tampered(honest, outcome.version, events=events).model_copy(update={"rules_version": "0"})
    verification = Verification(other).run()
    assert verification.first_wrong is None
    assert (verification.deals_checked, verification.events_checked) == (0, 0)
    assert verification.hashes_checked > 0


def test_a_missing_outcome_is_found(honest: Replay) -> None:
    calls = [number for number, o in enumerate(honest.outcomes) if o.events[0]["type"] == "player-seated"]
    outcomes = honest.outcomes[: calls[0]] + honest.outcomes[calls[0] + 1 :]
    wrong = Verification(honest.model_copy(update={"outcomes": outcomes})).run().first_wrong
    assert wrong is not None
    assert wrong.what == "version"
    assert wrong.version == honest.outcomes[calls[1]].version
