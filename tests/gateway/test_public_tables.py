import pytest

from contracts.queue_api import Person
from contracts.region import MatchMade, Pool, SeatGivenUp, SeatTaken, TableOffered, TableReleased
from contracts.table import Reservation
from gateway.cursors import BadCursor
from gateway.public_tables import PublicTables
from gateway.region_events import RegionEvent
from gateway.table_pages import Filter, page

NOW = 1_764_500_000_000
POOL = Pool(preset="party", seats=3, target=100)


def person(seat: Reservation) -> Person:
    return Person(account=seat.account, name=seat.account.title(), bot=seat.bot)


def tables_of(*events: RegionEvent) -> PublicTables:
    tables = PublicTables("eu", person)
    for number, event in enumerate(events):
        tables.take(event, NOW + number)
    return tables


def offered(table_id: str, host: str, pool: Pool = POOL, at: int = NOW) -> RegionEvent:
    return TableOffered(table_id=table_id, pool=pool, host=host, bot=False, at=at)


def taken(table_id: str, account: str, *, bot: bool = False) -> RegionEvent:
    return SeatTaken(table_id=table_id, account=account, bot=bot)


def match(table_id: str, *accounts: str, pool: Pool = POOL) -> RegionEvent:
    return MatchMade(table_id=table_id, pool=pool, seats=tuple(Reservation(account=account) for account in accounts))


def listed(tables: PublicTables, preset: str = "party") -> list[tuple[str, str, list[str]]]:
    found = [tables.entry(table) for table in tables.in_order(preset)]
    return [(entry.table_id, entry.state, [person.name for person in entry.people]) for entry in found]


def test_an_offered_table_is_open_until_it_runs_and_gone_when_it_is_released() -> None:
    events = [offered("t1", "ann"), taken("t1", "bea"), taken("t1", "cid", bot=True)]
    assert listed(tables_of(*events)) == [("t1", "open", ["Ann", "Bea", "Cid"])]
    events.append(match("t1", "ann", "bea", "cid"))
    tables = tables_of(*events)
    assert listed(tables) == [("t1", "running", ["Ann", "Bea", "Cid"])]
    assert (tables.number("party", "open"), tables.number("party", "running")) == (0, 1)
    gone = tables_of(*events, TableReleased(table_id="t1"))
    assert (listed(gone), gone.number("party", "running"), gone.table_of("ann")) == ([], 0, None)


def test_the_next_one_is_the_host_when_the_host_leaves_and_the_last_one_takes_the_table_along() -> None:
    left = [SeatGivenUp(table_id="t1", account=account, reason="left") for account in ("ann", "bea")]
    events = [offered("t1", "ann"), taken("t1", "bea")]
    tables = tables_of(*events, left[0])
    assert listed(tables) == [("t1", "open", ["Bea"])]
    assert (tables.open_seat("ann"), tables.open_seat("bea")) == (None, "t1")
    assert listed(tables_of(*events, *left)) == []


def test_whoever_is_matched_elsewhere_has_no_seat_at_an_offered_table_any_more() -> None:
    tables = tables_of(offered("t1", "ann"), taken("t1", "bea"), match("t2", "ann", "cid", "dan"))
    assert listed(tables) == [("t1", "open", ["Bea"]), ("t2", "running", ["Ann", "Cid", "Dan"])]
    assert tables.open_seat("ann") is None


def test_what_has_changed_is_told_once_by_room() -> None:
    tables = tables_of(offered("t1", "ann"), offered("t2", "bea", Pool(preset="draw", seats=2, target=50)))
    assert {preset: list(changed) for preset, changed in tables.take_changes().items()} == {
        "party": ["t1"],
        "draw": ["t2"],
    }
    assert tables.take_changes() == {}
    tables.renamed("ann")
    tables.renamed("nobody")
    assert {preset: list(changed) for preset, changed in tables.take_changes().items()} == {"party": ["t1"]}


def test_events_about_tables_that_were_never_offered_change_nothing() -> None:
    tables = tables_of(
        taken("t9", "ann"), SeatGivenUp(table_id="t9", account="ann", reason="away"), TableReleased(table_id="t9")
    )
    assert (listed(tables), tables.take_changes()) == ([], {})


# ---- pages


def ids(tables: PublicTables, wanted: Filter, cursor: str | None, limit: int) -> tuple[list[str], str | None]:
    found, following = page(tables.in_order("party"), wanted, cursor, limit)
    return [table.table_id for table in found], following


def test_open_tables_stand_first_and_then_the_newest() -> None:
    tables = tables_of(
        match("t1", "a", "b", "c"), match("t2", "d", "e", "f"), offered("t3", "g", at=NOW - 9), offered("t4", "h")
    )
    assert ids(tables, Filter(), None, 10) == (["t4", "t3", "t2", "t1"], None)


def test_a_cursor_goes_on_where_the_page_ended_whatever_has_changed() -> None:
    tables = tables_of(*(offered(f"t{number}", f"p{number}", at=NOW + number) for number in range(6)))
    first, cursor = ids(tables, Filter(), None, 3)
    assert first == ["t5", "t4", "t3"]
    for event in (offered("t9", "x", at=NOW + 9), match("t3", "p3", "q", "r"), match("t5", "p5", "s", "t")):
        tables.take(event, NOW + 20)
    second, cursor = ids(tables, Filter(state="open"), cursor, 2)
    assert second == ["t2", "t1"]
    assert ids(tables, Filter(state="open"), cursor, 2) == (["t0"], None)


def test_filters_leave_out_what_is_not_asked_for() -> None:
    other = Pool(preset="party", seats=4, target=150, rated=True)
    tables = tables_of(offered("t1", "ann"), match("t2", "bea", "cid", "dan", "eve", pool=other))
    for wanted in (Filter(state="running"), Filter(seats=4), Filter(target=150), Filter(rated=True)):
        assert ids(tables, wanted, None, 10)[0] == ["t2"]
    assert ids(tables, Filter(seats=4, rated=False), None, 10)[0] == []


@pytest.mark.parametrize("cursor", ["", "x", "e30", "WzEsMiwzXQ", "bnVsbA", "WyJhIiwyLCJ0Il0", "\u00e9", "a" * 3000])
def test_anything_but_a_cursor_of_ours_is_refused(cursor: str) -> None:
    with pytest.raises(BadCursor):
        page((), Filter(), cursor, 10)
