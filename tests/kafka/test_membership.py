"""Consumer groups on a real broker: several of them in one process."""

import asyncio
import secrets
from contextlib import AsyncExitStack

from tests.kafka.ledger import SESSION_MS, make_topics

from bus.kafka import KafkaLog
from bus.records import Membership


async def until_owning(*members: Membership, count: int) -> None:
    """Waits until each member owns `count` partitions."""
    async with asyncio.timeout(30):
        for member in members:
            while len(member.assignment) != count:
                await member.changed(member.generation)


async def test_who_stays_keeps_its_partitions_whatever_other_groups_its_process_is_in(kafka_bootstrap: str) -> None:
    name, log = f"g{secrets.token_hex(4)}", KafkaLog(kafka_bootstrap, SESSION_MS)
    await make_topics(kafka_bootstrap, name)
    topics = [f"{name}.commands", f"{name}.events"]
    async with AsyncExitStack() as stack:
        stack.push_async_callback(log.close)
        first, second, other = (log.membership(f"{name}-{group}", topics) for group in ("a", "a", "b"))
        for member in (first, other):
            await member.start()
            stack.push_async_callback(member.stop)
            await until_owning(member, count=4)
        before = first.assignment
        await second.start()
        stack.push_async_callback(second.stop)
        await until_owning(first, second, count=2)
        assert first.assignment < before
        assert second.assignment == before - first.assignment
        assert other.assignment == before
