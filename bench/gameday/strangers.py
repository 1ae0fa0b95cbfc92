"""Records that somebody who is no owner writes into an event topic."""

from collections.abc import Sequence
from random import Random

from bus.header import HEADER, Claim, CommandsSkipped, Founding, Heartbeat, OutcomeHeader, pack
from bus.kafka import KafkaLog
from bus.records import NewRecord, TopicPartition

BODY_BYTES = 900_000


def records(partition: TopicPartition, randomness: Random) -> list[NewRecord]:
    """One of every kind that must count for nobody, and a well-formed claim."""
    owner = randomness.randbytes(16)
    good = pack(Claim(owner, 2**40))
    outcome = OutcomeHeader(0, owner, 0, 0, 1, 0, None, None)
    headers: list[tuple[tuple[str, bytes], ...]] = [
        (),
        ((HEADER, b""),),
        ((HEADER, good), (HEADER, good)),
        ((HEADER, good + bytes(100)),),
        ((HEADER, good[:-3]),),
        ((HEADER, bytes([good[0], 99]) + good[2:]),),
        ((HEADER, bytes([77]) + good[1:]),),
        ((HEADER, randomness.randbytes(200_000)),),
        ((HEADER, pack(outcome)),),
        ((HEADER, pack(Founding(owner))),),
        ((HEADER, pack(Heartbeat(owner))),),
        ((HEADER, pack(CommandsSkipped(2**40, 2**40, "a stranger"))),),
        ((HEADER, good),),
        ((HEADER, pack(outcome)),),
    ]
    found = [NewRecord(*partition, b"stranger", b"{}", header) for header in headers]
    return [*found, NewRecord(*partition, b"stranger", randomness.randbytes(BODY_BYTES), ())]


async def write(log: KafkaLog, partitions: Sequence[TopicPartition], randomness: Random) -> int:
    """Writes them all; how many there were."""
    writer = log.writer("stranger")
    await writer.start()
    written = 0
    for partition in partitions:
        for record in records(partition, randomness):
            await (await writer.append(record))
            written += 1
    await writer.stop()
    return written
