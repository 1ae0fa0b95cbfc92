"""Consumer groups: sessions, generations, and assignments that reach each member in its own time."""

import asyncio
import random
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tests.simulation.broker import Broker
from tests.simulation.processes import elapse

from bus.records import LogUnavailable, TopicPartition

if TYPE_CHECKING:
    from tests.simulation.log import SimulatedLog
    from tests.simulation.processes import SimulatedProcess

SESSION_MS = 2000


class Groups:
    """All groups of the broker, by name."""

    def __init__(self, broker: Broker, chance: random.Random) -> None:
        self.broker = broker
        self.chance = chance
        self.groups: dict[str, Group] = {}

    def membership(self, name: str, topics: Sequence[str], log: "SimulatedLog") -> "SimulatedMembership":
        partitions = [TopicPartition(topic, n) for topic in sorted(topics) for n in range(self.broker.topics[topic])]
        group = self.groups.setdefault(name, Group(self, name, partitions))
        membership = SimulatedMembership(group, log)
        log.process.at_death.append(membership.note_silence)
        return membership

    def note_silence(self, process: "SimulatedProcess") -> None:
        """The process cannot be reached from now on: after the session its memberships end."""
        process.unreachable_since = since = self.broker.loop.time()
        self.broker.loop.outside(SESSION_MS / 1000, self._expire, process, since)

    def _expire(self, process: "SimulatedProcess", since: float) -> None:
        if process.unreachable_since == since and not process.reachable:
            for _, group in sorted(self.groups.items()):
                group.expel(process)

    def note_return(self, process: "SimulatedProcess") -> None:
        process.unreachable_since = None
        for _, group in sorted(self.groups.items()):
            group.hear_again(process)


class Group:
    def __init__(self, groups: Groups, name: str, partitions: Sequence[TopicPartition]) -> None:
        self._groups = groups
        self.name = name
        self._partitions = partitions
        self._loop = groups.broker.loop
        self._chance = groups.chance
        self.generation = 0
        self.members: list[SimulatedMembership] = []
        self._expelled: list[SimulatedMembership] = []
        self.committed: dict[TopicPartition, int] = {}
        self._assigned: dict[TopicPartition, SimulatedMembership] = {}

    def join(self, member: "SimulatedMembership") -> None:
        if member not in self.members:
            self.members.append(member)
            self.rebalance()

    def leave(self, member: "SimulatedMembership") -> None:
        if member in self._expelled:
            self._expelled.remove(member)
        if member in self.members:
            self.members.remove(member)
            self.rebalance()

    def expel(self, process: "SimulatedProcess") -> None:
        """Its members are out, and learn it when they hear from the coordinator again."""
        for member in [member for member in self.members if member.process is process]:
            self.members.remove(member)
            self._expelled.append(member)
            self.rebalance()

    def hear_again(self, process: "SimulatedProcess") -> None:
        for member in self.members:
            if member.process is process:
                member.deliver()
        for member in [member for member in self._expelled if member.process is process]:
            self._loop.outside(0.05 + 0.6 * self._chance.random(), self._rejoin, member)

    def _rejoin(self, member: "SimulatedMembership") -> None:
        if member in self._expelled and member.process.reachable:
            self._expelled.remove(member)
            self.join(member)

    def rebalance(self) -> None:
        self.generation += 1
        self._loop.outside(0.3 * self._chance.random() ** 2, self._assign, self.generation)

    def _assign(self, generation: int) -> None:
        """Sometimes sticky; each member hears of its share in its own time."""
        if generation != self.generation or not self.members:
            return
        shares: dict[SimulatedMembership, set[TopicPartition]] = {member: set() for member in self.members}
        room = -(-len(self._partitions) // len(self.members))
        sticky = self._chance.random() < 0.4
        rest = []
        for partition in self._partitions:
            before = self._assigned.get(partition)
            if sticky and before in shares and len(shares[before]) < room:
                shares[before].add(partition)
            else:
                rest.append(partition)
        for partition in rest:
            least = min(len(share) for share in shares.values())
            candidates = [member for member, share in shares.items() if len(share) == least]
            shares[self._chance.choice(candidates)].add(partition)
        for member, share in shares.items():
            self._assigned.update(dict.fromkeys(share, member))
            member.pending = (generation, frozenset(share))
            self._loop.outside(0.4 * self._chance.random() ** 3, member.deliver)


class SimulatedMembership:
    """`bus.records.Membership`. Keeps its old assignment until it is told of another one."""

    def __init__(self, group: Group, log: "SimulatedLog") -> None:
        self._group = group
        self._log = log
        self._number = log.loop.number()
        self.process = log.process
        self.generation = 0
        self.assignment: frozenset[TopicPartition] = frozenset()
        self._epoch = -1
        self.pending: tuple[int, frozenset[TopicPartition]] | None = None
        self._waiting: list[asyncio.Future[None]] = []

    def __hash__(self) -> int:
        return self._number

    async def start(self) -> None:
        await self._log.network()
        if self.process.alive:
            self._group.join(self)

    def deliver(self) -> None:
        if self.pending is None or not self.process.reachable or self not in self._group.members:
            return
        (self._epoch, self.assignment), self.pending = self.pending, None
        self.generation += 1
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(None)

    def note_silence(self) -> None:
        self._group._groups.note_silence(self.process)

    async def changed(self, since: int) -> int:
        while self.generation <= since:
            waiting = self._log.loop.create_future()
            self._waiting.append(waiting)
            await waiting
        return self.generation

    async def commit(self, offsets: Mapping[TopicPartition, int]) -> bool:
        try:
            await self._log.network()
        except LogUnavailable:
            return False
        known = self in self._group.members and self._epoch == self._group.generation and self.process.alive
        if known:
            self._group.committed.update(offsets)
        await elapse(self._log.broker.latency())
        return known

    async def committed(self, partition: TopicPartition) -> int | None:
        await self._log.network()
        return self._group.committed.get(partition)

    async def stop(self) -> None:
        await elapse(0.001)
        if self.process.alive:
            self._group.leave(self)
