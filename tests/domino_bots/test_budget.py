"""The budget holds: by counting as a rule, by the clock where a machine is slow."""

from collections.abc import Iterator

import pytest
from tests.domino_bots.playing import RULESETS, Play

from domino_bots import SeatView, Strength, choose
from domino_bots.budget import BRAKE, LOOK_EVERY, PLIES_PER_MS, Budget
from domino_bots.expert import expert_action
from domino_rules import legal_actions


def still() -> float:
    return 0.0


def slow_clock(step_seconds: float) -> Iterator[float]:
    now = 0.0
    while True:
        yield now
        now += step_seconds


def first_choice(name: str) -> SeatView:
    """The first view in which the opener has every tile to choose from."""
    play = Play(RULESETS[name], seed=1)
    while play.match.status != "playing" or len(play.view().legal) < 4:
        play.turn(lambda match, view: legal_actions(match)[0])
    return play.view()


def test_a_budget_ends_with_its_plies() -> None:
    budget = Budget(1.0, still)
    assert budget.spend(PLIES_PER_MS - 1)
    assert not budget.spend(1)


def test_a_budget_ends_early_on_a_clock_that_runs_away() -> None:
    clock = slow_clock(0.0005)
    budget = Budget(2.0, lambda: next(clock))
    spent = 0
    while budget.spend(LOOK_EVERY):
        spent += 1
    assert spent == 2.0 * BRAKE // 0.5
    assert budget.plies_left == 0


@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.parametrize("budget_ms", [0.0, 0.2, 3.0])
def test_an_expert_looks_at_the_clock_and_stops(name: str, budget_ms: float) -> None:
    """Every look takes 0.1 ms on this clock, so a decision may take no more looks than its budget has of those."""
    clock, looks = slow_clock(0.0001), 0

    def look() -> float:
        nonlocal looks
        looks += 1
        return next(clock)

    view = first_choice(name)
    assert choose(view, Strength.EXPERT, 1, budget_ms, look) in view.legal
    assert (looks - 1) * 0.1 <= budget_ms + 0.1


@pytest.mark.parametrize("name", RULESETS)
def test_a_decision_ends_within_a_world_of_its_plies(name: str) -> None:
    """What is begun in the last world is finished: a few dozen plies for each candidate."""
    view, budget = first_choice(name), Budget(4.0, still)
    expert_action(view, 1, budget)
    assert budget.plies_left > -60 * 2 * len(view.legal)
