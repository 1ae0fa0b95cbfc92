"""The whole demonstration: start, play, kill, check."""

import asyncio
import time
from collections.abc import Callable
from random import Random

from bus.kafka import KafkaLog
from bus.local import Home
from capicua.replay import Verification
from capicua.server.demo.chaos import Chaos
from capicua.server.demo.ledger import read_ledger
from capicua.server.demo.log_watch import LogWatch
from capicua.server.demo.plan import Plan
from capicua.server.demo.players import Ending, Players
from capicua.server.demo.report import Report
from capicua.server.environment import SESSION_MS
from capicua.server.processes import PROCESSES, Need
from capicua.server.stack import Stack


async def demonstrate(home: Home, seed: int, say: Callable[[str], None]) -> Report:
    """Runs it in `home` and tells what was found; `say` gets a line for each step."""
    randomness = Random(seed)
    plan = Plan.of(randomness)
    processes = [process for process in PROCESSES if process.name != "bots"]
    async with Stack(home, processes=processes, settings={"CAPICUA_LEAVE_SECONDS": "0.2"}, report=say) as stack:
        log = KafkaLog(stack.servers[Need.KAFKA].address, SESSION_MS)
        players = Players(stack.gateway_url, plan, randomness, say)
        try:
            return await _run(stack, log, plan, players, randomness, say)
        finally:
            await players.close()
            await log.close()


async def _run(
    stack: Stack, log: KafkaLog, plan: Plan, players: Players, randomness: Random, say: Callable[[str], None]
) -> Report:
    watch = LogWatch(log)
    chaos = Chaos(stack, watch, randomness, say)
    began = time.monotonic()
    async with asyncio.TaskGroup() as tasks:
        watching = tasks.create_task(watch.run())
        killing = tasks.create_task(chaos.run(plan.kills))
        endings = await players.play()
        say(f"all matches are over after {time.monotonic() - began:.0f} s")
        await killing
        watching.cancel()
    report = Report()
    report.matches(plan, endings)
    report.chaos(chaos.kills, chaos.waiting, len(chaos.due))
    replays = await players.replays(endings)
    report.replays([Verification(replay) for replay in replays.values()], _results(endings))
    for decider in ("table", "lobby"):
        report.ledger(await read_ledger(log, decider))
    return report


def _results(endings: list[Ending]) -> dict[str, str]:
    return {ending.table_id: str(ending.last.result) for ending in endings}
