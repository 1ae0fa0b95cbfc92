"""Shares and means of many pairs with 95 % confidence intervals; the pairs are the unit."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import sqrt

from bench.strength.matches import Result


@dataclass(frozen=True)
class Figure:
    """A mean and half the width of its confidence interval."""

    mean: float
    within: float

    def percent(self) -> str:
        return f"{100 * self.mean:5.1f} % ± {100 * self.within:3.1f}"


@dataclass(frozen=True)
class Figures:
    """How the first bot of a duel did."""

    pairs: int
    matches: Figure
    """Share of matches won."""
    rounds: Figure
    """Share of rounds in which it got more points."""
    points: Figure
    """Points more than the other in a round."""

    def to_json(self) -> dict[str, object]:
        return asdict(self)


def figures(results: Sequence[Result]) -> Figures:
    """The figures of at least two pairs."""
    return Figures(
        len(results),
        ratio([(result.won, result.matches) for result in results]),
        ratio([(result.rounds_won, result.rounds) for result in results]),
        ratio([(result.points - result.points_against, result.rounds) for result in results]),
    )


def ratio(pairs: Sequence[tuple[float, int]]) -> Figure:
    """The ratio of two sums; its spread by the residuals of the pairs (Cochran, *Sampling Techniques*, 1977)."""
    count = len(pairs)
    below = sum(size for _, size in pairs)
    mean = sum(value for value, _ in pairs) / below
    squares = sum((value - mean * size) ** 2 for value, size in pairs)
    return Figure(mean, 1.96 * sqrt(squares * count / (count - 1)) / below)
