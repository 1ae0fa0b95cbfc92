"""`python -m bench.gameday`: 200 kills and every other fault; `--kills`, `--seed` and `--short` to choose."""

import argparse
import asyncio
import logging
import secrets
import shutil
import signal
import sys
import tempfile
from pathlib import Path
from random import Random

from bench.gameday import plan
from bench.gameday.faults import FAULTS
from bench.gameday.stage import perform
from capicua.commands.options import INTERRUPTED


def main() -> None:
    parser = argparse.ArgumentParser(prog="gameday")
    parser.add_argument("--kills", type=kill_count, default=plan.KILLS_LONG)
    parser.add_argument("--short", action="store_true", help="the three minutes that the tests hold")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6))
    parser.add_argument("--only", nargs="+", choices=sorted(FAULTS), help="these faults, in this order")
    chosen = parser.parse_args()
    randomness = Random(chosen.seed)
    faults = chosen.only or (plan.short(randomness) if chosen.short else plan.long(randomness, chosen.kills))
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # stops what was started, as Ctrl-C does
    logging.getLogger("aiokafka").setLevel(logging.CRITICAL)  # that a broker is away is what happens here all the time
    print(f"seed {chosen.seed}, {len(faults)} faults", flush=True)
    folder = Path(tempfile.mkdtemp(prefix="capicua-gameday-"))
    try:
        print(f"the logs of all processes: {folder / 'logs'}", flush=True)
        seconds_min = plan.SHORT_SECONDS if chosen.short else 0.0
        report = asyncio.run(perform(folder, faults, randomness, lambda line: print(line, flush=True), seconds_min))
    except KeyboardInterrupt:
        shutil.rmtree(folder, ignore_errors=True)
        print("\nInterrupted: nothing is known about what was lost.", file=sys.stderr)
        sys.exit(INTERRUPTED)
    print("\n".join(report.lines()))
    if report.wrong:
        sys.exit(1)
    shutil.rmtree(folder, ignore_errors=True)


def kill_count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a number of kills from 1 on, got {text}")
    return int(text)


if __name__ == "__main__":
    main()
