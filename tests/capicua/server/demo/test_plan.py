from collections import Counter
from random import Random

from capicua.server.demo.plan import TABLES, VICTIMS, Plan, is_short
from domino_rules.ruleset import SEATS


def test_twenty_tables_of_every_size_and_preset_six_of_them_with_a_silent_seat() -> None:
    plan = Plan.of(Random(1))
    assert len(plan.pools) == TABLES == 20
    for preset, (fewest, most) in SEATS.items():
        assert {pool.seats for pool in plan.pools if pool.preset == preset} == set(range(fewest, most + 1))
    assert {choice for pool in plan.pools for choice in ("pairs", "spinner", "drawing") if getattr(pool, choice)} == {
        "pairs",
        "spinner",
        "drawing",
    }
    assert len(plan.silent) == 6
    assert max(plan.silent) < sum(is_short(pool) for pool in plan.pools)


def test_every_victim_is_killed_three_times_in_an_order_that_the_seed_decides() -> None:
    plan = Plan.of(Random(1))
    assert Counter(plan.kills) == dict.fromkeys(VICTIMS, 3)
    assert "timer" not in plan.kills[:4]
    assert Plan.of(Random(1)) == plan
    assert Plan.of(Random(2)).kills != plan.kills
