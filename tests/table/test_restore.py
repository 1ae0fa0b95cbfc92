"""A table process restores every table from its log, through `domino_rules` and nothing else."""

import json
import random
from typing import Any

import pytest
from tests.domino_rules.matches import changed

from bus.decider import Decider
from bus.header import HEADER, Claim, Founding, pack
from bus.records import Record
from bus.shard import Shard
from domino_rules import GameEvent, Match, RoundDealt, match, table
from domino_rules.table import Finished, Pausing, Playing, TableEvent, TableState, Waiting, view_for
from table.decider import Command, TableDecider

OWNER = b"o" * 16
NOON = 1_700_000_000_000
ONE, TWO = (f"01hf7yat00{number:016}" for number in range(2))
ACCOUNTS = ("ann", "bob", "cid")
TableShard = Shard[TableState, Command, TableEvent]
decider: Decider[TableState, Command, TableEvent] = TableDecider()


class Bench:
    """One partition: its owner's shard, and the event log that it writes."""

    def __init__(self) -> None:
        self.shard: TableShard = Shard(decider, 0, 1)
        self.log: list[Record] = []
        self.commands = 0
        for header in (Founding(b"l" * 16), Claim(OWNER, 0)):
            self._append(b"", b"", pack(header))
            self.shard.restore(self.log[-1])

    def send(self, key: str, by: str, command: dict[str, Any]) -> TableState:
        """Decide the command, which must be accepted, and write its outcome."""
        envelope = {"id": f"c{self.commands}", "principal": by, "aggregate": key, "command": command}
        at = NOON + self.commands * 10
        record = Record("table.commands", 0, self.commands, at, key.encode(), json.dumps(envelope).encode(), ())
        self.commands += 1
        decided = self.shard.decide(record, at, at, self.commands.to_bytes(32, "big"))
        assert decided.code == "accepted", decided
        self._append(decided.key, decided.value, pack(decided.header))
        state = self.shard.aggregates[key].state
        assert state is not None
        return state

    def play_a_match(self, key: str, preset: str) -> None:
        chance = random.Random(key)
        seats = [{"account": account} for account in ACCOUNTS]
        options = {"preset": preset, "target": 50}
        state = self.send(key, "lobby", {"type": "open-table", "ruleset": options, "seats": seats, "region": "eu"})
        while not isinstance(state, Finished):
            state = self._next(key, state, chance)

    def _next(self, key: str, state: TableState, chance: random.Random) -> TableState:
        if isinstance(state, Waiting):
            account = next(player.account for player in state.table.players if not player.seated)
            return self.send(key, account, {"type": "sit-down", "client_seed": account})
        if isinstance(state, Pausing):
            account = next(account for seat, account in enumerate(ACCOUNTS, 1) if seat not in state.ready)
            return self.send(key, account, {"type": "next-round", "round": state.match.round_number})
        assert isinstance(state, Playing)
        assert state.turn is not None
        seat, turn = state.turn.seat, state.turn.number
        tile, _, end = chance.choice(view_for(state, seat)["legal"]).partition("@")
        return self.send(key, ACCOUNTS[seat - 1], {"type": "play-tile", "turn": turn, "tile": tile, "end": end})

    def restored(self) -> TableShard:
        """What a new owner makes of the log."""
        shard: TableShard = Shard(decider, 0, 1)
        for record in self.log:
            shard.restore(record)
        return shard

    def recorded_hashes(self) -> list[str]:
        bodies = [json.loads(record.value) for record in self.log if record.value]
        return [body["state_hash"] for body in bodies if "state_hash" in body]

    def _append(self, key: bytes, value: bytes, header: bytes) -> None:
        self.log.append(Record("table.events", 0, len(self.log), NOON, key, value, ((HEADER, header),)))


@pytest.fixture(scope="module")
def played() -> Bench:
    bench = Bench()
    bench.play_a_match(ONE, "draw")
    bench.play_a_match(TWO, "block")
    return bench


def states(shard: TableShard) -> dict[str, TableState | None]:
    return {key: aggregate.state for key, aggregate in shard.aggregates.items()}


def test_a_new_owner_restores_the_same_tables(played: Bench) -> None:
    restored = played.restored()
    assert states(restored) == states(played.shard)
    assert restored.alarms == []
    finished = restored.aggregates[TWO].state
    assert finished is not None
    assert played.recorded_hashes()[-1] == table.state_hash(finished)


def test_rules_that_cannot_fold_quarantine_every_table(played: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(before: Match, event: GameEvent) -> Match:
        raise LookupError("a rule that is not there")

    monkeypatch.setattr(match, "evolve", broken)
    restored = played.restored()
    assert all(aggregate.quarantined for aggregate in restored.aggregates.values())
    assert len(restored.alarms) == 2


def test_rules_that_fold_wrongly_do_not_reproduce_the_recorded_hash(
    played: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = match.evolve

    def forgetful(before: Match, event: GameEvent) -> Match:
        """Loses the boneyard at every deal."""
        after = right(before, event)
        if isinstance(event, RoundDealt) and after.round is not None:
            return changed(after, round=changed(after.round, boneyard=()))
        return after

    monkeypatch.setattr(match, "evolve", forgetful)
    state = played.restored().aggregates[TWO].state
    assert state is not None
    assert table.state_hash(state) not in played.recorded_hashes()
