"""The events of one decision at a table, with everything that follows from them by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from domino_rules import match as game
from domino_rules import shuffle
from domino_rules.events import GameEvent, TilesDrawn
from domino_rules.ruleset import Seat
from domino_rules.table.credit import credit_ms
from domino_rules.table.deadlines import AUTOPILOT_MS
from domino_rules.table.events import (
    AutopilotStarted,
    AutopilotStopped,
    ClockStopped,
    PauseStarted,
    RoundCommitted,
    SeedRevealed,
    TableEvent,
    TurnStarted,
)
from domino_rules.table.fold import evolve
from domino_rules.table.state import Pausing, Playing, TableState, Turn, Waiting, last_turn

HOST: Final = 1
"""The host's seat at a table that is not hosted from outside."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What a decision knows of the world.

    `now` is what new deadlines count from, in log milliseconds; `draw(label)` gives 32 fresh random bytes; `timed_out`
    is the reference of the deadline that was applied just before, or none. `at` is when the command itself was logged:
    what a match clock is charged up to; none means `now`. `human`: a person, not a program of ours, sent it.
    `delay_ms` is the round trip of the sender's connection as it was measured, none when it was not.
    """

    now: int
    draw: Callable[[str], bytes]
    timed_out: str | None = None
    at: int | None = None
    human: bool = False
    delay_ms: int | None = None


class Draft:
    """Collects events and keeps the state as they leave it."""

    def __init__(self, state: TableState | None, moment: Moment) -> None:
        self._state = state
        self.moment = moment
        self.events: list[TableEvent] = []

    @property
    def state(self) -> TableState:
        assert self._state is not None
        return self._state

    def record(self, *events: TableEvent) -> None:
        for event in events:
            self.events.append(event)
            self._state = evolve(self._state, event)

    def commit_round(self, number: int) -> None:
        """Draw the secret seed of a round to come and publish its commitment."""
        seed = self.moment.draw(f"server-seed-{number}")
        self.record(RoundCommitted(number, shuffle.commitment(seed), seed.hex()))

    def deal_if_all_are_there(self) -> None:
        """Deal when nobody has to be waited for any more."""
        match self.state:
            case Waiting() as waiting:
                complete = all(player.seated or player.left for player in waiting.table.players)
            case Pausing() as pausing:
                complete = bool(pausing.ready) and not _awaited(pausing)
            case _:
                complete = False
        if complete:
            self.deal()

    def deal(self) -> None:
        """The committed round's deal, and whatever it leads to."""
        table, match = self.state.table, self.state.match
        assert table.committed is not None
        clients = tuple([player.client_seed for player in table.players])
        server = bytes.fromhex(table.committed.server_seed)
        seeds = shuffle.Seeds(server, table.table_id, table.committed.round, clients)
        dealt = shuffle.deal(seeds, table.ruleset.hand_size)
        lot = dealt.lot if match.lot_decides else None
        self.follow(game.deal(match, dealt.hands, dealt.boneyard, lot, clients))

    def follow(self, events: Sequence[GameEvent]) -> None:
        """Record the game's events of one action, then a new turn, the pause or the end. A draw ends no turn."""
        if all(isinstance(event, TilesDrawn) for event in events):
            self.record(*events)
            return
        self._stop_clock()
        self.record(*events)
        match = self.state.match
        if match.match_ended is not None:
            self._reveal_if_dealt()
        elif match.round_ended is not None:
            self._reveal()
            self.commit_round(match.round_number + 1)
            now = self.moment.now
            self.record(PauseStarted(match.round_number, now, now + match.ruleset.pause_ms))
        else:
            self.start_turn(last_turn(self.state) + 1)

    def start_turn(self, number: int) -> None:
        """Start what runs for the seat to move: its match clock, its turn timer, or the autopilot's short one."""
        match, table, now = self.state.match, self.state.table, self.moment.now
        assert match.round is not None
        seat = match.round.to_move
        if not table.clocks and table.player(seat).autopilot:
            self.record(TurnStarted(number, seat, "autopilot", now, now + AUTOPILOT_MS))
            return
        credit = self._credit_ms(number, seat)
        if table.clocks:
            self.record(TurnStarted(number, seat, "clock", now, now + table.clocks[seat - 1] + credit, credit))
        else:
            assert match.ruleset.turn_ms is not None
            self.record(TurnStarted(number, seat, "turn", now, now + match.ruleset.turn_ms + credit, credit))

    def _credit_ms(self, number: int, seat: Seat) -> int:
        """What the way to the seat is worth when a timer of that turn is set."""
        turn, player = self.turn_of(seat), self.state.table.player(seat)
        in_turn_ms = turn.credit_ms if turn is not None and turn.number == number else 0
        return credit_ms(player.delay_ms, in_turn_ms, player.credited_ms)

    def stop_autopilot(self, seat: Seat) -> None:
        """The person acts again."""
        if self.state.table.player(seat).autopilot:
            self.record(AutopilotStopped(seat))

    def welcome_back(self, seat: Seat) -> None:
        """Stop the autopilot; in the own turn a fresh timer follows, once in a turn, after that what is left of it."""
        self.stop_autopilot(seat)
        turn = self.turn_of(seat)
        if turn is None or turn.kind != "autopilot":
            return
        if turn.fresh is None:
            self.start_turn(turn.number)
        else:
            self.record(TurnStarted(turn.number, seat, "turn", *turn.fresh))

    def start_autopilot(self, seat: Seat) -> None:
        """The person left. In the own turn its timer gives way to the autopilot's; a match clock just runs on."""
        if self.state.table.clocks:
            return
        if not self.state.table.player(seat).autopilot:
            self.record(AutopilotStarted(seat, "left"))
        turn = self.turn_of(seat)
        if turn is not None and turn.kind == "turn":
            self.start_turn(turn.number)

    def turn_of(self, seat: Seat) -> Turn | None:
        """The turn in progress, if it is that seat's."""
        state = self.state
        turn = state.turn if isinstance(state, Playing) else None
        return turn if turn is not None and turn.seat == seat else None

    def _stop_clock(self) -> None:
        """Charge the turn that ends to its seat's clock, from the turn's start to when the command was logged, without
        what is credited."""
        turn = self.state.turn if isinstance(self.state, Playing) else None
        if turn is None or turn.kind != "clock":
            return
        at = self.moment.now if self.moment.at is None else self.moment.at
        left_ms = max(0, min(self.state.table.clocks[turn.seat - 1], turn.due_at - max(at, turn.set_at)))
        self.record(ClockStopped(turn.number, turn.seat, left_ms))

    def _reveal_if_dealt(self) -> None:
        """Who resigns in a pause ends the match before the round is dealt that was committed to."""
        seed = self.state.table.committed
        if seed is not None and seed.round == self.state.match.round_number:
            self._reveal()

    def _reveal(self) -> None:
        seed = self.state.table.committed
        assert seed is not None
        self.record(SeedRevealed(seed.round, seed.server_seed))


def _awaited(state: Pausing) -> list[Seat]:
    """Who has not said yet that the next round may come: of the people at the table, or the host alone where there is
    one at the table and the host decides."""
    deciding = [
        seat
        for seat, player in enumerate(state.table.players, 1)
        if player.seated and not player.bot and not player.left
    ]
    if state.table.ruleset.next_round == "host" and not state.table.hosted and HOST in deciding:
        deciding = [HOST]
    return [seat for seat in deciding if seat not in state.ready]
