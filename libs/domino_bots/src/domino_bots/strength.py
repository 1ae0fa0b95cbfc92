"""The three strengths behind one function."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from time import perf_counter
from typing import assert_never

from domino_bots.beginner import beginner_action
from domino_bots.budget import Budget
from domino_bots.expert import expert_action
from domino_bots.normal import normal_action
from domino_bots.seat_view import SeatView
from domino_rules.actions import Action


class Strength(StrEnum):
    """How well a bot plays."""

    BEGINNER = "beginner"
    NORMAL = "normal"
    EXPERT = "expert"


def choose(
    view: SeatView,
    strength: Strength,
    seed: int,
    budget_ms: float = 15.0,
    clock: Callable[[], float] = perf_counter,
) -> Action:
    """A legal action of the seat whose turn the view shows: the same for the same view, strength, seed and budget.

    Give every decision a seed of its own. `budget_ms` bounds the expert's thinking; `clock`, in seconds, is looked at
    only so that the budget holds on a machine that is slower than expected.
    """
    match strength:
        case Strength.BEGINNER:
            return beginner_action(view, seed)
        case Strength.NORMAL:
            return normal_action(view)
        case Strength.EXPERT:
            return expert_action(view, seed, Budget(budget_ms, clock))
        case _:
            assert_never(strength)
