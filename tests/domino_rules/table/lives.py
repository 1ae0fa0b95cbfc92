"""Whole lives of tables: people who play, dawdle, leave, come back and send nonsense, by a seeded chance."""

import hashlib
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from hypothesis import strategies as st

from domino_rules import table
from domino_rules.notation import parse_play, tile_name
from domino_rules.refusal import Refusal
from domino_rules.table import Decision, Moment, RefusedAfterReturn, Reservation, TableEvent, TableState
from domino_rules.tiles import TILES

Decide: TypeAlias = Callable[[TableState | None, Moment], Decision]
NOON = 1_700_000_000_000
DECISIONS_MAX = 5_000
BY_NAME = sorted(TILES, key=tile_name)


def draws(text: str) -> Callable[[str], bytes]:
    """Bytes for a decision's `Moment` that depend on the text alone."""
    return lambda label: hashlib.sha256(f"{text} {label}".encode()).digest()


@dataclass(frozen=True, slots=True)
class Step:
    """One decision: the state before, what came of it, the state after, and when."""

    before: TableState | None
    events: tuple[TableEvent, ...]
    refusal: Refusal | None
    after: TableState | None
    now: int = NOON


@dataclass(frozen=True, slots=True)
class Kind:
    """What a table plays. With the chance `sloth` people let a deadline go by; `far` ones have a measured delay;
    a `hosted` one's pauses are ended from outside too."""

    preset: str
    seats: int
    options: dict[str, Any] = field(default_factory=dict)
    target: int = 50
    sloth: float = 0.2
    far: bool = False
    hosted: bool = False


CAREFUL = 0.0
DELAYS_MS = (None, 0, 20, 83, 90, 240, 900, 60_000)
KINDS = {
    "draw-2": Kind("draw", 2),
    "draw-4": Kind("draw", 4),
    "block-3": Kind("block", 3),
    "duel-draw": Kind("duel-draw", 2, {}, 100, CAREFUL),
    "duel-draw-flag": Kind("duel-draw", 2, {"clock_ms": 60_000}, 500, CAREFUL),
    "all-fives": Kind("all-fives", 2, {}, 100, CAREFUL),
    "all-fives-spinner": Kind("all-fives", 2, {"spinner": True}, 100, CAREFUL),
    "party-3": Kind("party", 3, target=100),
    "party-pairs": Kind("party", 4, {"pairs": True}, 100),
    "party-drawing": Kind("party", 2, {"drawing": True, "turn_ms": 30_000}, 100),
    "party-hosted": Kind("party", 3, target=100, hosted=True),
    "draw-3-far": Kind("draw", 3, far=True),
    "all-fives-far": Kind("all-fives", 2, {"clock_ms": 180_000}, 100, CAREFUL, far=True),
}
"""By name: every preset, and every option of its row."""
VARIANTS = (
    Kind("draw", 3, {"forced": "manual"}),
    Kind("draw", 2, {"turn_ms": None, "clock_ms": 600_000}),
    Kind("block", 4, {"pairs": True, "out_of_time": "this-turn"}),
    Kind("all-fives", 2, {"forced": "auto", "round_cap": 3, "tie_at_cap": "extra-rounds"}, 500, CAREFUL),
    Kind("party", 3, {"out_of_time": "autopilot", "spinner": True, "drawing": True}),
    Kind("party", 4, far=True),
    Kind("duel-draw", 2, {"clock_ms": 60_000}, 500, CAREFUL, far=True),
)
"""Tables that only a house plays."""


class Life:
    """A table in the hands of chance; `steps` runs it to the end of its match."""

    def __init__(self, kind: Kind, seed: int) -> None:
        self.chance = random.Random(f"{kind.preset}-{kind.seats}-{seed}")
        self.kind = kind
        self.accounts = [f"account-{seat}" for seat in range(1, kind.seats + 1)]
        self.state: TableState | None = None
        self.now = NOON
        self.count = 0

    def steps(self) -> Iterator[Step]:
        bots = self.chance.randrange(len(self.accounts) + 1)
        seats = tuple(Reservation(name, number < bots) for number, name in enumerate(self.accounts))
        options = {"preset": self.kind.preset, "target": self.kind.target, **self.kind.options}
        hosted = self.kind.hosted
        yield self._step(
            lambda state, moment: table.open_table(state, "table-1", options, seats, "eu", moment, hosted=hosted)
        )
        while not isinstance(self.state, table.Finished):
            assert self.count < DECISIONS_MAX, "a table that does not end"
            yield self._next()

    def _next(self) -> Step:
        state = self.state
        assert state is not None
        due = table.deadline(state)
        assert due is not None
        if self.now > due.due_at or self.chance.random() < self.kind.sloth:
            self.now = max(self.now, due.due_at + 1)
            return self._step(table.time_out)
        self.now += self.chance.choice([1, 400, 1_500, 3_000])
        if isinstance(state, table.Playing) and self.chance.random() < 0.7:
            return self._good_play(state)
        if self.kind.hosted and self.chance.random() < 0.3:
            ended = max(1, state.match.round_number + self.chance.choice([-1, 0, 0, 1]))
            return self._step(lambda state, moment: table.end_pause(state, ended, moment))
        return self._whim(state)

    def _good_play(self, state: table.Playing) -> Step:
        assert state.turn is not None
        seat, number = state.turn.seat, state.turn.number
        account = self.accounts[seat - 1]
        if state.table.clocks and state.table.player(seat).left:  # the own clock brings everybody back
            return self._step(lambda state, moment: table.return_to_seat(state, account, moment), account)
        text = self.chance.choice(table.view_for(state, seat)["legal"])
        if text == "draw":
            return self._step(lambda state, moment: table.draw_tiles(state, account, number, moment), account)
        if text == "pass":
            return self._step(lambda state, moment: table.pass_turn(state, account, number, moment), account)
        tile, end = parse_play(text)
        return self._step(lambda state, moment: table.play_tile(state, account, number, tile, end, moment), account)

    def _whim(self, state: TableState) -> Step:
        account = self.chance.choice([*self.accounts, "stranger"])
        turn = max(1, table.last_turn(state) + self.chance.choice([-1, 0, 0, 1]))
        ended = max(1, state.match.round_number + self.chance.choice([-1, 0, 0, 1]))
        tile = self.chance.choice(BY_NAME)
        seed = self.chance.choice(["", "salt", "x" * 65])
        whim: Decide = self.chance.choice(
            [
                lambda state, moment: table.sit_down(state, account, seed, moment),
                lambda state, moment: table.leave(state, account, moment),
                lambda state, moment: table.return_to_seat(state, account, moment),
                lambda state, moment: table.next_round(state, account, ended, self.chance.choice([None, seed]), moment),
                lambda state, moment: table.play_tile(state, account, turn, tile, None, moment),
                lambda state, moment: table.draw_tiles(state, account, turn, moment),
                lambda state, moment: table.pass_turn(state, account, turn, moment),
            ]
        )
        return self._step(whim, account)

    def _step(self, decide: Decide, account: str = "") -> Step:
        self.count += 1
        before = self.state
        events, refusal = _parts(self._decided(decide, account, Moment(self.now, draws(f"{self.count}"))))
        for event in events:
            self.state = table.evolve(self.state, event)
        return Step(before, events, refusal, self.state, self.now)

    def _decided(self, decide: Decide, account: str, moment: Moment) -> Decision:
        if not self.kind.far or account == "":
            return decide(self.state, moment)
        moment = replace(moment, human=self.chance.random() < 0.8, delay_ms=self.chance.choice(DELAYS_MS))
        return table.from_seat(self.state, account, moment, lambda state: decide(state, moment))


def _parts(decided: Decision) -> tuple[tuple[TableEvent, ...], Refusal | None]:
    match decided:
        case Refusal():
            return (), decided
        case RefusedAfterReturn(events, refusal):
            return events, refusal
        case _:
            return tuple(decided), None


def whole_life(preset: str, seats: int, seed: int) -> list[Step]:
    """Every step of one table of the preset from its opening to the end of its match."""
    return list(Life(Kind(preset, seats), seed).steps())


def life_of(kind: Kind, seed: int) -> list[Step]:
    """The same for a table of that kind."""
    return list(Life(kind, seed).steps())


SEEDS = st.integers(min_value=0, max_value=2**32)
timed_lives = st.builds(whole_life, st.sampled_from(["draw", "block"]), st.integers(2, 4), SEEDS)
all_lives = st.one_of(timed_lives, st.builds(life_of, st.sampled_from([*KINDS.values(), *VARIANTS]), SEEDS))
"""Lives of tables of every preset, and of house variants."""


def events_of(steps: list[Step]) -> list[TableEvent]:
    """The log of the life."""
    return [event for step in steps for event in step.events]
