"""Puts everything up, plays and probes while a plan of faults is carried out, and reads the log when it is over."""

import asyncio
import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import chain
from pathlib import Path
from random import Random

from bench.gameday.asking import asking_over
from bench.gameday.cache import Cache
from bench.gameday.disk import SmallDisk
from bench.gameday.faults import FAULTS
from bench.gameday.ledger import read_ledger, settled
from bench.gameday.probes import Probes
from bench.gameday.proxy import Proxy
from bench.gameday.report import Report
from bench.gameday.scene import BEHIND_PROXIES, TABLES, Scene
from bench.gameday.services import SESSION_MS, Service, Services
from bench.gameday.steering import Steering
from bench.gameday.tables import Tables
from bus.kafka import KafkaLog
from bus.local import Home
from bus.local.cluster import BROKERS, Cluster, start_embedded_cluster
from bus.tasks import end
from bus.topics import ensure_topics
from contracts.topics import PARTITIONS_LOCAL

TABLES_AT_ONCE = 6

Say = Callable[[str], object]


async def perform(folder: Path, plan: Sequence[str], randomness: Random, say: Say, seconds_min: float = 0.0) -> Report:
    """Carries out `plan` in an empty `folder`, and more of the same until `seconds_min` are over; `say` gets a line for
    each step."""
    async with AsyncExitStack() as stack:
        scene, tables = await _set_up(stack, folder, plan, randomness, say)
        began = time.monotonic()
        async with asyncio.TaskGroup() as tasks:
            work = [tasks.create_task(scene.probes.run()), tasks.create_task(tables.run(TABLES_AT_ONCE))]
            await _carry_out(scene, plan, say, seconds_min)
            await end(work)
        seconds = time.monotonic() - began
        await scene.services.terminate("timer")
        await settled(scene.log, tables.asking)
        ledger = await read_ledger(scene.log, tables.asking)
        ledger.wrong += await scene.cache.wrong(tables.asking.watch)
        waits, codes = {**dict(scene.probes.by_kind()), **scene.healed}, tables.codes + scene.probes.codes
        alarms = Counter(_without_places(error) for name in TABLES for error in scene.services.errors(name))
        return Report(ledger, scene.counts, waits, codes, tables.finished, seconds, scene.notes, alarms)


def _without_places(error: str) -> str:
    """So that the same alarm of another partition counts for the same."""
    return re.sub(r"(partition |:)\d+", r"\1N", error.partition(": ")[2])


async def _carry_out(scene: Scene, plan: Sequence[str], say: Say, seconds_min: float) -> None:
    began = time.monotonic()
    more = iter(lambda: scene.randomness.choice(plan), None)
    for number, name in enumerate(chain(plan, more), 1):
        if number > len(plan) and time.monotonic() - began >= seconds_min:
            break
        await scene.settle()
        since = len(scene.probes.periods)
        await FAULTS[name](scene)
        costs = ", ".join(f"{period.what} {period.longest:.2f} s" for period in scene.probes.periods[since:])
        say(f"{time.monotonic() - began:5.0f} s  {number} of {max(number, len(plan))}  {costs or name}")
    await scene.settle()


async def _set_up(
    stack: AsyncExitStack, folder: Path, plan: Sequence[str], randomness: Random, say: Say
) -> tuple[Scene, Tables]:
    home, notes = Home(folder), list[str]()
    small = small_disk(plan, folder / "small-disk", notes)
    if small:
        stack.callback(small.unmount)
    cluster, proxies = await stack.enter_async_context(_brokers(home, small))
    steering = Steering(cluster.address)
    await ensure_topics(cluster.address, PARTITIONS_LOCAL, BROKERS)
    await steering.whole()
    say(f"{BROKERS} brokers are up")
    cache = await Cache.start(home)
    stack.push_async_callback(cache.stop)
    services = await _services(stack, home, cluster, cache)
    log = KafkaLog(cluster.address, SESSION_MS)
    stack.push_async_callback(log.close)
    asking = await stack.enter_async_context(asking_over(log))
    scene = Scene(cluster, steering, proxies, services, Probes(asking), cache, log, randomness, small, notes=notes)
    return scene, Tables(asking)


def small_disk(plan: Sequence[str], folder: Path, notes: list[str]) -> SmallDisk | None:
    """Mounted where `plan` fills it; that it cannot be is one of `notes`."""
    disk = SmallDisk.mount(folder) if "disk_full" in plan else None
    if isinstance(disk, str):
        notes.append(f"no disk was filled: {disk}")
        return None
    return disk


async def _services(stack: AsyncExitStack, home: Home, cluster: Cluster, cache: Cache) -> Services:
    addresses = {name: cluster.door_address if name == BEHIND_PROXIES else cluster.address for name in TABLES}
    described = {name: Service("table", address) for name, address in addresses.items()}
    described["timer"] = Service("timer", cluster.address)
    described["projector"] = Service("table.projector", cluster.address, {"REDIS_URL": cache.url})
    services = Services(home, described)
    stack.push_async_callback(services.stop)
    for name in described:
        services.spawn(name)
    await services.ready()
    return services


@asynccontextmanager
async def _brokers(home: Home, disk: SmallDisk | None) -> AsyncIterator[tuple[Cluster, Mapping[int, Proxy]]]:
    """A cluster behind one proxy per broker; the last broker's data on `disk`."""
    numbers = range(1, BROKERS + 1)
    doors = {number: home.port(f"proxy-{number}") for number in numbers}
    folders = {BROKERS: disk.folder / "kafka"} if disk else {}
    cluster = await start_embedded_cluster(home, doors=doors, folders=folders)
    targets = {number: node.door.port for number, node in cluster.nodes.items() if node.door}
    proxies = {number: Proxy(targets[number], doors[number]) for number in numbers}
    try:
        for proxy in proxies.values():
            await proxy.start()
        yield cluster, proxies
    finally:
        for proxy in proxies.values():
            await proxy.stop()
        await cluster.stop()
