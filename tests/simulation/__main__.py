"""`python -m tests.simulation 1-200`: runs these seeds, prints what came of it, and fails with the first that fails."""

import argparse
import multiprocessing
import os
import re
import signal
import sys
import time
from collections.abc import Sequence
from multiprocessing.pool import Pool

from tests.simulation.report import Total, failure
from tests.simulation.running import simulate

from capicua.commands.options import INTERRUPTED

SAY_SECONDS = 10
SEEDS = re.compile(r"([1-9][0-9]{0,17})(?:-([1-9][0-9]{0,17}))?")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation")
    parser.add_argument("seeds", nargs="*", metavar="seeds", help="one seed, as 7, or the first and the last, as 1-200")
    given = parser.parse_args().seeds
    seeds = read_seeds(given)
    if seeds is None:
        parser.error(f"expected seeds from 1 on, as 7 or 1-200, got {' '.join(given) or 'none'}")
    try:
        return run(seeds)
    except KeyboardInterrupt:
        sys.stderr.write("\nInterrupted.\n")
        return INTERRUPTED


def read_seeds(given: Sequence[str]) -> range | None:
    """None when it is not one seed or one range that holds some."""
    found = SEEDS.fullmatch(given[0]) if len(given) == 1 else None
    if found is None:
        return None
    return range(int(found[1]), int(found[2] or found[1]) + 1) or None


def run(seeds: Sequence[int]) -> int:
    """Prints how far it has come and how it ended; returns the exit status."""
    total, said_at = Total(), time.monotonic()
    with _processors(len(seeds)) as pool:
        _say(f"seeds {seeds[0]} to {seeds[-1]}")
        for result in pool.imap(simulate, seeds):
            total.add(result)
            if result.violation is not None:
                _say(f"{total.text(points=False)}\n\n{failure(result)}")
                return 1
            if time.monotonic() - said_at > SAY_SECONDS:
                said_at = time.monotonic()
                _say(f"seed {result.seed}: {total.text(points=False).splitlines()[0]}")
    _say(f"{total.text(points=True)}\n\nNothing was violated.")
    return 0


def _processors(seeds: int) -> Pool:
    """Ctrl-C reaches these processes as well, and is none of their business: whoever made the pool ends it."""
    told = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return multiprocessing.get_context("spawn").Pool(min(len(os.sched_getaffinity(0)), seeds))
    finally:
        signal.signal(signal.SIGINT, told)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
