"""Tables of a private room: its host, who may sit anywhere or nowhere, ends the pauses of a party."""

import json

import pytest
from tests.table.tables import NOON, OUT, TABLE_ID, Table, dealt, given, kinds, opened, pausing, play

from contracts.message import Message
from contracts.table import EndTablePause, LeaveTable, NextRound, OpenTable, Reservation
from domino_rules import table
from domino_rules.ruleset import Ruleset
from domino_rules.table import TableEvent
from domino_rules.table.events import PlayerReady, TableOpened

PARTY = Ruleset.of("party", 3)
THREE = ("6-6", "6-5 4-4", "3-3")
DEALS = ["round-dealt", "turn-started"]


def hosted(events: tuple[TableEvent, ...]) -> tuple[TableEvent, ...]:
    opening = events[0]
    assert isinstance(opening, TableOpened)
    body = {**opening.to_json(), "hosted": True}
    return TableOpened.from_json(body), *events[1:]


def party() -> Table:
    """Seat 1 went out at noon, and the host sits outside."""
    return given(*hosted(dealt(THREE, ruleset=PARTY))).after(play("6-6", 1), by="ann", at=NOON)


def test_the_host_of_the_room_ends_the_pause_whoever_sits_where() -> None:
    assert kinds(party().when(EndTablePause(round=1), by="lobby", at=NOON + 1)) == DEALS
    left = party().after(LeaveTable(), by="ann", at=NOON + 1)
    assert kinds(left.when(EndTablePause(round=1), by="lobby", at=NOON + 2)) == DEALS


def test_seat_one_has_no_right_of_its_own_at_a_hosted_table() -> None:
    party().when(NextRound(round=1), by="ann", at=NOON + 1).then(PlayerReady(1))


def test_all_who_sit_at_a_hosted_table_end_its_pause_together() -> None:
    ready = party().after(NextRound(round=1), by="ann", at=NOON + 1).after(NextRound(round=1), by="bob", at=NOON + 2)
    assert kinds(ready.when(NextRound(round=1), by="cid", at=NOON + 3)) == ["player-ready", *DEALS]


def test_the_pause_of_a_hosted_table_ends_by_itself_as_well() -> None:
    assert kinds(party().when_due()) == DEALS


@pytest.mark.parametrize("principal", ["ann", "bob", "stranger", "timer"])
def test_nobody_but_the_lobby_speaks_for_the_host(principal: str) -> None:
    party().when(EndTablePause(round=1), by=principal, at=NOON + 1).refused("not-host")


def test_a_pause_is_ended_once_and_only_while_it_lasts() -> None:
    party().when(EndTablePause(round=2), by="lobby", at=NOON + 1).refused("wrong-turn")
    on = party().after(EndTablePause(round=1), by="lobby", at=NOON + 1)
    on.when(EndTablePause(round=1), by="lobby", at=NOON + 2).refused("stale-turn")
    on.when(EndTablePause(round=2), by="lobby", at=NOON + 2).refused("wrong-turn")


def test_there_is_nothing_to_end_before_the_first_deal_after_the_last_and_at_no_table() -> None:
    given().when(EndTablePause(round=1), by="lobby", at=NOON).refused("unknown-table")
    given(*opened("ann", "bob", "cid", ruleset=PARTY)).when(EndTablePause(round=1), by="lobby").refused("not-started")
    short = given(*hosted(dealt(THREE, ruleset=Ruleset.of("party", 3, target=1))))
    over = short.after(play("6-6", 1), by="ann", at=NOON)
    over.when(EndTablePause(round=1), by="lobby", at=NOON + 1).refused("table-over")


def test_where_everybody_ends_the_pause_no_host_does() -> None:
    pausing(OUT).when(EndTablePause(round=1), by="lobby", at=NOON + 1).refused("not-host")


@pytest.mark.parametrize("is_hosted", [False, True])
def test_an_opening_says_that_it_is_hosted_and_else_nothing(is_hosted: bool) -> None:
    seats = tuple(Reservation(account=account) for account in ("ann", "bob"))
    command: Message = OpenTable(ruleset={"preset": "party"}, seats=seats, region="eu", hosted=is_hosted)
    then = given(table_id=TABLE_ID).when(command, by="lobby", at=NOON)
    opening, state = then.decision.events[0], then.decision.state
    assert state is not None
    assert opening.to_json().get("hosted") == (True if is_hosted else None)
    assert table.event_from_json(json.loads(json.dumps(opening.to_json()))) == opening
    assert table.from_json(json.loads(json.dumps(table.to_json(state)))) == state
    assert ("hosted" in table.to_json(state)["table"]) == is_hosted
