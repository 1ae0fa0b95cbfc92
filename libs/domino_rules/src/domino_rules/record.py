"""A whole match as what cannot be worked out: its rules, its deals with their seeds, and the actions of the seats.

All else follows by the rules: `events_of` decides it again and gives the same events.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from domino_rules.actions import Action
from domino_rules.events import GameEvent, MatchEnded, Passed, RoundDealt, RoundEnded, TilePlayed, TilesDrawn
from domino_rules.match import deal, decide, evolve, new_match
from domino_rules.opening import OpenerNeeded
from domino_rules.refusal import Refusal
from domino_rules.retrace import Departure, Retrace, check_set, may_resign
from domino_rules.ruleset import Ruleset, Seat
from domino_rules.shuffle import Seeds, verify
from domino_rules.table.events import RoundCommitted, SeedRevealed, TableEvent, TableOpened
from domino_rules.tiles import Hand


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """One deal and what the seats did with it; draws and passes that are forced are not among the actions."""

    hands: tuple[Hand, ...]
    boneyard: Hand
    actions: tuple[Action, ...] = ()
    lot: Seat | None = None
    """The opener where a lot decided it."""
    client_seeds: tuple[str, ...] = ()
    commitment: str | None = None
    server_seed: str | None = None
    """In hex; none for a round without a shuffle that can be checked, or not over yet."""


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match from its first deal, over or not. `resigned` is the seat that gave up: no action of the game says it."""

    ruleset: Ruleset
    rounds: tuple[RoundRecord, ...]
    table_id: str | None = None
    accounts: tuple[str, ...] = ()
    resigned: Seat | None = None


class Redecided:
    """Decides the deals and actions of a record again; `match` and `events` are what came of them so far."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.match = new_match(ruleset)
        self.events: list[GameEvent] = []

    def deal(self, dealt: RoundRecord) -> None:
        """The next deal; raises `Departure` when it cannot be."""
        if self.match.status != "round-ended":
            raise Departure("round", "no deal now", "another round")
        check_set(self.match.ruleset, dealt.hands, dealt.boneyard)
        if dealt.lot is not None and not self.match.lot_decides:
            raise Departure("lot", "none, the rules decide who opens", f"seat {dealt.lot}")
        try:
            self._record(deal(self.match, dealt.hands, dealt.boneyard, dealt.lot, dealt.client_seeds))
        except OpenerNeeded:
            raise Departure("lot", "a seat, a lot decides who opens", "none") from None

    def act(self, action: Action) -> list[GameEvent]:
        """The events of the next action; raises `Departure` when it is refused."""
        decided = decide(self.match, action)
        if isinstance(decided, Refusal):
            raise Departure(str(decided.reason), decided.expected, decided.got)
        self._record(decided)
        return decided

    def resign(self, seat: Seat) -> None:
        """The seat gives up; raises `Departure` when there is nothing to give up or more than one opponent."""
        if not may_resign(self.match):
            raise Departure("resigned", "a match of two in play", f"seat {seat} gives up")
        self._record([MatchEnded("resigned", (self.match.ruleset.next_seat(seat),), self.match.scores)])

    def _record(self, events: list[GameEvent]) -> None:
        for event in events:
            self.match = evolve(self.match, event)
            self.events.append(event)


def events_of(record: MatchRecord) -> list[GameEvent]:
    """The game's events of the record; raises `retrace.Departure` when an action in it is refused."""
    redecided = Redecided(record.ruleset)
    for one in record.rounds:
        redecided.deal(one)
        for action in one.actions:
            redecided.act(action)
    if record.resigned is not None:
        redecided.resign(record.resigned)
    return redecided.events


def check_shuffles(record: MatchRecord) -> int:
    """Checks every deal whose seed is known and gives their number; raises `shuffle.ShuffleMismatch`."""
    checked = 0
    for number, one in enumerate(record.rounds, start=1):
        if one.server_seed is None or one.commitment is None or record.table_id is None:
            continue
        seeds = Seeds(bytes.fromhex(one.server_seed), record.table_id, number, one.client_seeds)
        hand_size = record.ruleset.hand_size
        verify(seeds, one.commitment, one.hands, one.boneyard, hand_size=hand_size, lot=one.lot)
        checked += 1
    return checked


def record_of(log: Iterable[TableEvent], ruleset: Ruleset | None = None) -> MatchRecord:
    """The record of a table's log, or of a game's events alone under their ruleset.

    Raises `retrace.Departure` when the game's events do not follow by the rules.
    """
    told = _Told(None if ruleset is None else Retrace(ruleset))
    for event in log:
        told.take(event)
    if told.game is None:
        raise Departure("ruleset", "a table's opening, or a ruleset", "neither")
    rounds = tuple([told.round_record(number) for number in range(1, len(told.deals) + 1)])
    return MatchRecord(told.game.match.ruleset, rounds, told.table_id, told.accounts, told.resigned)


@dataclass(slots=True)
class _Told:
    """What a log has told so far."""

    game: Retrace | None
    table_id: str | None = None
    accounts: tuple[str, ...] = ()
    resigned: Seat | None = None
    deals: list[RoundDealt] = field(default_factory=list)
    lots: list[Seat | None] = field(default_factory=list)
    actions: list[list[Action]] = field(default_factory=list)
    commitments: dict[int, str] = field(default_factory=dict)
    server_seeds: dict[int, str] = field(default_factory=dict)

    def take(self, event: TableEvent) -> None:
        match event:
            case TableOpened():
                self.game, self.table_id = Retrace(event.ruleset), event.table_id
                self.accounts = tuple([seat.account for seat in event.seats])
            case RoundCommitted():
                self.commitments[event.round] = event.commitment
            case SeedRevealed():
                self.server_seeds[event.round] = event.server_seed
            case RoundDealt() | TilePlayed() | TilesDrawn() | Passed() | RoundEnded() | MatchEnded():
                self._take_game_event(event)
            case _:
                pass

    def _take_game_event(self, event: GameEvent) -> None:
        if self.game is None:
            raise Departure(event.tag, "a table's opening, or a ruleset", "neither")
        before = self.game.match
        begun = self.game.take(event)
        if isinstance(begun, RoundDealt):
            self.deals.append(begun)
            self.lots.append(begun.opener if before.lot_decides else None)
            self.actions.append([])
        elif begun is not None:
            self.actions[-1].append(begun)
        elif isinstance(event, MatchEnded) and event.reason == "resigned":
            self.resigned = before.ruleset.next_seat(event.winner[0])

    def round_record(self, number: int) -> RoundRecord:
        dealt = self.deals[number - 1]
        return RoundRecord(
            dealt.hands,
            dealt.boneyard,
            tuple(self.actions[number - 1]),
            self.lots[number - 1],
            dealt.client_seeds,
            self.commitments.get(number),
            self.server_seeds.get(number),
        )
