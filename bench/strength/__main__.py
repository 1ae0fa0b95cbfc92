"""Who beats whom, and what luck leaves possible: `python -m bench.strength --preset draw --pairs 600`."""

import argparse
import json
import multiprocessing
import sys
import time
from functools import partial
from pathlib import Path

from bench.strength.figures import Figures, figures
from bench.strength.matches import BOTS, Duel, Result, play_pair

PRESETS = ("draw", "all-fives")
DUELS = ("normal-beginner", "expert-normal", "ceiling-normal")


def main() -> None:
    wanted = arguments()
    report = []
    for preset in wanted.preset or PRESETS:
        for names in wanted.duel or DUELS:
            first, second = names.split("-")
            duel = Duel(preset, first, second, wanted.target, wanted.budget_ms)
            began = time.monotonic()
            found = figures(play(duel, wanted.pairs, wanted.processes))
            show(duel, found, time.monotonic() - began)
            report.append({**duel._asdict(), **found.to_json()})
    if wanted.json:
        wanted.json.write_text(json.dumps(report, indent=2) + "\n")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.strength", description=__doc__)
    parser.add_argument("--preset", action="append", choices=PRESETS, help="all of them unless given")
    parser.add_argument("--duel", action="append", type=duel_names, metavar="FIRST-SECOND", help="three unless given")
    parser.add_argument("--pairs", type=int, default=600, help="deals played twice, seats swapped")
    parser.add_argument("--budget-ms", type=float, default=15.0, help="an expert's time for a move")
    parser.add_argument("--target", type=int, default=100, help="points that win a match")
    parser.add_argument("--processes", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--json", type=Path, help="write the figures there too")
    return parser.parse_args()


def duel_names(text: str) -> str:
    names = text.split("-")
    if len(names) != 2 or not set(names) <= set(BOTS):
        raise argparse.ArgumentTypeError(f"expected two of {', '.join(BOTS)}, joined by -, got {text!r}")
    return text


def play(duel: Duel, pairs: int, processes: int) -> list[Result]:
    """All pairs of a duel on that many processes, with a line of progress where somebody looks on."""
    results: list[Result] = []
    with multiprocessing.Pool(processes) as pool:
        for result in pool.imap_unordered(partial(play_pair, duel), range(pairs)):
            results.append(result)
            if sys.stderr.isatty():
                won = sum(result.won for result in results) / (2 * len(results))
                line = f"\r{duel.preset} {duel.first} {duel.second}: {len(results)}/{pairs} pairs, {100 * won:.1f} %"
                print(line, end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)
    return results


def show(duel: Duel, found: Figures, seconds: float) -> None:
    print(
        f"{duel.preset:<10} {duel.first:>8} beats {duel.second:<8} matches {found.matches.percent()}   "
        f"rounds {found.rounds.percent()}   points a round {found.points.mean:+6.2f} ± {found.points.within:.2f}   "
        f"{found.pairs} pairs, {seconds:.0f} s",
        flush=True,
    )


if __name__ == "__main__":
    main()
