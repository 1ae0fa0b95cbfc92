"""Whole matches as commands, made beforehand by the table's own decider with known entropy."""

import time
from collections.abc import Iterator, Sequence

from ulid import ULID

from bus.partitioning import partition_of
from bus.records import Record
from bus.shard import Shard
from contracts.envelope import CommandEnvelope
from contracts.message import Message
from contracts.table import NextRound, OpenTable, PlayTile, Reservation, SitDown
from domino_rules import legal_actions
from domino_rules.actions import PlayTile as Play
from domino_rules.notation import tile_name
from domino_rules.table import Pausing, Playing, TableEvent, TableState
from table.decider import Command, TableDecider

KNOWN_ENTROPY = bytes(32)
NOW = time.time_ns() // 1_000_000
"""When the tables of a bench are opened: their ids say so."""
TableShard = Shard[TableState, Command, TableEvent]


def known_entropy(size: int) -> bytes:
    """Stands in for chance, so that commands can be made before the process that decides them runs."""
    return bytes(size)


def table_name(number: int) -> str:
    """The id of a table that is opened now."""
    return str(ULID.from_bytes(NOW.to_bytes(6, "big") + number.to_bytes(10, "big"))).lower()


def match_commands(
    table_id: str, seats: int, preset: str, target: int, accounts: Sequence[str] = ()
) -> Iterator[CommandEnvelope]:
    """The commands of one match from its opening to its end, heaviest legal tile first, by people of these accounts."""
    shard: TableShard = Shard(TableDecider(), partition_of(table_id, 1), 1)
    people = accounts or [f"{table_id}-{seat}" for seat in range(1, seats + 1)]
    number = 0

    def decided(principal: str, command: Message) -> CommandEnvelope:
        nonlocal number
        envelope = CommandEnvelope(
            id=f"c{number}", principal=principal, aggregate=table_id, command=command.model_dump(), human=True
        )
        value = envelope.model_dump_json().encode()
        shard.decide(Record("table.commands", 0, number, NOW, table_id.encode(), value, ()), NOW, NOW, KNOWN_ENTROPY)
        number += 1
        return envelope

    ruleset = {"preset": preset, "seats": seats, "target": target}
    reservations = tuple(Reservation(account=account) for account in people)
    yield decided("lobby", OpenTable(ruleset=ruleset, seats=reservations, region="bench"))
    for account in people:
        yield decided(account, SitDown())
    while True:
        match shard.aggregates[table_id].state:
            case Playing(match=game, turn=turn) if turn is not None:
                action = legal_actions(game)[0]
                assert isinstance(action, Play)
                play = PlayTile(turn=turn.number, tile=tile_name(action.tile), end=action.end)
                yield decided(people[turn.seat - 1], play)
            case Pausing(match=game, ready=ready):
                awaited = next(seat for seat in range(1, seats + 1) if seat not in ready)
                yield decided(people[awaited - 1], NextRound(round=game.round_number))
            case _:
                return


def many_commands(count: int, tables: int = 300) -> list[CommandEnvelope]:
    """At least `count` commands of matches with 2, 3 and 4 seats, in turn from so many tables, as they would come."""
    kinds = [(seats, preset) for seats in (2, 3, 4) for preset in ("draw", "block")]
    matches: list[Iterator[CommandEnvelope]] = []
    commands: list[CommandEnvelope] = []
    while len(commands) < count:
        while len(matches) < tables:
            seats, preset = kinds[len(matches) % len(kinds)]
            matches.append(match_commands(table_name(len(commands) * tables + len(matches)), seats, preset, 50))
        going = []
        for match in matches:
            command = next(match, None)
            if command is not None:
                commands.append(command)
                going.append(match)
        matches = going
    return commands
