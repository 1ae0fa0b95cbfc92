"""`python -m tests.simulation 1-200`: runs these seeds, prints what came of it, and fails with the first that fails."""

import sys
import time

from tests.simulation.report import Total, failure
from tests.simulation.running import simulate


def main(seeds: str) -> int:
    first, _, last = seeds.partition("-")
    total, said_at = Total(), time.monotonic()
    for seed in range(int(first), int(last or first) + 1):
        result = simulate(seed)
        total.add(result)
        if result.violation is not None:
            sys.stdout.write(f"{total.text(points=False)}\n\n{failure(result)}\n")
            return 1
        if time.monotonic() - said_at > 10:
            said_at = time.monotonic()
            sys.stdout.write(f"seed {seed}: {total.text(points=False).splitlines()[0]}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{total.text(points=True)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
