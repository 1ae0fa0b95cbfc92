"""How long to wait before the next attempt: longer each time, and never in step with others."""

from collections.abc import Iterator
from random import Random


def pauses(randomness: Random, first_seconds: float = 0.05, longest_seconds: float = 5.0) -> Iterator[float]:
    """Seconds before attempt 2, 3, …: doubling from the first to the longest, each shortened by up to a half."""
    length = first_seconds
    while True:
        yield length * randomness.uniform(0.5, 1.0)
        length = min(length * 2, longest_seconds)
