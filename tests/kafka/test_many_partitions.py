"""As many partitions as in production, two processes, and one of them killed."""

import asyncio
import sys
import time
from pathlib import Path

import pytest
from tests.kafka.ledger import Ledger, add, make_topics, sender_to, tally_process

from bus.partitioning import partition_of
from bus.sender import CommandSender
from bus.snapshots import SNAPSHOT_SECONDS
from bus.topics import COMPACTED
from contracts.topics import PARTITIONS_PRODUCTION

NAME = "many"
TAKEOVER_SECONDS_MAX = 20
"""A session of two seconds, and 24 restores on a machine that has other things to do as well."""


def one_on_each() -> list[str]:
    """An aggregate of every partition."""
    found: dict[int, str] = {}
    number = 0
    while len(found) < PARTITIONS_PRODUCTION:
        found.setdefault(partition_of(f"a{number}", PARTITIONS_PRODUCTION), f"a{number}")
        number += 1
    return list(found.values())


async def shared_out(output: Path) -> None:
    """Returns when the first process has given half of its partitions up; only its own log tells."""
    async with asyncio.timeout(TAKEOVER_SECONDS_MAX):
        while output.read_text().count("given up") < PARTITIONS_PRODUCTION // 2:  # noqa: ASYNC110, ASYNC240
            await asyncio.sleep(0.05)


class Rounds:
    """Sends one command to each partition and waits until all are decided."""

    def __init__(self, bootstrap: str, sender: CommandSender) -> None:
        self.ledger = Ledger(bootstrap, NAME, PARTITIONS_PRODUCTION)
        self.sent = 0
        self._sender = sender

    async def seconds(self) -> float:
        began = time.monotonic()
        await asyncio.gather(*(self._sender.send(add(f"{self.sent}-{name}", aggregate=name)) for name in one_on_each()))
        self.sent += PARTITIONS_PRODUCTION
        await self.ledger.settle()
        return time.monotonic() - began


async def test_the_other_process_takes_half_of_48_partitions_over_and_nothing_is_lost(
    kafka_bootstrap: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await make_topics(kafka_bootstrap, NAME, beside=COMPACTED, partitions=PARTITIONS_PRODUCTION)
    every = str(SNAPSHOT_SECONDS)
    async with sender_to(kafka_bootstrap, NAME) as sender:
        rounds = Rounds(kafka_bootstrap, sender)
        async with tally_process(kafka_bootstrap, NAME, tmp_path, every) as killed:
            start = await rounds.seconds()
            async with tally_process(kafka_bootstrap, NAME, tmp_path, every):
                await shared_out(tmp_path / f"{NAME}.log")
                steady = await rounds.seconds()
                killed.kill()
                takeover = await rounds.seconds()
            async with tally_process(kafka_bootstrap, NAME, tmp_path, every):
                restart = await rounds.seconds()
    with capsys.disabled():
        figures = f"start {start:.1f} s, steady {steady:.1f} s, kill {takeover:.1f} s, all anew {restart:.1f} s"
        sys.stdout.write(f"\n{PARTITIONS_PRODUCTION} partitions, one command each: {figures}\n")
    rounds.ledger.check()
    assert rounds.ledger.codes() == {"accepted": rounds.sent}
    assert takeover < TAKEOVER_SECONDS_MAX
