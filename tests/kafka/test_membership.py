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


async def until_shared(*members: Membership) -> None:
    """Waits until no partition has two owners: news of an assignment does not reach all at once."""
    async with asyncio.timeout(30):
        while owned_twice(*members):
            changes = [asyncio.ensure_future(member.changed(member.generation)) for member in members]
            await asyncio.wait(changes, return_when=asyncio.FIRST_COMPLETED)
            for change in changes:
                change.cancel()


def owned_twice(*members: Membership) -> bool:
    owned = [partition for member in members for partition in member.assignment]
    return len(owned) != len(set(owned))


async def join(stack: AsyncExitStack, member: Membership) -> None:
    await member.start()
    stack.push_async_callback(member.stop)


async def test_who_stays_keeps_its_partitions_whatever_other_groups_its_process_is_in(kafka_bootstrap: str) -> None:
    name, log = f"g{secrets.token_hex(4)}", KafkaLog(kafka_bootstrap, SESSION_MS)
    for topics in ("mine", "theirs"):
        await make_topics(kafka_bootstrap, f"{name}-{topics}")
    async with AsyncExitStack() as stack:
        stack.push_async_callback(log.close)
        mine, theirs = ([f"{name}-{topics}.commands", f"{name}-{topics}.events"] for topics in ("mine", "theirs"))
        first, second, third = (log.membership(f"{name}-a", mine) for _ in range(3))
        other = log.membership(f"{name}-b", theirs)
        await join(stack, first)
        await until_owning(first, count=4)
        await join(stack, second)
        await until_owning(first, second, count=2)
        await join(stack, other)
        await until_owning(other, count=4)
        before = first.assignment, second.assignment
        await join(stack, third)
        await until_owning(third, count=1)
        await until_shared(first, second, third)
        assert first.assignment <= before[0]
        assert second.assignment <= before[1]
