"""A region's lobby as its tests speak of it: who has queued, who plays, what is made of them."""

from typing import Any, Literal, cast

from tests.given import Given, Then

from bus.decider import Decider
from bus.judging import Decision, context_of, judge
from contracts.envelope import CommandEnvelope
from contracts.message import Message
from contracts.region import (
    MatchMade,
    Pool,
    RegionCommand,
    RegionEvent,
    TicketQueued,
)
from contracts.table import Reservation, Strength
from lobby.decider import LobbyDecider
from lobby.region.filling import FILL_MS
from lobby.region.state import Lobby

DUEL = Pool(preset="draw", seats=2, target=100)
THREE = Pool(preset="block", seats=3, target=50)
EVERY_PRESET = (
    DUEL,
    THREE,
    Pool(preset="duel-draw", seats=2, target=250),
    Pool(preset="all-fives", seats=2, target=100),
    Pool(preset="all-fives", seats=2, target=500, spinner=True),
    Pool(preset="party", seats=3, target=150),
    Pool(preset="party", seats=2, target=100, drawing=True),
    Pool(preset="party", seats=4, target=200, pairs=True),
    Pool(preset="party", seats=2, target=100, turn_seconds=60),
    Pool(preset="duel-draw", seats=2, target=100, clock_minutes=3),
)
NOON = 1_700_000_000_000
decider: Decider[Lobby, RegionCommand, RegionEvent] = cast(Any, LobbyDecider())
"""As its regions know it."""


def given(*events: RegionEvent) -> Given[Lobby, RegionCommand, RegionEvent]:
    return Given(decider, "eu", events)


def ticket(
    account: str,
    pool: Pool = DUEL,
    bots: Literal["none", "fill"] = "none",
    at: int = NOON,
    strength: Strength = "normal",
) -> TicketQueued:
    due_at = at + FILL_MS if bots == "fill" else None
    return TicketQueued(
        account=account, pool=pool, bots=bots, bot=False, queued_at=at, fill_due_at=due_at, strength=strength
    )


def decided(lobby: Lobby, principal: str, command: Message, at: int, number: int) -> Decision[Lobby, RegionEvent]:
    """What the region decides at log time `at` (ms); chance comes from `number`, another for each command."""
    envelope = CommandEnvelope(id="c", principal=principal, aggregate="eu", command=command.model_dump())
    context = context_of(envelope, at, at, number.to_bytes(32, "big"))
    decision = judge(decider, lobby, envelope.command, context)
    assert decision.fault is None, decision
    return decision


def match(*accounts: str, table: str = "t1", pool: Pool = DUEL) -> MatchMade:
    return MatchMade(table_id=table, pool=pool, seats=tuple(Reservation(account=account) for account in accounts))


def who_waits(lobby: Lobby, pool: Pool) -> list[str]:
    """Who of `pool` could be seated now, the oldest unit's people first."""
    shelf = lobby.queue.shelves.get(pool)
    numbers = sorted([each for numbers in shelf.ready.values() for each in numbers]) if shelf is not None else []
    return [ticket.account for number in numbers for ticket in lobby.queue.units[number].tickets]


def made(result: Then[Lobby, RegionEvent]) -> MatchMade:
    found = [event for event in result.decision.events if isinstance(event, MatchMade)]
    assert len(found) == 1
    return found[0]


def seats(event: MatchMade) -> list[tuple[str, bool]]:
    return [(seat.account, seat.bot) for seat in event.seats]
