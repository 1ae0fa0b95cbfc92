"""How the expert compares its candidates."""

import pytest
from tests.domino_bots.playing import Play

from domino_bots import SeatView, Strength, choose
from domino_bots.candidates import Candidate, candidates_of
from domino_bots.expert import not_beaten
from domino_bots.knowledge import Knowledge
from domino_rules import Ruleset, deal, evolve, legal_actions, new_match
from domino_rules.actions import PlayTile
from domino_rules.notation import parse_hand, parse_tile


def tried(name: str, *chances: float) -> Candidate:
    candidate = Candidate(PlayTile(1, parse_tile(name), "left"), 0)
    candidate.chances = list(chances)
    candidate.total = sum(chances)
    return candidate


def test_who_is_behind_in_world_after_world_is_out_and_who_is_close_stays() -> None:
    best = tried("6-6", 0.6, 0.5, 0.7, 0.6)
    close = tried("5-5", 0.5, 0.6, 0.7, 0.5)
    behind = tried("4-4", 0.3, 0.2, 0.4, 0.2)
    assert not_beaten([behind, best, close]) == [best, close]


def test_candidates_that_did_the_same_everywhere_all_stay() -> None:
    alike = [tried("6-6", 0.5, 0.4), tried("5-5", 0.5, 0.4)]
    assert not_beaten(alike) == alike


def test_plays_that_leave_the_same_ends_are_one_candidate() -> None:
    play = Play(Ruleset.of("block"), seed=1)
    for event in deal(play.match, (parse_hand("6-6 1-0"), parse_hand("6-5 6-4 3-3")), (), opener=1):
        play.match = evolve(play.match, event)
    play.turn(lambda match, view: legal_actions(match)[0])
    view = play.view()
    assert len(view.legal) == 4
    assert [(kept.action.tile, kept.action.end) for kept in candidates_of(view, Knowledge(view))] == [
        (parse_tile("6-5"), "left"),
        (parse_tile("6-4"), "left"),
    ]


@pytest.mark.parametrize("seed", range(5))
def test_near_the_target_points_that_win_at_once_are_taken(seed: int) -> None:
    """4-1 scores five and wins the match; 6-6 would shed more."""
    match = new_match(Ruleset.of("all-fives", target=5))
    hands = (parse_hand("6-6 4-1 3-3 2-0"), parse_hand("6-5 5-5 4-4 1-0"))
    for event in deal(match, hands, parse_hand("0-0 1-1"), opener=1):
        match = evolve(match, event)
    action = choose(SeatView.of(match, 1), Strength.EXPERT, seed, budget_ms=2.0, clock=lambda: 0.0)
    assert action == PlayTile(1, parse_tile("4-1"), "start")
