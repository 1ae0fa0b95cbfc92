from collections import Counter
from random import Random

from capicua.server.demo.plan import TABLES, VICTIMS, Plan


def test_twenty_tables_of_every_size_and_preset_six_of_them_with_a_silent_seat() -> None:
    plan = Plan.of(Random(1))
    assert len(plan.pools) == TABLES == 20
    assert {(pool.preset, pool.seats) for pool in plan.pools} == {(p, n) for p in ("draw", "block") for n in (2, 3, 4)}
    assert len(plan.silent) == 6
    assert max(plan.silent) < sum(pool.is_short for pool in plan.pools)


def test_every_victim_is_killed_three_times_in_an_order_that_the_seed_decides() -> None:
    plan = Plan.of(Random(1))
    assert Counter(plan.kills) == dict.fromkeys(VICTIMS, 3)
    assert "timer" not in plan.kills[:4]
    assert Plan.of(Random(1)) == plan
    assert Plan.of(Random(2)).kills != plan.kills
