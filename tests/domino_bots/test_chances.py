"""Scores as chances to win the match."""

import pytest

from domino_bots.chances import chance
from domino_bots.game import Game
from domino_rules import Ruleset


def game(*scores: int, target: int = 100, preset: str = "draw", round_number: int = 1) -> Game:
    seats = max(2, len(scores))
    return Game(Ruleset.of(preset, seats, target=target), scores, round_number)


def test_equal_scores_are_an_even_chance() -> None:
    assert chance(game(40, 40), 0, [0, 0]) == pytest.approx(0.5)


def test_both_sides_chances_make_one() -> None:
    assert chance(game(40, 25), 0, [0, 30]) + chance(game(40, 25), 1, [0, 30]) == pytest.approx(1.0)


def test_who_reaches_the_target_has_won_and_the_other_has_not() -> None:
    assert chance(game(70, 90), 0, [30, 0]) == 1.0
    assert chance(game(70, 90), 1, [30, 0]) == 0.0


def test_points_beyond_the_target_are_worth_nothing() -> None:
    assert chance(game(90, 0), 0, [60, 0]) == chance(game(90, 0), 0, [10, 0])


def test_a_lead_is_worth_more_near_the_target() -> None:
    assert chance(game(80, 70), 0, [0, 0]) > chance(game(20, 10), 0, [0, 0]) > 0.5


def test_with_more_seats_the_best_of_the_others_counts() -> None:
    assert chance(game(50, 20, 60), 0, [0, 0, 0]) == pytest.approx(chance(game(50, 60, 20), 0, [0, 0, 0]))


def test_in_the_last_round_before_the_cap_any_lead_wins() -> None:
    last = game(50, 50, preset="duel-draw", round_number=20)
    assert chance(last, 0, [1, 0]) == 1.0
    assert chance(last, 0, [0, 0]) == 0.5
    assert chance(last, 1, [1, 0]) == 0.0
