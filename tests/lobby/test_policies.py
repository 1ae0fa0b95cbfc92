import pytest
from tests.lobby.lobbies import EVERY_PRESET

from contracts.lifecycle import Source, TableWasExpired, TableWasFinished, TableWasOpened
from contracts.region import MatchMade, Pool, ReleaseTable
from contracts.table import OpenTable, Reservation
from domino_rules.public_play import public_ruleset
from lobby.policies import on_lifecycle, on_match_made
from lobby.region import pools

SEATS = (Reservation(account="ann"), Reservation(account="h1", bot=True))
SOURCE = Source(partition=3, offset=17)


def test_a_match_opens_a_table_with_the_pools_rules() -> None:
    event = MatchMade(table_id="t1", pool=Pool(preset="block", seats=2, target=150), seats=SEATS)
    ruleset = {"preset": "block", "seats": 2, "target": 150}
    assert on_match_made(event, "eu") == OpenTable(ruleset=ruleset, seats=SEATS, region="eu")


@pytest.mark.parametrize("pool", EVERY_PRESET, ids=pools.name)
def test_a_matchs_options_are_a_ruleset_of_public_play(pool: Pool) -> None:
    command = on_match_made(MatchMade(table_id="t1", pool=pool, seats=SEATS), "eu")
    ruleset = public_ruleset(command.ruleset)
    assert (ruleset.preset, ruleset.seats, ruleset.target) == (pool.preset, pool.seats, pool.target)
    assert (ruleset.pairs, ruleset.spinner) == (pool.pairs, pool.spinner)
    assert ruleset.drawing == (pool.drawing or pool.preset in ("draw", "duel-draw", "all-fives"))


def test_a_finished_or_expired_table_frees_its_people() -> None:
    finished = TableWasFinished(
        table_id="t1", source=SOURCE, at=1, region="eu", seats=SEATS, reason="target", winners=("ann",), scores=(50, 3)
    )
    expired = TableWasExpired(table_id="t2", source=SOURCE, at=1, region="eu", seats=SEATS)
    assert on_lifecycle(finished) == ReleaseTable(table_id="t1")
    assert on_lifecycle(expired) == ReleaseTable(table_id="t2")


def test_an_opened_table_asks_nothing_of_the_lobby() -> None:
    opened = TableWasOpened(table_id="t1", source=SOURCE, at=1, region="eu", ruleset={"preset": "draw"}, seats=SEATS)
    assert on_lifecycle(opened) is None
