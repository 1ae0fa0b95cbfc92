"""Whole lives of tables: people who play, dawdle, leave, come back and send nonsense, by a seeded chance."""

import hashlib
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from domino_rules import table
from domino_rules.notation import parse_play
from domino_rules.refusal import Refusal
from domino_rules.table import Decision, Moment, RefusedAfterReturn, Reservation, TableEvent, TableState
from domino_rules.tiles import TILES

NOON = 1_700_000_000_000
DECISIONS_MAX = 5_000


def draws(text: str) -> Callable[[str], bytes]:
    """Bytes for a decision's `Moment` that depend on the text alone."""
    return lambda label: hashlib.sha256(f"{text} {label}".encode()).digest()


@dataclass(frozen=True, slots=True)
class Step:
    """One decision: the state before, what came of it, and the state after."""

    before: TableState | None
    events: tuple[TableEvent, ...]
    refusal: Refusal | None
    after: TableState | None


class Life:
    """A table in the hands of chance; `steps` runs it to the end of its match."""

    def __init__(self, preset: str, seats: int, seed: int, target: int = 50) -> None:
        self.chance = random.Random(f"{preset}-{seats}-{seed}")
        self.preset, self.target = preset, target
        self.accounts = [f"account-{seat}" for seat in range(1, seats + 1)]
        self.state: TableState | None = None
        self.now = NOON
        self.count = 0

    def steps(self) -> Iterator[Step]:
        bots = self.chance.randrange(len(self.accounts) + 1)
        seats = tuple(Reservation(name, number < bots) for number, name in enumerate(self.accounts))
        options = {"preset": self.preset, "target": self.target}
        yield self._step(lambda moment: table.open_table(self.state, "table-1", options, seats, "eu", moment))
        while not isinstance(self.state, table.Finished):
            assert self.count < DECISIONS_MAX, "a table that does not end"
            yield self._next()

    def _next(self) -> Step:
        state = self.state
        assert state is not None
        due = table.deadline(state)
        assert due is not None
        if self.now > due.due_at or self.chance.random() < 0.2:
            self.now = max(self.now, due.due_at + 1)
            return self._step(lambda moment: table.time_out(state, moment))
        self.now += self.chance.choice([1, 400, 1_500, 3_000])
        if isinstance(state, table.Playing) and self.chance.random() < 0.7:
            return self._good_play(state)
        return self._whim(state)

    def _good_play(self, state: table.Playing) -> Step:
        assert state.turn is not None
        seat, number = state.turn.seat, state.turn.number
        tile, end = parse_play(self.chance.choice(table.view_for(state, seat)["legal"]))
        account = self.accounts[seat - 1]
        return self._step(lambda moment: table.play_tile(state, account, number, tile, end, moment))

    def _whim(self, state: TableState) -> Step:
        account = self.chance.choice([*self.accounts, "stranger"])
        turn = max(1, table.last_turn(state) + self.chance.choice([-1, 0, 0, 1]))
        ended = max(1, state.match.round_number + self.chance.choice([-1, 0, 0, 1]))
        tile = self.chance.choice(TILES)
        seed = self.chance.choice(["", "salt", "x" * 65])
        whim: Callable[[Moment], Decision] = self.chance.choice(
            [
                lambda moment: table.sit_down(state, account, seed, moment),
                lambda moment: table.leave(state, account, moment),
                lambda moment: table.return_to_seat(state, account, moment),
                lambda moment: table.next_round(state, account, ended, self.chance.choice([None, seed]), moment),
                lambda moment: table.play_tile(state, account, turn, tile, None, moment),
                lambda moment: table.draw_tiles(state, account, turn, moment),
                lambda moment: table.pass_turn(state, account, turn, moment),
            ]
        )
        return self._step(whim)

    def _step(self, decide: Callable[[Moment], Decision]) -> Step:
        self.count += 1
        before = self.state
        events, refusal = _parts(decide(Moment(self.now, draws(f"{self.count}"))))
        for event in events:
            self.state = table.evolve(self.state, event)
        return Step(before, events, refusal, self.state)


def _parts(decided: Decision) -> tuple[tuple[TableEvent, ...], Refusal | None]:
    match decided:
        case Refusal():
            return (), decided
        case RefusedAfterReturn(events, refusal):
            return events, refusal
        case _:
            return tuple(decided), None


def whole_life(preset: str, seats: int, seed: int) -> list[Step]:
    """Every step of one table from its opening to the end of its match."""
    return list(Life(preset, seats, seed).steps())


def events_of(steps: list[Step]) -> list[TableEvent]:
    """The log of the life."""
    return [event for step in steps for event in step.events]
