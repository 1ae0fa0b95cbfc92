"""What the demonstration does, drawn from one seed."""

from dataclasses import dataclass
from random import Random

TABLES = 20
SILENT_TABLES = 6
TARGET = 50
SEATS = (2, 3, 4)
PRESETS = ("draw", "block")
VICTIMS = ("table", "table-projector", "gateway", "timer")
KILLS_EACH = 3
THINK_SECONDS = (0.1, 0.4)
"""How long quick people take."""
TURNS_BEFORE_SILENCE = 3


@dataclass(frozen=True, slots=True)
class Pool:
    preset: str
    seats: int


@dataclass(frozen=True, slots=True)
class Plan:
    """`pools`: one for each table. `silent`: the tables where a client stops to act, by the order in which those with
    more than two seats appear. `kills`: whom, in order."""

    pools: tuple[Pool, ...]
    silent: frozenset[int]
    kills: tuple[str, ...]

    @classmethod
    def of(cls, randomness: Random) -> "Plan":
        kinds = [Pool(preset, seats) for preset in PRESETS for seats in SEATS]
        pools = [kinds[number % len(kinds)] for number in range(TABLES)]
        randomness.shuffle(pools)
        kills = [victim for victim in VICTIMS for _ in range(KILLS_EACH)]
        randomness.shuffle(kills)
        large = sum(pool.seats > 2 for pool in pools)
        silent = frozenset(randomness.sample(range(large), SILENT_TABLES))
        return cls(tuple(pools), silent, tuple(kills))

    @property
    def clients_count(self) -> int:
        return sum(pool.seats for pool in self.pools)
