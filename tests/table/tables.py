"""Tables to begin a test with."""

from collections.abc import Sequence
from typing import Any, TypeAlias

from tests.given import Given, Then

from bus.decider import Decider
from contracts.table import (
    DrawTiles,
    PassTurn,
    PlayTile,
)
from domino_rules import RoundDealt
from domino_rules.notation import parse_hand
from domino_rules.ruleset import Ruleset
from domino_rules.shuffle import commitment
from domino_rules.table import Reservation, TableEvent, TableState
from domino_rules.table.events import (
    PlayerSeated,
    RoundCommitted,
    TableOpened,
    TurnStarted,
)
from table.decider import Command, TableDecider

Table: TypeAlias = Given[TableState, Command, TableEvent]
decider: Decider[TableState, Command, TableEvent] = TableDecider()
NOON = 1_700_000_000_000
TABLE_ID = "01hf7yat000000000000000000"
"""Made at noon."""
SEED = bytes(32)
DRAW = Ruleset.of("draw", 2)
HANDS = ("6-6 6-1 3-2", "6-5 4-4 3-1")


def given(*events: TableEvent, table_id: str = TABLE_ID) -> Table:
    return Given(decider, table_id, events)


def opened(*accounts: str, ruleset: Ruleset = DRAW, bots: Sequence[str] = ()) -> tuple[TableEvent, ...]:
    seats = tuple(Reservation(account, account in bots) for account in accounts or ("ann", "bob"))
    return (
        TableOpened(TABLE_ID, ruleset, seats, "eu", NOON, NOON + 10_000),
        RoundCommitted(1, commitment(SEED), SEED.hex()),
    )


def dealt(
    hands: tuple[str, ...] = HANDS, boneyard: str = "2-2 6-0", opener: int = 1, forced: bool = True, **how: Any
) -> tuple[TableEvent, ...]:
    """A table whose first round was dealt at noon, and the first turn started."""
    parsed = tuple(parse_hand(hand) for hand in hands)
    tile = max(parsed[opener - 1]) if forced else None
    count = len(hands)
    accounts = ("ann", "bob", "cid", "dot")[:count]
    ruleset = how.pop("ruleset", Ruleset.of("draw", count))
    return (
        *opened(*accounts, ruleset=ruleset, **how),
        *(PlayerSeated(seat, "") for seat in range(1, count + 1)),
        RoundDealt(1, parsed, parse_hand(boneyard), opener, tile, ("",) * count),
        turn_started(1, opener, ruleset),
    )


def turn_started(turn: int, seat: int, ruleset: Ruleset, at: int = NOON, left_ms: int | None = None) -> TurnStarted:
    """The timer of a person's turn, or its match clock with `left_ms` on it, all of it if not told."""
    if ruleset.clock_ms is not None:
        return TurnStarted(turn, seat, "clock", at, at + (ruleset.clock_ms if left_ms is None else left_ms))
    assert ruleset.turn_ms is not None
    return TurnStarted(turn, seat, "turn", at, at + ruleset.turn_ms)


def play(text: str, turn: int) -> PlayTile:
    tile, _, end = text.partition("@")
    return PlayTile(turn=turn, tile=tile, end=end or None)


def act(text: str, turn: int) -> PlayTile | DrawTiles | PassTurn:
    """`6-1@left`, `draw` or `pass`."""
    if text == "draw":
        return DrawTiles(turn=turn)
    return PassTurn(turn=turn) if text == "pass" else play(text, turn)


def kinds(then: Then[TableState, TableEvent]) -> list[str]:
    assert then.decision.code == "accepted", then.decision
    return [event.tag for event in then.decision.events]


def events_of(then: Then[TableState, TableEvent]) -> list[TableEvent]:
    return list(then.decision.events)


OUT = ("6-6", "6-5 4-4")


def pausing(hands: tuple[str, ...] = OUT, **how: Any) -> Table:
    """Seat 1 went out with its first tile at noon."""
    return given(*dealt(hands, **how)).after(play("6-6", 1), by="ann", at=NOON)
