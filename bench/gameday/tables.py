"""Tables with the real rules that are played on and on, each by two people who look at the log."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field

from ulid import ULID

from bench.gameday.asking import Asking
from contracts.message import Message
from contracts.table import DrawTiles, NextRound, OpenTable, PassTurn, PlayTile, Reservation, SitDown
from domino_rules import legal_actions
from domino_rules.actions import Draw
from domino_rules.actions import PlayTile as Play
from domino_rules.notation import tile_name
from domino_rules.table import Expired, Finished, Pausing, Playing, TableState

RULESET = {"preset": "draw", "seats": 2, "target": 50}
THINK_SECONDS = 0.1


@dataclass
class Tables:
    """`codes` counts the answers: `accepted`, or why not."""

    asking: Asking
    codes: Counter[str] = field(default_factory=Counter)
    finished: int = 0
    _over: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self, count: int) -> None:
        """Plays at `count` tables until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            for _ in range(count):
                tasks.create_task(self._one_after_another())

    async def _one_after_another(self) -> None:
        while True:
            await self._play(str(ULID()).lower())
            self.finished += 1
            self._over.set()
            self._over = asyncio.Event()

    async def more(self, count: int) -> None:
        """Waits until `count` more matches are over."""
        wanted = self.finished + count
        while self.finished < wanted:
            await self._over.wait()

    async def _play(self, table_id: str) -> None:
        people = [f"{table_id}-{seat}" for seat in (1, 2)]
        seats = tuple(Reservation(account=account) for account in people)
        await self._ask(table_id, "lobby", OpenTable(ruleset=RULESET, seats=seats, region="gameday"))
        for account in people:
            await self._ask(table_id, account, SitDown())
        while not isinstance(state := self.asking.watch.states[table_id], Finished | Expired):
            await asyncio.sleep(THINK_SECONDS)
            seat, command = next_command(state)
            await self._ask(table_id, people[seat - 1], command)
        self.asking.watch.states.pop(table_id)

    async def _ask(self, table_id: str, account: str, command: Message) -> None:
        self.codes[(await self.asking.ask(table_id, account, command)).code] += 1


def next_command(state: TableState) -> tuple[int, Message]:
    """What somebody may do now, and in which seat."""
    match state:
        case Playing(match=game, turn=turn) if turn is not None:
            action = legal_actions(game)[0]
            if isinstance(action, Play):
                return turn.seat, PlayTile(turn=turn.number, tile=tile_name(action.tile), end=action.end)
            return turn.seat, DrawTiles(turn=turn.number) if isinstance(action, Draw) else PassTurn(turn=turn.number)
        case Pausing(match=game, ready=ready):
            return next(seat for seat in (1, 2) if seat not in ready), NextRound(round=game.round_number)
    return 1, SitDown()
