"""Nothing that waits is forgotten: it is a place that seeds aim at, or it is said why not."""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.simulation import unreached
from tests.simulation.aims import SELDOM, aims
from tests.simulation.points import MODULES, POINTS, UNREACHED, Point

import bus
import gateway
import lobby
import table
import timer

PACKAGES = (bus, gateway, lobby, table, timer)
WAITING = (ast.Await, ast.AsyncFor, ast.AsyncWith)


def modules_that_wait() -> Iterator[str]:
    for package in PACKAGES:
        root = Path(package.__path__[0])
        for path in sorted(root.rglob("*.py")):
            if any(isinstance(node, WAITING) for node in ast.walk(ast.parse(path.read_text()))):
                yield ".".join((package.__name__, *path.relative_to(root).with_suffix("").parts))


def left_out(module: str) -> bool:
    return any(f"{module}.".startswith(f"{root}.") for root in unreached.MODULES)


def test_every_module_that_waits_is_aimed_at_or_left_out_with_a_reason() -> None:
    waiting = set(modules_that_wait())
    assert {module for module in waiting if not left_out(module)} == set(MODULES)
    assert all(any(f"{module}.".startswith(f"{root}.") for module in waiting) for root in unreached.MODULES)


@pytest.mark.parametrize("place", unreached.PLACES, ids=" ".join)
def test_a_place_that_is_left_out_is_one_place(place: tuple[str, str, str]) -> None:
    *where, what = place
    assert sum(list(point[:2]) == where and what in point.what for point in UNREACHED) == 1


def test_a_place_is_aimed_at_or_left_out() -> None:
    assert not UNREACHED.keys() & set(POINTS)
    assert len(UNREACHED) == len(unreached.PLACES)


@pytest.mark.parametrize("place", SELDOM, ids=" ".join)
def test_a_seldom_place_is_there(place: tuple[str, str, str]) -> None:
    *where, what = place
    assert any(list(point[:2]) == where and what in point.what for point in POINTS)


def test_every_aim_has_its_turn_within_the_default_seeds() -> None:
    """A hundred crashes in 800 seeds, if somebody comes there each time."""
    times: Counter[Point] = Counter()
    for seed in range(1, 801):
        times.update({aim.point: aim.times for aim in aims(seed)})
    assert min(times.values()) >= 100
