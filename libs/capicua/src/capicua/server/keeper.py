"""Starts again what crashed, more patiently each time, and not for ever."""

import asyncio
import signal
import time
from collections import deque
from collections.abc import Awaitable, Callable
from functools import partial

from bus.local import LocalError
from capicua.server.processes import Need
from capicua.server.stack import Stack

CRASHES_MAX = 5
CRASH_WINDOW_SECONDS = 60.0
FIRST_PAUSE_SECONDS = 0.5
PAUSE_SECONDS_MAX = 8.0
LOOK_SECONDS = 0.2
BY_HAND = "'capicua down' and 'capicua up' start it again"


async def keep_running(stack: Stack) -> None:
    """Watch a started stack until cancelled; what ends 5 times within a minute is left down, and that is said."""
    async with asyncio.TaskGroup() as watches:
        for need in stack.servers:
            ended, start = partial(_server_exit, stack, need), partial(stack.start_server, need)
            watches.create_task(_keep(stack.servers[need].name, ended, start, stack.report))
        for name in stack.processes:
            ended, start = partial(_process_exit, stack, name), partial(stack.start_process, name)
            watches.create_task(_keep(name, ended, start, stack.report))


async def _keep(
    name: str,
    ended: Callable[[], int | None],
    start: Callable[[], Awaitable[None]],
    report: Callable[[str], None],
) -> None:
    crashes: deque[float] = deque(maxlen=CRASHES_MAX)
    while True:
        while (code := ended()) is None:  # noqa: ASYNC110 - an exit sets no event
            await asyncio.sleep(LOOK_SECONDS)
        crashes.append(time.monotonic())
        recent = sum(crash > crashes[-1] - CRASH_WINDOW_SECONDS for crash in crashes)
        if recent >= CRASHES_MAX:
            report(f"{name:<16} {_how(code)}, {recent} times in a minute: left down, see its log; {BY_HAND}")
            return
        pause_seconds = min(FIRST_PAUSE_SECONDS * 2 ** (recent - 1), PAUSE_SECONDS_MAX)
        report(f"{name:<16} {_how(code)}, starting it again in {pause_seconds:.1f} s")
        await asyncio.sleep(pause_seconds)
        try:
            await start()
        except LocalError as error:
            report(str(error))


def _process_exit(stack: Stack, name: str) -> int | None:
    return stack.running[name].exit_code


def _server_exit(stack: Stack, need: Need) -> int | None:
    return stack.servers[need].exit_code


def _how(code: int) -> str:
    return f"was killed ({signal.Signals(-code).name})" if code < 0 else f"ended with code {code}"
