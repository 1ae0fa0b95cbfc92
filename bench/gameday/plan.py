"""Which faults, in which order."""

from random import Random

from bench.gameday.faults import FAULTS

SHORT = (
    *["table_killed"] * 9,
    *["table_paused"] * 3,
    *["table_restarted"] * 2,
    "broker_killed",
    "controller_killed",
    "broker_frozen",
    "leaders_moved",
    "network_slow",
    "network_still",
    "network_cut",
    "network_half_closed",
    "disk_full",
    "cache_flushed",
    "timer_killed",
    "strangers_records",
)
"""Almost every kind of fault, in less than three minutes."""
SHORT_SECONDS = 180.0

KILLS_LONG = 200


def short(randomness: Random) -> list[str]:
    return randomness.sample(SHORT, len(SHORT))


KILLS_OF_OTHERS = ("broker_killed", "controller_killed", "timer_killed", "projector_killed", "cache_killed")


def long(randomness: Random, kills: int = KILLS_LONG) -> list[str]:
    """`kills` SIGKILLs, one in four of them of something else than the table, and all other faults between them."""
    of_others = min(kills, max(len(KILLS_OF_OTHERS), kills // 4))
    plan = ["table_killed"] * (kills - of_others)
    plan += [KILLS_OF_OTHERS[number % len(KILLS_OF_OTHERS)] for number in range(of_others)]
    others = [name for name in FAULTS if not name.endswith("killed")]
    plan += others * max(1, kills // len(others) // 3)
    return randomness.sample(plan, len(plan))
