"""How long the tables of a run are kept once they are over."""

import random

from table.keeping import KEEPING, Keeping

HASTY = 0.3


def keeping(seed: int) -> Keeping:
    """As in production, or in some runs hardly longer than it takes to be over."""
    chance = random.Random(f"keeping {seed}")
    return Keeping(round(chance.uniform(2500, 6000)), 500) if chance.random() < HASTY else KEEPING
