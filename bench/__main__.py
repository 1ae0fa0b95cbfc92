"""`python -m bench`: everything, with the machine and the date; `python -m bench latency` one part."""

import asyncio
import os
import platform
import signal
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from bench import commands, gateway, latency, lobby, lobby_list, lobby_log, log, pace, rules, start, timer

PARTS: Mapping[str, Callable[[], dict[str, float]]] = {
    "commands": lambda: asyncio.run(commands.measure()),
    "gateway": lambda: asyncio.run(gateway.measure()),
    "lobby": lobby.measure,
    "lobby-list": lambda: asyncio.run(lobby_list.measure()),
    "lobby-log": lambda: asyncio.run(lobby_log.measure()),
    "log": lambda: asyncio.run(log.measure()),
    "pace": lambda: asyncio.run(pace.measure()),
    "timer": lambda: asyncio.run(timer.measure()),
    "latency": lambda: asyncio.run(latency.measure()),
    "rules": rules.measure,
    "start": start.measure,
}


def machine() -> str:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    cores = os.cpu_count()
    return (
        f"{cores} cores, {memory:.0f} GiB, {platform.system()} {platform.machine()}, Python {platform.python_version()}"
    )


def main() -> None:
    wanted = sys.argv[1:] or list(PARTS)
    unknown = [name for name in wanted if name not in PARTS]
    if unknown:
        sys.exit(f"expected some of {', '.join(PARTS)}, got {', '.join(unknown)}")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # stops what was started, as Ctrl-C does
    print(f"{datetime.now(UTC):%Y-%m-%d}, {machine()}")
    for name in wanted:
        print(f"\n{name}")
        for what, value in PARTS[name]().items():
            print(f"  {what:<60} {value:>12,.2f}", flush=True)


if __name__ == "__main__":
    main()
