"""Whole matches without a server: what a log would hold and what its seats would see."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from capicua.view import TableView, typed
from contracts.api import Replay, ReplayOutcome, View
from domino_rules import RULES_VERSION, Draw, MatchEnded, Pass, PlayTile, RoundEnded, legal_actions, table
from domino_rules.table import Finished, Moment, Reservation, TableEvent, TableState

TABLE_ID = "01jtable"


@dataclass(frozen=True)
class Outcome:
    """One decision: the state after it, its events, the version after them."""

    state: TableState
    events: list[TableEvent]
    version: int

    def message(self, seat: int | None) -> View:
        """As the gateway would send it to that seat."""
        events = [table.event_view(event, seat) for event in self.events]
        return View(
            table_id=TABLE_ID,
            from_version=self.version - len(self.events),
            version=self.version,
            at=self.version * 1000,
            events=tuple(event for event in events if event is not None),
            view=table.view_for(self.state, seat),
        )

    def view(self, seat: int | None) -> TableView:
        return typed(self.message(seat))


def match(
    preset: str = "draw", seats: int = 2, target: int = 50, seed: str = "", **options: object
) -> Iterator[Outcome]:
    """Every outcome of a match in which each seat plays its heaviest legal tile; all seats are bots.

    Nobody does it in time, so that the server acts for all, except where being late loses the match.
    """
    people = tuple(Reservation(f"bot{seat}", True, "expert") for seat in range(1, seats + 1))
    ruleset = {"preset": preset, "seats": seats, "target": target, **options}
    state: TableState | None = None
    version = 0
    while not isinstance(state, Finished):
        moment = Moment(version * 1000, partial(_random, f"{seed}{version}"))
        events = _decide(state, people, ruleset, moment)
        for event in events:
            state = table.evolve(state, event)
        version += len(events)
        assert state is not None
        yield Outcome(state, events, version)


def replay(outcomes: list[Outcome]) -> Replay:
    return Replay(
        table_id=TABLE_ID,
        rules_version=RULES_VERSION,
        ruleset=outcomes[0].state.table.ruleset.to_json(),
        outcomes=tuple(_replay_outcome(outcome) for outcome in outcomes),
    )


def _random(seed: str, label: str) -> bytes:
    return hashlib.sha256(f"{seed}{label}".encode()).digest()


def _replay_outcome(outcome: Outcome) -> ReplayOutcome:
    ends = any(isinstance(event, RoundEnded | MatchEnded) for event in outcome.events)
    return ReplayOutcome(
        version=outcome.version,
        at=outcome.version * 1000,
        events=tuple(event.to_json() for event in outcome.events),
        state_hash=table.state_hash(outcome.state) if ends else None,
    )


def _decide(
    state: TableState | None, people: tuple[Reservation, ...], options: dict[str, object], moment: Moment
) -> list[TableEvent]:
    if state is None:
        decided = table.open_table(None, TABLE_ID, options, people, "eu", moment)
    elif unseated := [player for player in state.table.players if not player.seated]:
        decided = table.sit_down(state, unseated[0].account, "", moment)
    elif state.match.playing is None:
        decided = table.next_round(state, "bot1", state.match.round_number, None, moment)
    elif state.table.clocks:
        decided = _act(state, moment)
    else:
        decided = table.time_out(state, moment)
    assert isinstance(decided, list), decided
    return decided


def _act(state: TableState, moment: Moment) -> table.Decision:
    """The first legal action of the seat to move."""
    turn = table.last_turn(state)
    match legal_actions(state.match)[0]:
        case PlayTile(seat, tile, end):
            return table.play_tile(state, f"bot{seat}", turn, tile, end, moment)
        case Draw(seat):
            return table.draw_tiles(state, f"bot{seat}", turn, moment)
        case Pass(seat):
            return table.pass_turn(state, f"bot{seat}", turn, moment)
    raise AssertionError("expected an action of a turn")
