from typing import Any

import pytest
from tests.capicua.matches import match, replay
from tests.domino_rules.table.lives import KINDS, life_of
from tests.domino_rules.test_timekeeping_logged import logged_at

from capicua.replay import Verification
from contracts.api import Replay, ReplayOutcome
from domino_rules import RULES_VERSION


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


# ---- with the times of the log


def timed(kind: str) -> Replay:
    """A life of that kind as a gateway of today tells it: with what outages have given back."""
    outcomes, version = [], 0
    steps = [step for step in life_of(KINDS[kind], 28) if step.events]
    for step in steps:
        version += len(step.events)
        events = tuple(event.to_json() for event in step.events)
        outcomes.append(ReplayOutcome(version=version, at=logged_at(step), events=events, given_back_ms=0))
    ruleset = outcomes[0].events[0]["ruleset"]
    return Replay(table_id="table-1", rules_version=RULES_VERSION, ruleset=ruleset, outcomes=tuple(outcomes))


def test_a_match_clock_was_charged_exactly_what_passed() -> None:
    honest = timed("all-fives-far")
    assert Verification(honest).run().first_wrong is None
    outcome = with_event(honest, "clock-stopped")
    left_ms = next(event["left_ms"] for event in outcome.events if event["type"] == "clock-stopped")
    cheated = tampered(honest, outcome.version, events=changed(outcome, "clock-stopped", left_ms=left_ms - 1))
    wrong = Verification(cheated).run().first_wrong
    assert wrong is not None
    assert (wrong.version, wrong.what) == (outcome.version, "clock-stopped, left_ms")


def test_a_turn_that_timed_out_was_due() -> None:
    honest = timed("draw-3-far")
    assert Verification(honest).run().first_wrong is None
    outcome = with_event(honest, "turn-timed-out")
    wrong = Verification(tampered(honest, outcome.version, at=outcome.at - 60_000)).run().first_wrong
    assert wrong is not None
    assert (wrong.version, wrong.what) == (outcome.version, "turn-timed-out")
