from contracts.api import SeatedAt
from contracts.region import MatchMade, Pool, TableReleased
from contracts.table import Reservation
from gateway.whereabouts import Whereabouts

NOW = 1_764_500_000_000
POOL = Pool(preset="draw", seats=2, target=50)


def match(table_id: str, *accounts: str) -> MatchMade:
    return MatchMade(table_id=table_id, pool=POOL, seats=tuple(Reservation(account=account) for account in accounts))


def test_people_are_told_of_a_table_that_is_open_already() -> None:
    places = Whereabouts()
    assert places.match_made("eu", match("t1", "a", "b"), NOW, is_open=True) == ("a", "b")
    assert places.tables_of("a") == (SeatedAt(table_id="t1", region="eu"),)


def test_people_are_told_of_a_table_only_when_it_opens() -> None:
    places = Whereabouts()
    assert places.match_made("eu", match("t1", "a", "b"), NOW, is_open=False) == ()
    assert places.tables_of("a") == ()
    assert places.opened("t1") == ("a", "b")
    assert places.tables_of("b") == (SeatedAt(table_id="t1", region="eu"),)


def test_a_stranger_is_known_while_the_table_is() -> None:
    places = Whereabouts()
    assert not places.is_stranger("c", "t1")
    places.match_made("eu", match("t1", "a", "b"), NOW, is_open=True)
    assert [places.is_stranger(account, "t1") for account in "abc"] == [False, False, True]
    places.released(TableReleased(table_id="t1"))
    assert not places.is_stranger("c", "t1")


def test_a_table_that_nobody_was_matched_for_concerns_nobody() -> None:
    assert Whereabouts().opened("t1") == ()


def test_a_released_table_is_nobodys_any_more() -> None:
    places = Whereabouts()
    places.match_made("eu", match("t1", "a", "b"), NOW, is_open=True)
    places.match_made("eu", match("t2", "a", "c"), NOW, is_open=True)
    places.released(TableReleased(table_id="t1"))
    assert places.tables_of("a") == (SeatedAt(table_id="t2", region="eu"),)
    assert places.tables_of("b") == ()
    places.released(TableReleased(table_id="t1"))


def test_one_person_has_the_tables_of_all_its_accounts_each_once_and_the_oldest_first() -> None:
    places = Whereabouts()
    places.match_made("eu", match("t3", "a", "b"), NOW + 2, is_open=True)
    places.match_made("eu", match("t1", "b", "c"), NOW, is_open=True)
    places.match_made("eu", match("t2", "c", "d"), NOW + 1, is_open=True)
    places.match_made("eu", match("t4", "c", "d"), NOW + 3, is_open=False)
    assert [seated.table_id for seated in places.tables_of("a", "b", "d")] == ["t1", "t2", "t3"]
    assert [places.player_at(table_id, ("a", "b")) for table_id in ("t3", "t1", "t2", "t9")] == ["a", "b", None, None]
