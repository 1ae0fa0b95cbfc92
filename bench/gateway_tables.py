"""Tables of two for accounts that are there: opened for people who play, or with whole matches at them, as a table
process would have written them."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence

from bench.matches import KNOWN_ENTROPY, NOW, TableShard, match_commands, table_name
from bus.header import HEADER, Claim, Founding, Heartbeat, pack
from bus.outcomes import PartitionFold
from bus.partitioning import partition_of
from bus.records import Log, NewRecord, Record, TopicPartition
from bus.shard import Shard
from contracts.envelope import CommandEnvelope
from contracts.table import OpenTable, Reservation
from contracts.topics import PARTITIONS_LOCAL
from table.decider import TableDecider

PRESET, TARGET = "draw", 500
"""So many points that no match ends while somebody measures."""
OWNER, LOG_ID = b"b" * 16, b"l" * 16
OPENING = 3
"""Commands: the table is opened, and both sit down."""
IN_FLIGHT_MAX = 5_000

Tables = Mapping[str, tuple[str, str]]
"""The accounts of both seats, by table."""
Seats = Sequence[tuple[str, str]]
"""Each account with its table."""


def tables_of(accounts: Sequence[str]) -> Tables:
    return {
        table_name(number): (accounts[2 * number], accounts[2 * number + 1]) for number in range(len(accounts) // 2)
    }


def seats_at(tables: Tables) -> Seats:
    return [(account, table) for table, accounts in tables.items() for account in accounts]


def openings(tables: Tables) -> Iterator[NewRecord]:
    """The commands that open them."""
    for table, accounts in tables.items():
        reservations = tuple(Reservation(account=account) for account in accounts)
        ruleset = {"preset": PRESET, "seats": 2, "target": TARGET}
        command = OpenTable(ruleset=ruleset, seats=reservations, region="bench").model_dump()
        envelope = CommandEnvelope(id="c0", principal="lobby", aggregate=table, command=command)
        partition = partition_of(table, PARTITIONS_LOCAL)
        yield NewRecord("table.commands", partition, table.encode(), envelope.model_dump_json().encode())


class Written:
    """Decides as the owner of all partitions does. `opening` has both seats of each table taken; after it comes
    `playing`, so many moves at each table, in turn, each of which both seats are shown."""

    def __init__(self, tables: Tables, moves: int) -> None:
        self._shards = [_claimed(partition) for partition in range(PARTITIONS_LOCAL)]
        self._commands = [0] * PARTITIONS_LOCAL
        self.views = 0
        matches = [match_commands(table, 2, PRESET, TARGET, accounts) for table, accounts in tables.items()]
        self.opening = [_protocol(number, header) for number in range(PARTITIONS_LOCAL) for header in _OWNED]
        self.opening += self._decided(matches, OPENING)
        self.views = 0
        self.playing = list(self._decided(matches, moves))

    def _decided(self, matches: Sequence[Iterator[CommandEnvelope]], commands: int) -> Iterator[NewRecord]:
        for _ in range(commands):
            for match in matches:
                yield self._decide(next(match))

    def _decide(self, command: CommandEnvelope) -> NewRecord:
        partition = partition_of(command.aggregate, PARTITIONS_LOCAL)
        value, number = command.model_dump_json().encode(), self._commands[partition]
        self._commands[partition] += 1
        record = Record("table.commands", partition, number, NOW, command.aggregate.encode(), value, ())
        decided = self._shards[partition].decide(record, NOW, NOW, KNOWN_ENTROPY)
        self.views += 2 * (decided.header.to_version > decided.header.from_version)
        return NewRecord("table.events", partition, decided.key, decided.value, ((HEADER, pack(decided.header)),))


_OWNED: Sequence[Founding | Claim] = (Founding(LOG_ID), Claim(OWNER, 0))


def _claimed(partition: int) -> TableShard:
    shard: TableShard = Shard(TableDecider(), partition, PARTITIONS_LOCAL)
    source = TopicPartition("table.events", partition)
    for offset, header in enumerate(_OWNED):
        shard.restore(Record(*source, offset, 0, None, b"", ((HEADER, pack(header)),)))
    return shard


def _protocol(partition: int, header: Founding | Claim | Heartbeat) -> NewRecord:
    return NewRecord("table.events", partition, None, b"", ((HEADER, pack(header)),))


async def append(log: Log, records: Iterable[NewRecord]) -> None:
    """As fast as the log takes them."""
    writer = log.writer("bench-gateway")
    await writer.start()
    sends: list[asyncio.Future[object]] = []
    for record in records:
        sends.append(await writer.append(record))
        if len(sends) == IN_FLIGHT_MAX:
            await asyncio.gather(*sends)
            sends.clear()
    await asyncio.gather(*sends)
    await writer.stop()


async def heartbeats(log: Log) -> None:
    """The owner is there, until this is cancelled: no silence is an outage."""
    writer = log.writer("bench-gateway-owner")
    await writer.start()
    try:
        while True:
            for partition in range(PARTITIONS_LOCAL):
                await writer.append(_protocol(partition, Heartbeat(OWNER)))
            await asyncio.sleep(1.0)
    finally:
        await writer.stop()


async def newest_versions(log: Log, tables: Tables) -> Mapping[str, int]:
    """Of each table, as its log has it."""
    partitions = [TopicPartition("table.events", number) for number in range(PARTITIONS_LOCAL)]
    ends = {partition: (await log.bounds(partition))[1] for partition in partitions}
    folds = {partition: PartitionFold(partition) for partition in partitions}
    newest = dict.fromkeys(tables, 0)
    reader = log.reader("bench-gateway")
    await reader.start(partitions)
    for partition in partitions:
        reader.seek(partition, 0)
    while any(folds[partition].position < end for partition, end in ends.items()):
        for partition, records in (await reader.poll(100)).items():
            for outcome in folds[partition].all(records):
                newest[outcome.aggregate] = outcome.header.to_version
    await reader.stop()
    return newest
