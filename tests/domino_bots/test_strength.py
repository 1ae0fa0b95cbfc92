"""All strengths: legal everywhere, the same for the same seed, within the budget."""

from random import Random

import pytest
from tests.domino_bots.playing import RULESETS, Play

from domino_bots import SeatView, Strength, choose
from domino_rules import Match, legal_actions
from domino_rules.actions import Action


@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.parametrize("strength", Strength)
def test_whole_matches_are_played_with_legal_actions_only(name: str, strength: Strength) -> None:
    def act(match: Match, view: SeatView) -> Action:
        action = choose(view, strength, seed=len(view.plays), budget_ms=0.2)
        assert action in legal_actions(match)
        return action

    assert Play(RULESETS[name], seed=5).to_the_end(act).match_ended is not None


@pytest.mark.parametrize("strength", Strength)
def test_the_same_seed_gives_the_same_choice(strength: Strength) -> None:
    play = Play(RULESETS["all-fives, four ends"], seed=8)
    chance = Random(3)

    def act(match: Match, view: SeatView) -> Action:
        seed = chance.randrange(1000)
        first, second = (choose(view, strength, seed, budget_ms=1.0, clock=lambda: 0.0) for _ in range(2))
        assert first == second
        return first

    play.to_the_end(act, turns_max=60)


def test_a_seed_changes_what_a_beginner_does() -> None:
    play = Play(RULESETS["all-fives"], seed=1)
    play.turn(lambda match, view: legal_actions(match)[0])
    assert len({choose(play.view(), Strength.BEGINNER, seed) for seed in range(40)}) > 3
