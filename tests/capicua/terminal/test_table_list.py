"""The tables of public rooms as text."""

from tests.capicua.room_messages import entry, room_list

from capicua.terminal.table_list import Listing, ago, listing_lines
from contracts.queue_api import Person, RoomList, TableEntry

U = "01jdxk9t3v6q8w2y4z6a8c0e"


def lines(*rooms: RoomList, mine: tuple[TableEntry, ...] = (), **narrowed: bool) -> list[str]:
    return [line.plain for line in listing_lines(Listing("gtest", 61_000, mine, rooms, **narrowed), "capicua")]


def test_free_seats_come_before_what_runs_and_each_says_how_to_get_there() -> None:
    tables = (
        entry(f"{U}01", "Ada", "Ben", since=1_000, seats=4, rated=True),
        entry(f"{U}02", "Cid", "Dot", state="running"),
    )
    assert lines(room_list(*tables, people=1)) == [
        "Room draw · 1 person here",
        "  Free seats",
        f"  {U}01  4 seats to 100, rated",
        "                              2 of 4 seats free · 60 s · Ada, Ben",
        "    → capicua play --table ID",
        "  Running",
        f"  {U}02  2 seats to 100",
        "                              running · 60 s · Cid, Dot",
        "    → capicua watch ID",
    ]


def test_an_empty_room_says_so_and_how_to_make_a_table() -> None:
    assert lines(room_list(people=0, preset="block")) == [
        "Room block · nobody here",
        "  Nobody has a table here. Make one, at which others can sit down:",
        "    → capicua play --preset block --new-table",
    ]


def test_where_only_matches_run_a_table_of_one_s_own_is_named() -> None:
    shown = lines(room_list(entry(f"{U}02", "Cid", "Dot", state="running")))
    assert shown[1] == "  No free seat anywhere; a table of your own:"
    assert "    → capicua play --preset draw --new-table" in shown


def test_a_narrowed_list_says_nothing_of_what_was_not_asked_for() -> None:
    running = room_list(entry(f"{U}02", "Cid", "Dot", state="running"))
    assert lines(running, is_narrowed=True)[1] == "  No free seat at such a table; a table of your own:"
    assert lines(running, is_narrowed=True, shows_free=False)[1] == "  Running"
    assert lines(room_list(), is_narrowed=True)[1].startswith("  There is no such table.")
    assert lines(room_list(), is_narrowed=True, shows_free=False)[1].startswith("  No such table runs.")


def test_rooms_in_which_nobody_has_a_table_come_last() -> None:
    running = entry(f"{U}02", "Cid", "Dot", state="running", preset="party", seats=2)
    shown = lines(room_list(), room_list(running, preset="party", people=0))
    assert shown[0] == "Room party"  # who plays there does not look at its list


def test_one_s_own_tables_come_first_and_once() -> None:
    mine = entry(f"{U}07", "Test", "Ada", state="running", preset="party", seats=4, pairs=True, turn_seconds=60)
    shown = lines(room_list(mine, entry(f"{U}08", "Ben"), preset="party"), mine=(mine,))
    assert shown[:5] == [
        "Yours",
        f"  {U}07  party",
        "                              4 seats to 100, pairs, 60 s a turn",
        "                              running · 60 s · you, Ada",
        "    → capicua play",
    ]
    assert "".join(shown).count(f"{U}07") == 1
    assert lines(room_list(preset="party"), mine=(mine,))[-2].startswith("  There is no other table.")


def test_bots_are_labelled_and_ratings_said() -> None:
    people = (Person(account="b", name="Hal", bot=True), Person(account="gada", name="Ada", rating=1620))
    table = entry(f"{U}01", seats=3).model_copy(update={"people": people})
    assert lines(room_list(table))[3].endswith("Hal (bot), Ada (1620)")


def test_every_line_of_the_longest_table_fits_eighty_columns() -> None:
    longest = entry(
        f"{U}01", *["Maximiliane the Great"] * 4, preset="party", seats=4, target=200, pairs=True, drawing=True,
        turn_seconds=60, rated=True, state="running"
    )  # fmt: skip
    shown = lines(room_list(longest, preset="party"))
    first = next(number for number, line in enumerate(shown) if U in line)
    assert shown[first].endswith("4 seats to 200, pairs, drawing, 60 s a turn, rated")
    assert len(shown[first]) == 80
    assert [line.strip() for line in shown[first + 1 : first + 3]] == [
        "running · 60 s · Maximiliane…, Maximiliane…,",
        "Maximiliane…, Maximiliane…",
    ]


def test_ages_are_said_in_the_unit_that_fits() -> None:
    assert [ago(ms) for ms in (-5, 0, 59_999, 119_000, 120_000, 7_199_000, 7_200_000)] == [
        "0 s", "0 s", "59 s", "119 s", "2 min", "119 min", "2 h"
    ]  # fmt: skip
