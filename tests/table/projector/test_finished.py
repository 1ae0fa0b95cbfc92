from contracts.lifecycle import Source, TableWasExpired, TableWasFinished
from contracts.queue_api import FinishedTable
from contracts.table import Reservation
from table.projector.finished import KEPT_MAX, FinishedTables

SEATS = (Reservation(account="ann"), Reservation(account="bea"))


def finished(number: int) -> TableWasFinished:
    return TableWasFinished(
        table_id=f"t{number}",
        source=Source(partition=0, offset=number),
        at=number,
        region="eu",
        seats=SEATS,
        reason="target",
        winners=("ann",),
        scores=(50, 20),
    )


def ids(tables: FinishedTables) -> list[str]:
    return [table.table_id for table in tables.behind()[1]]


def test_a_finished_table_is_behind_until_it_is_cached() -> None:
    tables = FinishedTables()
    tables.take([finished(1), finished(2)])
    number, behind = tables.behind()
    assert behind[0] == FinishedTable(table_id="t1", region="eu", at=1, seats=SEATS, winners=("ann",), scores=(50, 20))
    tables.take([finished(3)])
    tables.cached(number)
    assert ids(tables) == ["t3"]


def test_an_expired_table_was_not_finished() -> None:
    tables = FinishedTables()
    expired = TableWasExpired(table_id="t1", source=Source(partition=0, offset=1), at=1, region="eu", seats=SEATS)
    tables.take([expired])
    assert ids(tables) == []


def test_when_the_cache_is_lost_the_newest_ones_are_behind_again_and_no_more_than_are_kept() -> None:
    tables = FinishedTables()
    tables.take([finished(number) for number in range(KEPT_MAX + 3)])
    assert len(ids(tables)) == KEPT_MAX
    tables.cached(tables.behind()[0])
    assert ids(tables) == []
    tables.all_behind()
    assert (len(ids(tables)), ids(tables)[0]) == (KEPT_MAX, "t3")
