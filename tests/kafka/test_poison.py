"""A command that ends every real process that decides it: found out, answered unread, and no neighbour convicted."""

import asyncio
import subprocess
from pathlib import Path

from bench.gameday.probes import one_of_each_partition
from tests.kafka.ledger import PARTITIONS, Ledger, add, make_topics, sender_to, tally_process
from tests.kafka.tally_process import DEADLY, DEATH

from bus.suspicion import CONVICTED_CLAIMS, SUSPECT_CLAIMS

NAME = "mortal"
NEIGHBOURS = 5


async def ended(process: "subprocess.Popen[bytes]") -> None:
    await asyncio.to_thread(process.wait)


async def deaths_until_all_is_decided(bootstrap: str, ledger: Ledger, folder: Path) -> int:
    """One process after the other has both partitions, until none dies of it any more."""
    deciding = asyncio.create_task(ledger.settle())
    deaths = 0
    while not deciding.done():
        async with tally_process(bootstrap, NAME, folder) as process:
            dying = asyncio.create_task(ended(process))
            await asyncio.wait([deciding, dying], return_when=asyncio.FIRST_COMPLETED)
        await dying
        if not deciding.done():
            assert process.returncode == DEATH
            deaths += 1
    await deciding
    return deaths


async def test_a_command_that_kills_is_a_fault_in_the_end_and_its_neighbours_are_decided(
    kafka_bootstrap: str, tmp_path: Path
) -> None:
    await make_topics(kafka_bootstrap, NAME)
    deadly, other, *_ = one_of_each_partition(PARTITIONS)
    async with sender_to(kafka_bootstrap, NAME) as sender:
        await sender.send(add("killer", DEADLY, deadly))
        for number in range(NEIGHBOURS):
            await sender.send(add(f"behind-{number}", aggregate=deadly))
            await sender.send(add(f"beside-{number}", aggregate=other))
    ledger = Ledger(kafka_bootstrap, NAME)
    deaths = await deaths_until_all_is_decided(kafka_bootstrap, ledger, tmp_path)
    ledger.check()
    first = ledger.outcomes[0][0].body()
    assert first.fault is not None
    assert first.fault.code == "poison"
    assert ledger.codes() == {"poison": 1, "accepted": 2 * NEIGHBOURS}
    assert CONVICTED_CLAIMS <= deaths <= SUSPECT_CLAIMS + CONVICTED_CLAIMS
