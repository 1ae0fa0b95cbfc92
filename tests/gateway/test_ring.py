from dataclasses import replace

import pytest
from tests.gateway.matches import START_MS, whole_match

from bus.outages import Outage, Outages
from gateway.ring import BLOCK, STEPS_MAX, Ring
from gateway.step import Step, fold


@pytest.fixture(scope="module")
def steps() -> list[Step]:
    found = fold(whole_match(seed=31, seats=4))
    assert len(found) > STEPS_MAX
    return found


def ring_of(steps: list[Step]) -> Ring:
    ring = Ring(steps[0])
    for step in steps[1:]:
        ring.push(step)
    return ring


def test_who_has_a_version_in_the_ring_gets_every_step_after_it(steps: list[Step]) -> None:
    ring = ring_of(steps)
    assert list(ring.since(steps[-4].version)) == steps[-3:]


def test_every_step_of_the_ring_comes_as_it_was(steps: list[Step]) -> None:
    ring = ring_of(steps)
    for count in range(1, STEPS_MAX + 1):
        assert list(ring.since(steps[-count].from_version)) == steps[-count:]


@pytest.mark.parametrize("size", [1, 2, BLOCK - 1, BLOCK, BLOCK + 1])
def test_a_ring_has_so_many_steps_and_no_more(steps: list[Step], size: int) -> None:
    ring = Ring(steps[1], size)
    for number, step in enumerate(steps[2 : 4 * BLOCK], 2):
        ring.push(step)
        kept = steps[max(1, number - size + 1) : number + 1]
        assert list(ring.since(kept[0].from_version)) == kept
        if number > size:
            assert list(ring.since(steps[number - size].from_version)) == [step.since(0)]


def test_who_has_the_newest_version_gets_the_table_without_events(steps: list[Step]) -> None:
    newest = steps[-1]
    assert list(ring_of(steps).since(newest.version)) == [newest.since(newest.version)]


def test_who_has_nothing_gets_the_whole_table(steps: list[Step]) -> None:
    assert list(ring_of(steps).since(0)) == [steps[-1].since(0)]


def test_who_has_nothing_gets_the_whole_table_even_if_the_ring_has_it_from_the_opening(steps: list[Step]) -> None:
    assert list(ring_of(steps[:3]).since(0)) == [steps[2].since(0)]


def test_who_was_away_for_longer_than_the_ring_gets_the_whole_table(steps: list[Step]) -> None:
    ring = ring_of(steps)
    oldest_kept = steps[-STEPS_MAX]
    assert len(list(ring.since(oldest_kept.from_version))) == STEPS_MAX
    assert list(ring.since(steps[-STEPS_MAX - 1].from_version)) == [steps[-1].since(0)]


def test_a_version_between_two_steps_or_from_the_future_gets_the_whole_table(steps: list[Step]) -> None:
    ring = ring_of(steps)
    wide = next(step for step in reversed(steps) if step.version - step.from_version > 1)
    assert list(ring.since(wide.from_version + 1)) == [steps[-1].since(0)]
    assert list(ring.since(steps[-1].version + 5)) == [steps[-1].since(0)]


def test_who_comes_back_after_an_outage_sees_it_put_off_the_deadline_that_stood_and_none_before(
    steps: list[Step],
) -> None:
    newest = steps[-2]  # the last one has no deadline any more
    due = newest.view(None, START_MS).view["deadline"]
    outages = Outages(None, (Outage(due["set_at"] + 1, due["set_at"] + 4001),))
    ring = ring_of([replace(step, outages=outages) for step in steps[:-1]])
    told = [step.given_back for step in ring.since(steps[-6].version)]
    assert told == [0, 0, 0, 9000]
