"""What the rules write and what the contract says are one."""

import random

from pydantic import TypeAdapter
from tests.given import Then
from tests.table.tables import (
    NOON,
    Table,
    act,
    decider,
    given,
    opened,
)

from contracts.message import Message
from contracts.table import (
    LeaveTable,
    NextRound,
    ReturnToSeat,
    SitDown,
)
from contracts.table import TableEvent as TableEventMessage
from domino_rules.ruleset import Ruleset
from domino_rules.table import Finished, Pausing, Playing, TableEvent, TableState, Waiting, view_for

PLAYED = [("draw", 2), ("draw", 4), ("block", 3), ("duel-draw", 2), ("all-fives", 2), ("party", 3)]


def test_every_event_of_a_match_has_the_shape_of_its_contract() -> None:
    contract: TypeAdapter[Message] = TypeAdapter(TableEventMessage)
    seen = set()
    for event in [event for preset, seats in PLAYED for event in whole_match(preset, seats)]:
        body = decider.encode_event(event)
        assert contract.validate_python(body).model_dump(mode="json", exclude_unset=True) == body
        assert decider.decode_event(body) == event
        seen.add(event.tag)
    every = {tag for tag in _tags(contract) if tag not in ("table-expired", "retired")}
    assert seen == every


def whole_match(preset: str, seats: int) -> list[TableEvent]:
    chance = random.Random(f"{preset}{seats}")
    accounts = tuple(f"account-{seat}" for seat in range(1, seats + 1))
    events: list[TableEvent] = [*opened(*accounts, ruleset=Ruleset.of(preset, seats, target=100))]
    played = given(*events)
    now = NOON
    while not isinstance(played.state, Finished):
        now += 100
        then = _next(played, accounts, now, chance)
        events += then.decision.events
        played.state = then.decision.state
    return events


def _tags(contract: TypeAdapter[Message]) -> set[str]:
    return set(contract.json_schema()["discriminator"]["mapping"])


def _next(played: Table, accounts: tuple[str, ...], now: int, chance: random.Random) -> Then[TableState, TableEvent]:
    state = played.state
    if isinstance(state, Playing) and state.turn is not None and chance.random() < 0.6:
        seat = state.turn.seat
        return played.when(
            act(chance.choice(view_for(state, seat)["legal"]), state.turn.number),
            by=accounts[seat - 1],
            at=now,
            human=True,
            delay_ms=chance.choice([0, 83, 900]),
        )
    if isinstance(state, Waiting):
        return played.when(SitDown(), by=accounts[now // 100 % len(accounts)], at=now)
    if isinstance(state, Pausing):
        return played.when(NextRound(round=state.match.round_number), by=chance.choice(accounts), at=now)
    if chance.random() < 0.5:
        return played.when(chance.choice([LeaveTable(), ReturnToSeat()]), by=chance.choice(accounts), at=now)
    return played.when_due()
