import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path

from bus.local import Home, LocalError
from capicua.server.demo.demonstration import demonstrate


def say(line: str) -> None:
    sys.stdout.write(f"  {line}\n")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description="Twenty tables of bots while processes are killed.")
    parser.add_argument("--seed", type=int, default=1, help="other moments, other deals of roles")
    seed = parser.parse_args().seed
    began = time.monotonic()
    say(f"seed {seed}")
    with tempfile.TemporaryDirectory(prefix="capicua-demo-") as folder:
        try:
            report = asyncio.run(demonstrate(Home(Path(folder)), seed, say))
        except LocalError as error:
            say(str(error))
            return 1
    print("\n".join(report.lines))  # noqa: T201 - the report is what this program is for
    for failure in report.failures:
        say(f"not as it must be: {failure}")
    say(f"{'failed' if report.failures else 'passed'} in {time.monotonic() - began:.0f} s")
    return 1 if report.failures else 0


sys.exit(main())
