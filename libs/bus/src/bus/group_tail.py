"""A tail whose partitions are shared out among the processes of a group."""

import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence

from bus.parts import Parts
from bus.records import LogUnavailable, Membership, TopicPartition
from bus.snapshots.marker import Marker
from bus.tail import Tail

log = logging.getLogger(__name__)


Begin = Callable[[TopicPartition], Awaitable[Marker | None]]
"""Where the reading of a partition may begin. Raises `LogUnavailable`."""


async def from_the_start(_: TopicPartition) -> None:
    """For readers that need every outcome there ever was."""


class GroupTail:
    """Gains and loses partitions of `topics` as the group `group` assigns them. A partition that stays is kept as it
    is. Committed offsets say up to where the handler's consequences are durable; the fold itself starts at offset 0, or
    at the marker that `begin` gives."""

    def __init__(
        self, parts: Parts, tail: Tail, group: str, topics: Sequence[str], begin: Begin = from_the_start
    ) -> None:
        self._log = parts.log
        self._tail = tail
        self._group = group
        self._topics = topics
        self._begin = begin
        self.membership: Membership = parts.log.membership(group, topics)
        self._generation = 0
        self._failures: Counter[TopicPartition] = Counter()

    async def start(self) -> None:
        partitions = [
            TopicPartition(topic, number)
            for topic in self._topics
            for number in range(await self._log.partition_count(topic))
        ]
        await self._tail.start(partitions, self._group)
        await self.membership.start()

    @property
    def ready(self) -> bool:
        """Whether an assignment has come and all of it has been read up to where it ended then."""
        return self._generation > 0 and not self._tail.catching_up

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            await self.step()

    async def step(self) -> None:
        """Follows the assignment, then polls once. What cannot be gained just now is gained at a later step, behind the
        others, whose turn it does not take."""
        try:
            await self._follow_assignment()
        except LogUnavailable as error:
            log.warning("%s goes on without a partition for now: %s", self._group, error)
        await self._tail.step()

    async def _follow_assignment(self) -> None:
        generation, wanted = self.membership.generation, self.membership.assignment
        for partition in sorted(self._tail.gained - wanted):
            await self._tail.lose(partition)
        for partition in sorted(wanted - self._tail.gained, key=lambda each: (self._failures[each], each)):
            self._failures[partition] += 1
            await self._tail.gain(partition, await self._begin(partition))
            del self._failures[partition]
        self._generation = generation

    async def stop(self) -> None:
        """Leaves the group, then stops reading."""
        await self.membership.stop()
        await self._tail.stop()
