"""As many partitions as in production, two processes, and one of them killed."""

import asyncio
import sys
import time
from collections import Counter
from functools import partial
from pathlib import Path

import pytest
from bench.gameday.probes import one_of_each_partition
from tests.kafka.ledger import Ledger, add, make_topics, sending, tally_process

from bus.sender import LetterSender, command_letter
from bus.snapshots import SNAPSHOT_SECONDS
from bus.tasks import LoopTasks
from bus.topics import COMPACTED
from contracts.topics import PARTITIONS_PRODUCTION

NAME = "many"
TAKEOVER_SECONDS_MAX = 20
"""A session of two seconds, and 24 restores on a machine that has other things to do as well."""


async def shared_out(output: Path) -> None:
    """Returns when the first process has given half of its partitions up; only its own log tells."""
    async with asyncio.timeout(TAKEOVER_SECONDS_MAX):
        while output.read_text().count("given up") < PARTITIONS_PRODUCTION // 2:  # noqa: ASYNC110, ASYNC240
            await asyncio.sleep(0.05)


class Rounds:
    """Sends one command to each partition, again while it is unknown whether it has arrived, and waits until all are
    decided."""

    def __init__(self, bootstrap: str, sender: LetterSender) -> None:
        self.ledger = Ledger(bootstrap, NAME, PARTITIONS_PRODUCTION)
        self.sent = 0
        self._sender = sender

    async def seconds(self) -> float:
        began = time.monotonic()
        commands = [add(f"{self.sent}-{name}", aggregate=name) for name in one_of_each_partition(PARTITIONS_PRODUCTION)]
        letters = [command_letter(NAME, command) for command in commands]
        await asyncio.gather(*(self._sender.send_until_durable(letter, LoopTasks()) for letter in letters))
        self.sent += PARTITIONS_PRODUCTION
        await self.ledger.settle()
        return time.monotonic() - began


async def test_the_other_process_takes_half_of_48_partitions_over_and_nothing_is_lost(
    kafka_bootstrap: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await make_topics(kafka_bootstrap, NAME, beside=COMPACTED, partitions=PARTITIONS_PRODUCTION)
    decider = partial(tally_process, kafka_bootstrap, NAME, tmp_path, SNAPSHOT_SECONDS)
    async with sending(kafka_bootstrap, lambda log: LetterSender(log, NAME, [f"{NAME}.commands"])) as sender:
        rounds = Rounds(kafka_bootstrap, sender)
        async with decider() as killed:
            start = await rounds.seconds()
            async with decider():
                await shared_out(tmp_path / f"{NAME}.log")
                steady = await rounds.seconds()
                killed.kill()
                takeover = await rounds.seconds()
            async with decider():
                restart = await rounds.seconds()
    with capsys.disabled():
        figures = f"start {start:.1f} s, steady {steady:.1f} s, kill {takeover:.1f} s, all anew {restart:.1f} s"
        sys.stdout.write(f"\n{PARTITIONS_PRODUCTION} partitions, one command each: {figures}\n")
    rounds.ledger.check()
    codes = rounds.ledger.codes()
    assert codes - Counter(duplicate=codes["duplicate"]) == {"accepted": rounds.sent}
    assert takeover < TAKEOVER_SECONDS_MAX
