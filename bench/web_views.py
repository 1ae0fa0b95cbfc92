"""The views of one long match as one seat is sent them, made by the table's own rules with known entropy."""

import hashlib
import time
from collections.abc import Iterator
from dataclasses import dataclass

from contracts.api import View
from domino_rules import legal_actions
from domino_rules.actions import Action, Draw, Pass, PlayTile
from domino_rules.table import Pausing, Playing, TableEvent, TableState, event_view, evolve, view_for
from domino_rules.table.decide import draw_tiles, next_round, open_table, pass_turn, play_tile, sit_down
from domino_rules.table.draft import Moment
from domino_rules.table.reservation import Reservation

TABLE = "01jdxk9t3v6q8w2y4z6a8c0e2g"
SEAT = 1
PEOPLE = ("01jdxk9t3v6q8w2y4z6a8c0e2h", "01jdxk9t3v6q8w2y4z6a8c0e2j")
TARGET = 1_000_000


@dataclass(slots=True)
class Match:
    """`version` counts outcomes, as in the log."""

    state: TableState | None = None
    version: int = 0
    drawn: int = 0

    def moment(self) -> Moment:
        return Moment(time.time_ns() // 1_000_000, self._entropy, human=True)

    def _entropy(self, label: str) -> bytes:
        self.drawn += 1
        return hashlib.sha256(f"{label} {self.drawn}".encode()).digest()

    def after(self, decided: object) -> View:
        assert isinstance(decided, list), decided
        events: list[TableEvent] = decided
        for event in events:
            self.state = evolve(self.state, event)
        assert self.state is not None
        self.version += 1
        now = time.time_ns() // 1_000_000
        return View(
            table_id=TABLE,
            from_version=self.version - 1,
            version=self.version,
            at=now,
            events=tuple(event_view(event, SEAT) for event in events),
            view=view_for(self.state, SEAT),
            server_time=now,
        )


def views(rounds: int, preset: str = "draw") -> Iterator[View]:
    """From the opening on, until so many rounds have ended. The longest game is chosen: the lightest tile first."""
    match = Match()
    options = {"preset": preset, "target": TARGET, "round_cap": None}
    seats = tuple(Reservation(account, False) for account in PEOPLE)
    yield match.after(open_table(None, TABLE, options, seats, "bench", match.moment()))
    for account in PEOPLE:
        yield match.after(sit_down(match.state, account, "", match.moment()))
    while True:
        match match.state:
            case Playing(match=game, turn=turn) if turn is not None:
                yield match.after(_acted(match, PEOPLE[turn.seat - 1], turn.number, legal_actions(game)[-1]))
            case Pausing(match=game, ready=ready):
                if game.round_number >= rounds and not ready:
                    return
                awaited = next(account for seat, account in enumerate(PEOPLE, 1) if seat not in ready)
                yield match.after(next_round(match.state, awaited, game.round_number, None, match.moment()))
            case other:
                raise AssertionError(f"expected a match that goes on, got {type(other).__name__}")


def _acted(match: Match, account: str, turn: int, action: Action) -> object:
    match action:
        case PlayTile(tile=tile, end=end):
            return play_tile(match.state, account, turn, tile, end, match.moment())
        case Draw():
            return draw_tiles(match.state, account, turn, match.moment())
        case Pass():
            return pass_turn(match.state, account, turn, match.moment())
        case other:
            raise AssertionError(f"expected a legal action, got {type(other).__name__}")
