"""The browser client in a real browser on the local stack: `python -m bench.web`, medians.

The processor is slowed down to a quarter for whatever is a time. The long match is replayed: the client is sent the
views of its seat one after the other, each when the one before is painted, by its real socket.
"""

import asyncio
import json
import os
import subprocess
import tempfile
from pathlib import Path

from web.build import built
from web.node import node

from bench.__main__ import machine
from bench.web_views import views
from bus.local import Home
from capicua.server.stack import Stack

ROUNDS = 200
SECONDS_MAX = 900


async def measure() -> dict[str, float]:
    """KiB, ms, and ratios, as each figure says."""
    built()
    with tempfile.TemporaryDirectory() as folder:
        sent = Path(folder) / "views.jsonl"
        with sent.open("w") as lines:
            lines.writelines(f"{view.model_dump_json()}\n" for view in views(ROUNDS))
        if (url := os.environ.get("CAPICUA_URL")) is not None:
            return await asyncio.to_thread(_measured, url, sent)
        async with Stack(Home(Path(folder) / "home")) as stack:
            return await asyncio.to_thread(_measured, stack.gateway_url, sent)


def _measured(url: str, sent: Path) -> dict[str, float]:
    figures: dict[str, float] = json.loads(node("measuring/measure.ts", url, sent, str(ROUNDS), seconds=SECONDS_MAX))
    return figures


def main() -> None:
    print(machine())
    try:
        figures = asyncio.run(measure())
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"measuring failed: {error}") from error
    for what, value in figures.items():
        print(f"  {what:<60} {value:>12,.2f}")


if __name__ == "__main__":
    main()
