"""What a series of runs came to, in words."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.simulation.faults import Fault
from tests.simulation.points import POINTS, UNREACHED, Point
from tests.simulation.result import Result
from tests.simulation.running import simulate
from tests.simulation.shrink import shrink

TRACE_LINES = 60
WANTED_CRASHES = 100


@dataclass(slots=True)
class Total:
    """`seconds` are those of a processor."""

    seeds: int = 0
    outcomes: int = 0
    acknowledged: int = 0
    views: int = 0
    seconds: float = 0.0
    injected: Counter[str] = field(default_factory=Counter)
    seen: Counter[Point] = field(default_factory=Counter)
    aimed: Counter[Point] = field(default_factory=Counter)
    cut: Counter[Point] = field(default_factory=Counter)

    def add(self, result: Result) -> None:
        self.seeds += 1
        self.outcomes += result.outcomes
        self.acknowledged += result.acknowledged
        self.views += result.views
        self.seconds += result.seconds
        self.injected.update(result.injected)
        self.seen.update(result.seen)
        self.aimed.update(result.aimed)
        self.cut.update(result.cut)

    def text(self, *, points: bool) -> str:
        minutes = max(self.seconds, 1e-9) / 60
        faults = self.injected.total()
        lines = [
            f"{self.seeds} seeds, {self.outcomes} outcomes ({self.outcomes / minutes:,.0f} a minute of one core), "
            f"{faults} faults ({faults / minutes:,.0f} a minute)",
            f"{self.acknowledged} acknowledgements and {self.views} views held against the log",
            ", ".join(f"{kind}: {count}" for kind, count in sorted(self.injected.items())),
        ]
        return "\n".join(lines + (self._points() if points else [self._points_in_short()]))

    def _points_in_short(self) -> str:
        reached = [point for point in POINTS if self.seen[point]]
        cut = [point for point in POINTS if self.cut[point]]
        often = [point for point in POINTS if self.cut[point] >= WANTED_CRASHES]
        return (
            f"{len(POINTS)} places that wait: {len(reached)} reached, {len(cut)} crashed at, "
            f"{len(often)} at least {WANTED_CRASHES} times"
        )

    def _points(self) -> list[str]:
        shown = [
            f"{self.cut[point]:7} crashes ({self.aimed[point]:5} on arrival) {self.seen[point]:9} waited  {point}"
            for point in POINTS
        ]
        left_out = [f"left out, {why}:  {point}" for point, why in UNREACHED.items()]
        return ["", *shown, *left_out, self._points_in_short()]


def failure(result: Result) -> str:
    """The shortest trace that still fails, and the faults in it."""

    def fails(faults: Sequence[Fault]) -> bool:
        return simulate(result.seed, faults).violation is not None

    came = [fault for fault in result.faults if fault.at <= result.violated_at]
    fewest = shrink(came, fails)
    again = simulate(result.seed, fewest, keep_trace=True)
    lines = [
        f"seed {result.seed} fails: {result.violation}",
        f"with {len(fewest)} of {len(result.faults)} faults: {again.violation}",
        *(f"  {fault.at:.3f} s {fault}" for fault in fewest),
        "the end of its trace:",
        *(f"  {line[:240]}" for line in again.trace[-TRACE_LINES:]),
    ]
    return "\n".join(lines)
