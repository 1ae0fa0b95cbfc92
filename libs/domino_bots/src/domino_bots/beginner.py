"""The beginner: any legal action, each as likely as another."""

from __future__ import annotations

from random import Random

from domino_bots.seat_view import SeatView
from domino_rules.actions import Action


def beginner_action(view: SeatView, seed: int) -> Action:
    """One of the legal actions by chance alone."""
    return view.legal[Random(seed).randrange(len(view.legal))]
