"""Kills processes with SIGKILL at seeded moments and starts them again."""

import asyncio
import signal
import time
from collections import Counter
from collections.abc import Callable
from random import Random

from capicua.server.demo.log_watch import LogWatch
from capicua.server.stack import Stack

BETWEEN_SECONDS = (0.3, 1.2)
WAITING_COMMANDS = 5
HELD_SECONDS_MAX = 1.5
"""Shorter than the session of 2 s: the group does not notice that the process is held."""
LET_GO_SECONDS = 0.5
TIMER_DEAD_SECONDS_MAX = 20.0
LOOK_SECONDS = 0.02


class Chaos:
    """Counts what it did: `kills` by process, `waiting` commands at each kill of the table, `due` deadlines that fell
    due while the timer was dead."""

    def __init__(self, stack: Stack, watch: LogWatch, randomness: Random, say: Callable[[str], None]) -> None:
        self.kills: Counter[str] = Counter()
        self.waiting: list[int] = []
        self.due: set[tuple[str, str]] = set()
        self._stack = stack
        self._watch = watch
        self._randomness = randomness
        self._say = say

    async def run(self, victims: tuple[str, ...]) -> None:
        """Kills each in turn; goes on to the next when it is ready again."""
        for victim in victims:
            await asyncio.sleep(self._randomness.uniform(*BETWEEN_SECONDS))
            match victim:
                case "table":
                    detail = await self._kill_table()
                case "timer":
                    detail = await self._kill_timer()
                case _:
                    self._stack.kill(victim)
                    detail = ""
            self.kills[victim] += 1
            began = time.monotonic()
            await self._stack.restart(victim)
            self._say(f"{victim} killed{detail}; ready again {time.monotonic() - began:.1f} s later")

    async def _kill_table(self) -> str:
        """Holds the process until five commands wait in the log beyond its last outcome, then kills it."""
        while True:
            self._stack.kill("table", signal.SIGSTOP)
            waiting = await self._commands_pile_up()
            if waiting >= WAITING_COMMANDS:
                break
            self._stack.kill("table", signal.SIGCONT)
            await asyncio.sleep(LET_GO_SECONDS)
        self._stack.kill("table")
        self.waiting.append(waiting)
        return f" with {waiting} commands waiting"

    async def _commands_pile_up(self) -> int:
        give_up_at = time.monotonic() + HELD_SECONDS_MAX
        while time.monotonic() < give_up_at:
            if (
                await self._watch.has_read_all()
                and (waiting := await self._watch.commands_waiting()) >= WAITING_COMMANDS
            ):
                return waiting
            await asyncio.sleep(LOOK_SECONDS)
        return 0

    async def _kill_timer(self) -> str:
        """Stays dead until a deadline has fallen due."""
        self._stack.kill("timer")
        died_at = time.time_ns() // 1_000_000
        give_up_at = time.monotonic() + TIMER_DEAD_SECONDS_MAX
        due: set[tuple[str, str]] = set()
        while not due and time.monotonic() < give_up_at:
            await asyncio.sleep(LOOK_SECONDS)
            due = self._watch.due_since(died_at)
        self.due |= due
        return f", {len(due)} deadlines fell due meanwhile"
