from typing import Any

import pytest

from contracts.api import SeatedAt
from contracts.queue_api import Person
from contracts.region import MatchMade, Pool
from contracts.room import MatchStarted
from contracts.table import Reservation
from gateway.my_tables import pool_of_match, running_entry
from gateway.whereabouts import Running

SEATS = (Reservation(account="ann"), Reservation(account="bea", bot=True))
PARTY = {"preset": "party", "seats": 4}


def started(**ruleset: Any) -> MatchStarted:
    return MatchStarted(table_id="t1", ruleset=ruleset, seats=SEATS)


def person(seat: Reservation) -> Person:
    return Person(account=seat.account, name=seat.account.title(), bot=seat.bot)


def test_a_running_table_of_the_queue_is_shown_with_its_pool() -> None:
    pool = Pool(preset="draw", seats=2, target=50, rated=True)
    match = MatchMade(table_id="t1", pool=pool, seats=SEATS)
    entry = running_entry(Running(SeatedAt(table_id="t1", region="eu"), match, 7), person)
    assert entry is not None
    assert (entry.pool, entry.state, entry.since, entry.region) == (pool, "running", 7, "eu")
    assert [(one.name, one.bot) for one in entry.people] == [("Ann", False), ("Bea", True)]


@pytest.mark.parametrize(
    ("ruleset", "pool"),
    [
        ({"preset": "draw"}, Pool(preset="draw", seats=2, target=100)),
        ({**PARTY, "target": 7, "pairs": True}, Pool(preset="party", seats=4, target=7, pairs=True)),
        ({**PARTY, "turn_ms": 30_000}, Pool(preset="party", seats=4, target=100, turn_seconds=30)),
        ({**PARTY, "turn_ms": 1_500}, Pool(preset="party", seats=4, target=100)),
        ({"preset": "duel-draw", "clock_ms": 300_000}, Pool(preset="duel-draw", seats=2, target=100, clock_minutes=5)),
    ],
)
def test_a_private_rooms_options_are_said_in_the_words_of_a_pool(ruleset: dict[str, Any], pool: Pool) -> None:
    assert pool_of_match(started(**ruleset)) == pool


def test_a_private_rooms_table_of_unknown_rules_is_left_out() -> None:
    running = Running(SeatedAt(table_id="t1", region="room-abc234"), started(preset="chess"), 7)
    assert running_entry(running, person) is None
