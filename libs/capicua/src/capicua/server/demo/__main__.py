import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path

from bus.local import Home, LocalError
from capicua.server.demo.demonstration import demonstrate

BEGAN = time.monotonic()


def say(line: str) -> None:
    sys.stdout.write(f"{time.monotonic() - BEGAN:6.1f} s  {line}\n")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description="Twenty tables of bots while processes are killed.")
    parser.add_argument("--seed", type=int, default=1, help="other moments, other deals of roles")
    seed = parser.parse_args().seed
    say(f"seed {seed}")
    with tempfile.TemporaryDirectory(prefix="capicua-demo-") as folder:
        try:
            report = asyncio.run(demonstrate(Home(Path(folder)), seed, say))
        except LocalError as error:
            say(str(error))
            return 1
    sys.stdout.write("".join(f"  {line}\n" for line in report.lines))
    sys.stdout.write("".join(f"  not as it must be: {failure}\n" for failure in report.failures))
    say("failed" if report.failures else "passed")
    return 1 if report.failures else 0


sys.exit(main())
