"""Runs policies: what follows elsewhere from the valid outcomes of an event topic, at least once and in order."""

import logging
from collections.abc import Callable, Sequence

from bus import telemetry
from bus.delivery import Delivery
from bus.group_tail import GroupTail
from bus.health import Progress
from bus.outcomes import Outcome
from bus.parts import Parts
from bus.records import TopicPartition
from bus.sender import Letter, LetterSender
from bus.snapshots import Marker
from bus.snapshots.loading import newest_marker
from bus.tail import Tail

log = logging.getLogger(__name__)

Policy = Callable[[Outcome], Sequence[Letter]]
"""What follows from one valid outcome. May raise ValueError for an outcome that it cannot read."""


def letter_id(topic: str, partition: int, offset: int, number: int) -> str:
    """The id of the `number`-th command that follows from a record: the same whenever it is made again."""
    return f"{topic}:{partition}:{offset}:{number}"


class PolicyRunner:
    """Acts on the outcomes of `topic` from the committed offset on. For the sake of validity it folds what comes
    before, from the newest marker if there is one that early, else from the start."""

    def __init__(self, parts: Parts, group: str, topic: str, policy: Policy, sender: LetterSender) -> None:
        self._group = group
        self._policy = policy
        self._sender = sender
        self._parts = parts
        self._deliveries: dict[TopicPartition, Delivery] = {}
        self.progress = Progress(parts.clock)
        self._tail = GroupTail(parts, Tail(parts, self, self.progress), group, [topic], self._begin)

    async def start(self) -> None:
        await self._tail.start()

    async def run(self) -> None:
        """Until cancelled."""
        await self._tail.run()

    @property
    def ready(self) -> bool:
        return self._tail.ready

    async def stop(self) -> None:
        for partition in list(self._deliveries):
            await self.lost(partition)
        await self._tail.stop()

    async def _begin(self, partition: TopicPartition) -> Marker | None:
        marker = await newest_marker(self._parts, partition.topic.removesuffix(".events"), partition.partition)
        committed = await self._tail.membership.committed(partition) or 0
        return marker if marker is not None and marker.position <= committed else None

    # ---- what the tail tells

    async def gained(self, partition: TopicPartition) -> None:
        membership = self._tail.membership
        committed = await membership.committed(partition) or 0
        self._deliveries[partition] = Delivery(partition, committed, self._sender, membership.commit, self._parts)

    def outcome(self, outcome: Outcome) -> None:
        delivery = self._deliveries[outcome.source]
        if outcome.offset < delivery.first:
            return
        try:
            letters = self._policy(outcome)
        except ValueError as error:
            telemetry.alarms.add(1, {"kind": "malformed-event"})
            log.error("%s passes over %s:%d: %s", self._group, outcome.source, outcome.offset, type(error).__name__)
            return
        delivery.put(outcome.offset, letters)

    async def flush(self, partition: TopicPartition, position: int) -> None:
        delivery = self._deliveries[partition]
        delivery.reached(position)
        await delivery.room(self.progress)

    async def caught_up(self, partition: TopicPartition) -> None:
        """Nothing more to do: the committed offset alone says where to begin."""

    async def lost(self, partition: TopicPartition) -> None:
        await self._deliveries.pop(partition).stop()
