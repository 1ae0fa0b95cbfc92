"""Several embedded Kafka brokers that replicate to each other, for tests that take some of them away."""

import asyncio
import os
import signal
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bus.local.health import kafka_answers
from bus.local.home import Home
from bus.local.kafka import Door, Node, cluster_id, java_command, prepare
from bus.local.ports import HOST
from bus.local.process import OwnedProcess, stop_left_over

BROKERS = 3


@dataclass
class Cluster:
    """``nodes`` by their ids from 1, each with three copies of everything and two that must be there.

    A broker that was ended with ``kill`` stays away until ``start``, which puts it back on its old data.
    """

    home: Home
    command: list[str]
    nodes: Mapping[int, Node]
    environments: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    processes: dict[int, OwnedProcess] = field(default_factory=dict)

    @property
    def address(self) -> str:
        """The bootstrap list of all brokers, whether they run or not."""
        return ",".join(f"{HOST}:{node.broker_port}" for node in self.nodes.values())

    @property
    def door_address(self) -> str:
        """The same for clients that come through the doors' proxies."""
        return ",".join(f"{HOST}:{node.door.told_port}" for node in self.nodes.values() if node.door)

    def spawn(self, node_id: int) -> None:
        """Start the broker without waiting for it."""
        command = [*self.command, "kafka.Kafka", str(self.nodes[node_id].properties_file)]
        environment = {**os.environ, **self.environments.get(node_id, {})}
        self.processes[node_id] = OwnedProcess.spawn(_name(node_id), command, self.home, environment=environment)

    async def answering(self, node_id: int) -> None:
        """Return when the broker answers; raises LocalError when it ends instead."""
        address = f"{HOST}:{self.nodes[node_id].broker_port}"
        await self.processes[node_id].wait_healthy(lambda: kafka_answers(address))

    async def start(self, node_id: int) -> None:
        self.spawn(node_id)
        await self.answering(node_id)

    def running(self, node_id: int) -> bool:
        return self.processes[node_id].exit_code is None

    def send_signal(self, node_id: int, number: signal.Signals) -> None:
        self.processes[node_id].send_signal(number)

    async def kill(self, node_id: int) -> None:
        """SIGKILL; returns when it has ended."""
        self.processes[node_id].send_signal(signal.SIGKILL)
        await self.processes[node_id].exited()

    async def stop(self) -> None:
        """All at once: one after the other, the last would wait in vain for a quorum to leave in order."""
        await asyncio.gather(*(process.stop(seconds_max=5.0) for process in self.processes.values()))


async def start_embedded_cluster(
    home: Home,
    brokers: int = BROKERS,
    *,
    doors: Mapping[int, int] | None = None,
    folders: Mapping[int, Path] | None = None,
    environments: Mapping[int, Mapping[str, str]] | None = None,
) -> Cluster:
    """Start brokers that answer; raises LocalError.

    ``doors`` are the ports of proxies by broker, whose targets are the nodes' ``door.port``; ``folders`` are where
    single brokers keep their data, if elsewhere; ``environments`` are variables that single brokers have besides ours.
    """
    home.check_disk()
    command = await asyncio.to_thread(java_command, home)
    nodes = {number: _node(home, number, doors or {}, folders or {}) for number in range(1, brokers + 1)}
    cluster, fresh = Cluster(home, command, nodes, environments or {}), cluster_id()
    for number, node in nodes.items():
        await stop_left_over(_name(number), home)
        await asyncio.to_thread(prepare, node, list(nodes.values()), command, fresh)
    try:
        for number in nodes:
            cluster.spawn(number)
        await asyncio.gather(*(cluster.answering(number) for number in nodes))
    except BaseException:
        await cluster.stop()
        raise
    return cluster


def _node(home: Home, number: int, doors: Mapping[int, int], folders: Mapping[int, Path]) -> Node:
    name = _name(number)
    door = None
    if number in doors:
        door = Door(home.port(f"{name}-door"), told_port=doors[number])
    return Node(
        node_id=number,
        broker_port=home.port(name),
        controller_port=home.port(f"{name}-controller"),
        data=folders.get(number, home.data(name)),
        door=door,
    )


def _name(number: int) -> str:
    return f"kafka-{number}"
