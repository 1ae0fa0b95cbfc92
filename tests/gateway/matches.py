"""Whole matches decided by the real table, as the changes that a gateway reads."""

import random
from typing import Any

from bus.decider import Context
from contracts.envelope import TimeOut
from contracts.table import NextRound, OpenTable, PassTurn, PlayTile, Reservation, SitDown
from domino_rules.table import Finished, Pausing, Playing, TableState, Waiting, deadline, view_for
from gateway.step import Change
from table.decider import TableDecider

TABLE_ID = "01hf7yat000000000000000000"
START_MS = 1_700_000_000_000
MOVE_MS = 900


class Match:
    """Plays with chance from `seed`; now and then somebody is too late and the autopilot plays."""

    def __init__(
        self, seed: int, seats: int = 2, preset: str = "draw", table_id: str = TABLE_ID, region: str = "eu"
    ) -> None:
        self._decider = TableDecider()
        self._chance = random.Random(seed)
        self._at = START_MS
        self._table_id = table_id
        self.accounts = [f"g{seat}" for seat in range(1, seats + 1)]
        self.state: TableState | None = None
        self.changes: list[Change] = []
        ruleset = {"preset": preset, "seats": seats, "target": 50}
        reservations = tuple(Reservation(account=account) for account in self.accounts)
        self.do("lobby", OpenTable(ruleset=ruleset, seats=reservations, region=region))

    @property
    def version(self) -> int:
        return self.changes[-1].to_version

    def do(self, principal: str, command: Any) -> None:
        """Decides a command that must be accepted."""
        self._at += MOVE_MS
        entropy = self._chance.randbytes(32)
        context = Context(self._table_id, principal, "id", True, self._at, self._at, entropy)
        events = self._decider.decide(self.state, command, context)
        assert isinstance(events, tuple | list), events
        version = self.version if self.changes else 0
        for event in events:
            self.state = self._decider.evolve(self.state, event)
        payloads = tuple(self._decider.encode_event(event) for event in events)
        self.changes.append(Change(version, version + len(events), self._at, payloads))

    def time_out(self) -> None:
        """Waits for the current deadline."""
        assert self.state is not None
        due = deadline(self.state)
        assert due is not None
        self._at = due.due_at
        self.do("timer", TimeOut(kind=due.kind, ref=due.ref))

    def go_on(self) -> bool:
        """One more command; False when the match is over."""
        match self.state:
            case Waiting():
                seated = [player.account for player in self.state.table.players if player.seated]
                waiting = [account for account in self.accounts if account not in seated]
                self.do(waiting[0], SitDown(client_seed=f"{self._chance.random():.6f}"))
            case Pausing():
                ready = [self.accounts[seat - 1] for seat in self.state.ready]
                waiting = [account for account in self.accounts if account not in ready]
                self.do(waiting[0], NextRound(round=self.state.match.round_number))
            case Playing():
                self._play(self.state)
            case _:
                return False
        return True

    def _play(self, state: Playing) -> None:
        assert state.match.playing is not None
        seat = state.match.playing.to_move
        if self._chance.random() < 0.05 or state.table.player(seat).autopilot:
            self.time_out()
            return
        view = view_for(state, seat)
        wanted = self._chance.choice(view["legal"])
        if wanted == "pass":
            self.do(self.accounts[seat - 1], PassTurn(turn=view["turn"]))
            return
        tile, _, end = wanted.partition("@")
        self.do(self.accounts[seat - 1], PlayTile(turn=view["turn"], tile=tile, end=end))


def whole_match(seed: int, seats: int = 2, preset: str = "draw") -> list[Change]:
    """All changes of a match from its opening to its end."""
    match = Match(seed, seats, preset)
    while match.go_on():
        pass
    assert isinstance(match.state, Finished)
    return match.changes
