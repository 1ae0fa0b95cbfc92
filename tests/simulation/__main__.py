"""`python -m tests.simulation 1-200`: runs these seeds, prints what came of it, and fails with the first that fails."""

import multiprocessing
import os
import sys
import time
from collections.abc import Iterator, Sequence

from tests.simulation.report import Total, failure
from tests.simulation.result import Result
from tests.simulation.running import simulate

SAY_SECONDS = 10


def main(seeds: str) -> int:
    first, _, last = seeds.partition("-")
    total, said_at = Total(), time.monotonic()
    for result in _results(range(int(first), int(last or first) + 1)):
        total.add(result)
        if result.violation is not None:
            sys.stdout.write(f"{total.text(points=False)}\n\n{failure(result)}\n")
            return 1
        if time.monotonic() - said_at > SAY_SECONDS:
            said_at = time.monotonic()
            sys.stdout.write(f"seed {result.seed}: {total.text(points=False).splitlines()[0]}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{total.text(points=True)}\n")
    return 0


def _results(seeds: Sequence[int]) -> Iterator[Result]:
    """In the order of the seeds, whatever processor is done first."""
    processors = min(len(os.sched_getaffinity(0)), len(seeds))
    with multiprocessing.get_context("spawn").Pool(processors) as pool:
        yield from pool.imap(simulate, seeds)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
