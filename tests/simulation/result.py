"""What came of one run."""

from collections import Counter
from dataclasses import dataclass, field

from tests.simulation.faults import Fault
from tests.simulation.points import Point


@dataclass(slots=True)
class Result:
    seed: int
    outcomes: int = 0
    injected: Counter[str] = field(default_factory=Counter)
    seen: Counter[Point] = field(default_factory=Counter)
    aimed: Counter[Point] = field(default_factory=Counter)
    """Crashes at the moment at which somebody came to wait there."""
    cut: Counter[Point] = field(default_factory=Counter)
    """Crashes of a process of which some task waited there: each task is cut off wherever it is."""
    views: int = 0
    acknowledged: int = 0
    steps: int = 0
    seconds: float = 0.0
    digest: str = ""
    violation: str | None = None
    violated_at: float = 0.0
    trace: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
