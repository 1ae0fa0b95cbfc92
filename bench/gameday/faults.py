"""What is done to the system, one thing at a time. Each returns when what it has broken is whole again."""

import asyncio
import signal
from collections.abc import Awaitable, Callable

from bench.gameday import strangers
from bench.gameday.scene import BEHIND_PROXIES, SESSION_SECONDS, Scene
from bus.records import TopicPartition
from contracts.topics import PARTITIONS_LOCAL

Fault = Callable[[Scene], Awaitable[None]]

AFTERMATH_SECONDS = 1.5
LATE_SECONDS = 0.15
FREEZE_SECONDS = (3.0, 6.0)
DISK_SECONDS_MAX = 20.0


async def table_killed(scene: Scene) -> None:
    name = scene.some_table()
    scene.mark("table SIGKILL")
    scene.services.send_signal(name, signal.SIGKILL)
    await scene.answered()
    await scene.services.kill(name)
    scene.mark("table comes up")
    await scene.services.start(name)
    await scene.answered()


async def table_paused(scene: Scene) -> None:
    """Longer than the session, so that others take over; then it goes on where it stood."""
    name = scene.some_table()
    began = scene.mark("table SIGSTOP")
    scene.services.send_signal(name, signal.SIGSTOP)
    await scene.answered()
    await scene.lasting(SESSION_SECONDS + scene.randomness.uniform(0.5, 1.5), since=began)
    scene.mark("zombie returns")
    scene.services.send_signal(name, signal.SIGCONT)
    await scene.lasting(AFTERMATH_SECONDS)
    await scene.services.ready(name)
    await scene.answered()


async def table_restarted(scene: Scene) -> None:
    name = scene.some_table()
    scene.mark("planned stop")
    code = await scene.services.terminate(name)
    if code != 0:
        scene.notes.append(f"{name} ended with {code} when it was asked to")
    await scene.answered()
    scene.mark("planned start")
    await scene.services.start(name)
    await scene.answered()


async def broker_killed(scene: Scene) -> None:
    await _kill(scene, await scene.some_broker(), "broker SIGKILL")


async def controller_killed(scene: Scene) -> None:
    await _kill(scene, await scene.steering.controller(), "controller SIGKILL")


async def _kill(scene: Scene, number: int, what: str) -> None:
    scene.mark(what)
    await scene.cluster.kill(number)
    await scene.answered()
    scene.mark("broker comes up")
    await scene.cluster.start(number)
    await scene.steering.whole()


async def broker_frozen(scene: Scene) -> None:
    await _freeze(scene, await scene.some_broker(), "broker SIGSTOP")


async def controller_frozen(scene: Scene) -> None:
    await _freeze(scene, await scene.steering.controller(), "controller SIGSTOP")


async def _freeze(scene: Scene, number: int, what: str) -> None:
    began = scene.mark(what)
    scene.cluster.send_signal(number, signal.SIGSTOP)
    try:
        await scene.answered()
        await scene.lasting(scene.randomness.uniform(*FREEZE_SECONDS), since=began)
    finally:
        scene.cluster.send_signal(number, signal.SIGCONT)
    scene.mark("frozen broker goes on")
    await scene.steering.whole()
    await scene.answered()


async def leaders_moved(scene: Scene) -> None:
    scene.mark("leaders moved")
    for topic in ("table.events", "table.commands", "__consumer_offsets"):
        scene.counts["leaders"] += await scene.steering.move_leaders(topic)
    await scene.answered()


async def network_slow(scene: Scene) -> None:
    scene.mark("network slow")
    for proxy in scene.proxies.values():
        proxy.slow(LATE_SECONDS)
    await scene.lasting(AFTERMATH_SECONDS)
    for proxy in scene.proxies.values():
        proxy.clear()
    await scene.answered()


async def network_still(scene: Scene) -> None:
    """Connections that say nothing and stay open, for longer than the session; then all of it arrives at once."""
    began = scene.mark("network still")
    for proxy in scene.proxies.values():
        proxy.stand_still()
    await scene.answered()
    await scene.lasting(SESSION_SECONDS + 1.0, since=began)
    scene.mark("network goes on")
    for proxy in scene.proxies.values():
        proxy.clear()
    await scene.lasting(AFTERMATH_SECONDS)
    await scene.services.ready(BEHIND_PROXIES)
    await scene.answered()


async def network_cut(scene: Scene) -> None:
    scene.mark("connections cut")
    scene.counts["connections"] += sum(proxy.cut() for proxy in scene.proxies.values()) // 2
    await scene.answered()


async def network_half_closed(scene: Scene) -> None:
    scene.mark("connections half closed")
    scene.counts["connections"] += sum(proxy.half_close() for proxy in scene.proxies.values()) // 2
    await scene.answered()


async def network_half_open(scene: Scene) -> None:
    """As when something between has forgotten the connections: nobody is told, and only new ones work."""
    scene.mark("connections half open")
    scene.counts["connections"] += sum(proxy.forsake() for proxy in scene.proxies.values()) // 2
    await scene.answered()
    scene.mark("after half open")
    await scene.services.ready(BEHIND_PROXIES)
    await scene.answered()


async def disk_full(scene: Scene) -> None:
    if scene.disk is None:
        scene.counts["disk full: left out"] += 1
        return
    number = max(scene.cluster.nodes)
    scene.mark("disk full")
    scene.counts["MiB of ballast"] += await asyncio.to_thread(scene.disk.fill)
    await scene.answered()
    try:
        async with asyncio.timeout(DISK_SECONDS_MAX):
            await scene.cluster.processes[number].exited()
        scene.counts["brokers ended by a full disk"] += 1
    except TimeoutError:
        scene.notes.append("a broker with a full disk did not end by itself and was killed")
        await scene.cluster.kill(number)
    scene.disk.free()
    scene.mark("broker comes up")
    await scene.cluster.start(number)
    await scene.steering.whole()


async def cache_flushed(scene: Scene) -> None:
    began = scene.mark("cache flushed")
    await scene.cache.flush()
    await scene.cache_whole("cache whole after a flush", began)


async def cache_killed(scene: Scene) -> None:
    scene.mark("cache SIGKILL")
    await scene.cache.kill()
    await scene.answered()
    await scene.lasting(AFTERMATH_SECONDS)
    began = scene.mark("cache comes up")
    await scene.cache.start_again()
    await scene.cache_whole("cache whole after it came up", began)


async def projector_killed(scene: Scene) -> None:
    scene.mark("projector SIGKILL")
    await scene.services.kill("projector")
    await scene.answered()
    began = scene.mark("projector comes up")
    await scene.services.start("projector")
    await scene.cache_whole("cache whole after the projector came up", began)


async def timer_killed(scene: Scene) -> None:
    scene.mark("timer SIGKILL")
    await scene.services.kill("timer")
    await scene.answered()
    scene.mark("timer comes up")
    await scene.services.start("timer")
    await scene.answered()


async def strangers_records(scene: Scene) -> None:
    """What nobody may believe, in every partition; a stranger's claim costs the owner one claim of its own."""
    scene.mark("stranger writes")
    partitions = [TopicPartition("table.events", number) for number in range(PARTITIONS_LOCAL)]
    scene.counts["strangers' records"] += await strangers.write(scene.log, partitions, scene.randomness)
    await scene.answered()


FAULTS: dict[str, Fault] = {
    fault.__name__: fault
    for fault in (
        table_killed,
        table_paused,
        table_restarted,
        broker_killed,
        controller_killed,
        broker_frozen,
        controller_frozen,
        leaders_moved,
        network_slow,
        network_still,
        network_cut,
        network_half_closed,
        network_half_open,
        disk_full,
        cache_flushed,
        cache_killed,
        projector_killed,
        timer_killed,
        strangers_records,
    )
}
