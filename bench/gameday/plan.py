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
    "strangers_records",
)
"""Almost every kind of fault in three minutes."""

KILLS_LONG = 200


def short(randomness: Random) -> list[str]:
    return randomness.sample(SHORT, len(SHORT))


def long(randomness: Random, kills: int = KILLS_LONG) -> list[str]:
    """`kills` SIGKILLs, one in five of them of a broker, and all other faults between them."""
    brokers = kills // 5
    plan = ["table_killed"] * (kills - brokers)
    plan += [("broker_killed", "controller_killed")[number % 2] for number in range(brokers)]
    others = [name for name in FAULTS if not name.endswith("killed")]
    plan += others * max(1, kills // len(others) // 3)
    return randomness.sample(plan, len(plan))
