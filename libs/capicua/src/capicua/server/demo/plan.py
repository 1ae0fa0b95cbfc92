"""What the demonstration does, drawn from one seed."""

from dataclasses import dataclass
from random import Random

from contracts.region import Pool

SILENT_TABLES = 6
VICTIMS = ("table", "table-projector", "gateway", "timer")
KILLS_EACH = 3
THINK_SECONDS = (0.1, 0.3)
"""How long quick people take."""
TURNS_BEFORE_SILENCE = 1
"""One match of a hundred leaves a seat no more than three turns; then no autopilot would have to act."""


POOLS = {
    Pool(preset="draw", seats=2, target=50): 1,
    Pool(preset="draw", seats=3, target=50): 1,
    Pool(preset="draw", seats=4, target=50): 7,
    Pool(preset="block", seats=2, target=50): 1,
    Pool(preset="block", seats=3, target=50): 1,
    Pool(preset="block", seats=4, target=50): 1,
    Pool(preset="duel-draw", seats=2, target=100): 2,
    Pool(preset="all-fives", seats=2, target=100): 1,
    Pool(preset="all-fives", seats=2, target=100, spinner=True): 2,
    Pool(preset="party", seats=2, target=100, drawing=True): 1,
    Pool(preset="party", seats=3, target=100): 1,
    Pool(preset="party", seats=4, target=100, pairs=True): 1,
}
"""How many tables of each kind."""
TABLES = sum(POOLS.values())


def is_short(pool: Pool) -> bool:
    """Few turns a seat: there an autopilot, which takes 2 s for each, does not make the match long."""
    return pool.preset == "draw" and pool.seats == 4


@dataclass(frozen=True, slots=True)
class Plan:
    """`pools`: one for each table. `silent`: the tables where a client stops to act, by the order in which those of
    short pools appear. `kills`: whom, in order."""

    pools: tuple[Pool, ...]
    silent: frozenset[int]
    kills: tuple[str, ...]

    @classmethod
    def of(cls, randomness: Random) -> "Plan":
        pools = tuple(pool for pool, tables in POOLS.items() for _ in range(tables))
        short = sum(is_short(pool) for pool in pools)
        return cls(pools, frozenset(randomness.sample(range(short), SILENT_TABLES)), _kills(randomness))

    @property
    def clients_count(self) -> int:
        return sum(pool.seats for pool in self.pools)


def _kills(randomness: Random) -> tuple[str, ...]:
    """Early on no deadline is near and nobody would miss the timer: the first four victims are others."""
    others = [victim for victim in VICTIMS if victim != "timer" for _ in range(KILLS_EACH)]
    randomness.shuffle(others)
    early, later = others[:4], [*others[4:], *["timer"] * KILLS_EACH]
    randomness.shuffle(later)
    return (*early, *later)
