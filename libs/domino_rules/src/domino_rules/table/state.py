"""The states of a table, one shape each: Waiting, Playing, Pausing, Finished, Expired."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from domino_rules.events import RoundEnded
from domino_rules.ruleset import Ruleset, Seat
from domino_rules.state import Match
from domino_rules.table.reservation import Strength
from domino_rules.tiles import Hand


@dataclass(frozen=True, slots=True)
class Player:
    """One seat: whose it is and how it is played."""

    account: str
    bot: bool
    seated: bool = False
    client_seed: str = ""
    autopilot: bool = False
    left: bool = False
    strength: Strength | None = None
    """A house bot's; none for all others."""
    delay_ms: int = 0
    """The newest round trip to the person that was noted; 0 as long as none was."""
    credited_ms: int = 0
    """What the seat was credited for it in this match."""


@dataclass(frozen=True, slots=True)
class Seed:
    """A round's server seed in hex, secret until revealed, and its public commitment."""

    round: int
    commitment: str
    server_seed: str


@dataclass(frozen=True, slots=True)
class LastRound:
    """How the last round that ended did so, with all hands as they stood then."""

    round: int
    ended: RoundEnded
    hands: tuple[Hand, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """What changes rarely while a table is played at. `committed` is none between a reveal and the next commitment."""

    table_id: str
    ruleset: Ruleset
    region: str
    opened_at: int
    players: tuple[Player, ...]
    committed: Seed | None = None
    revealed: tuple[Seed, ...] = ()
    client_seeds: tuple[str, ...] = ()
    """Those of the last deal."""
    last_round: LastRound | None = None
    timed_out_turn: int = 0
    """The last turn that ended by its timeout, 0 for none."""
    clocks: tuple[int, ...] = ()
    """What each seat's match clock showed when it last stood still, in ms; empty without match clocks."""
    noted_at: int = 0
    """When it was last noted that a person acts here; 0 as long as it was not."""
    hosted: bool = False
    """Whether the host sits outside, so that seat 1 is none."""

    @property
    def person_acted_at(self) -> int:
        """When a person last acted here, to a minute; at first when the table was opened."""
        return self.noted_at or self.opened_at

    def seat_of(self, account: str) -> Seat | None:
        """The seat that is reserved for the account."""
        return next((seat for seat, player in enumerate(self.players, 1) if player.account == account), None)

    def player(self, seat: Seat) -> Player:
        """Who sits there."""
        return self.players[seat - 1]


@dataclass(frozen=True, slots=True)
class Turn:
    """The turn in progress or last played. `arming` counts how often its timer was set."""

    number: int
    seat: Seat
    kind: Literal["turn", "autopilot", "clock"]
    set_at: int
    due_at: int
    arming: int = 1
    fresh: tuple[int, int] | None = None
    """When a fresh timer for a person's return was set and falls due: a turn has one at most."""
    credit_ms: int = 0
    """What the seat was credited in this turn, by all its timers."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """Seats are reserved; the first deal follows when all have sat down, or when the start is due."""

    table: Table
    match: Match
    due_at: int


@dataclass(frozen=True, slots=True)
class Playing:
    """A round is played. `turn` is none only between the match's first deal and the first turn."""

    table: Table
    match: Match
    turn: Turn | None


@dataclass(frozen=True, slots=True)
class Pausing:
    """Between two rounds."""

    table: Table
    match: Match
    turn: Turn | None
    set_at: int
    due_at: int
    ready: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class Finished:
    """The match has ended."""

    table: Table
    match: Match
    turn: Turn | None


@dataclass(frozen=True, slots=True)
class Expired:
    """Nobody came for a day; the match will not go on."""

    table: Table
    match: Match
    turn: Turn | None


TableState: TypeAlias = Waiting | Playing | Pausing | Finished | Expired


def last_turn(state: TableState) -> int:
    """The number of the last turn that started, 0 before the first."""
    if isinstance(state, Waiting) or state.turn is None:
        return 0
    return state.turn.number
