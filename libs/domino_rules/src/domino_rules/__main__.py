"""`python -m domino_rules run FILE` and `python -m domino_rules serve`.

Exit status of `run`: 0 played through, 1 the scenario is malformed, 2 an action was refused.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, TextIO

from domino_rules.reading import Malformed
from domino_rules.runner import REFUSED, run_scenario
from domino_rules.scenario import read_scenario

DIGITS_MAX: Final = 1_000


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; gives the exit status."""
    parser = argparse.ArgumentParser(prog="domino_rules", description="Play dominoes scenarios.")
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="read one scenario, print one JSON result")
    run.add_argument("file", metavar="FILE", help="a JSON file, - for standard input")
    commands.add_parser("serve", help="read one scenario a line, answer one result a line")
    options = parser.parse_args(arguments)
    try:
        if options.command == "serve":
            serve(sys.stdin.buffer, sys.stdout)
            return 0
        return run_file(options.file)
    except OSError as error:  # nobody reads the answer any more, or it has no room
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left of it must not fail once more
        sys.stderr.write(f"standard output: {error.strerror}\n")
        return 1


def run_file(name: str) -> int:
    """Run one scenario; the result goes to standard output, what is malformed to standard error."""
    try:
        content = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        result = answer(content)
    except OSError as error:
        sys.stderr.write(f"{name}: {error.strerror}\n")
        return 1
    except Malformed as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(json.dumps(result) + "\n")
    sys.stdout.flush()
    return 2 if REFUSED in result else 0


def serve(lines: Iterable[bytes], output: TextIO) -> None:
    """Answer every line that is not blank, malformed ones with an error."""
    for line in lines:
        if not line.strip():
            continue
        try:
            result = answer(line)
        except Malformed as error:
            result = {"error": str(error)}
        output.write(json.dumps(result) + "\n")
        output.flush()


def answer(content: bytes) -> dict[str, Any]:
    """The result of one scenario; raises `Malformed`."""
    try:
        body = json.loads(content.decode("utf-8-sig"), parse_int=_whole_number)
    except (ValueError, RecursionError) as error:
        raise Malformed("scenario", f"expected JSON, {' '.join(str(error).split())}") from None
    try:
        return run_scenario(read_scenario(body))
    except RecursionError:  # what could just be read was too deep to be named in an answer
        raise Malformed("scenario", "expected JSON, nested less deeply") from None


def _whole_number(digits: str) -> int:
    """Far below the length that Python still prints, so that scores can grow and be told."""
    if len(digits) > DIGITS_MAX:
        raise ValueError(f"with whole numbers of at most {DIGITS_MAX} digits")
    return int(digits)


if __name__ == "__main__":
    sys.exit(main())
