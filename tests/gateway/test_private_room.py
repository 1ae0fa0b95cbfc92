from typing import Any

from contracts.envelope import Retired
from contracts.room import (
    REMOVED_MAX,
    BotsMissing,
    BotsWanted,
    HostChanged,
    MatchStarted,
    PersonAway,
    PersonBack,
    PersonEntered,
    PersonLeftRoom,
    RoomClosed,
    RoomEvents,
    RoomOpened,
    RoomReleased,
    RoomSeat,
    RulesetChosen,
    SeatsArranged,
)
from contracts.room_api import PrivateRoom
from contracts.table import Reservation
from gateway.private_room import Room, fold, view

CODE = "ABC234"
OPENED = RoomOpened(host="ann", region="eu", ruleset={"preset": "party", "seats": 3}, at=1, expires_at=2)
BEN = PersonEntered(account="ben", bot=False, seat=2)
SEATS = (Reservation(account="ann"), Reservation(account="ben"), Reservation(account="house-1", bot=True))
STARTED = MatchStarted(table_id="t1", ruleset=OPENED.ruleset, seats=SEATS)


def room(*events: RoomEvents) -> Room:
    found = fold(None, CODE, (OPENED, *events), 1 + len(events))
    assert found is not None
    return found


def shown(*events: RoomEvents) -> PrivateRoom:
    return view(room(*events), str.title, screens=2)


def seats(*events: RoomEvents) -> list[str | None]:
    return [seat.account or seat.strength for seat in shown(*events).seats]


def test_who_opens_a_room_is_its_host_on_the_first_seat() -> None:
    assert shown().model_dump(exclude_defaults=True) == {
        "code": CODE,
        "version": 1,
        "host": "ann",
        "owner": "ann",
        "ruleset": {"preset": "party", "seats": 3},
        "people": ({"account": "ann", "name": "Ann"},),
        "seats": ({"seat": 1, "account": "ann"}, {"seat": 2}, {"seat": 3}),
        "screens": 2,
    }


def test_a_program_that_opens_a_room_is_labelled_in_it() -> None:
    opened = fold(None, CODE, [OPENED.model_copy(update={"bot": True})], 1)
    assert opened is not None
    assert [person.bot for person in view(opened, str.title, screens=0).people] == [True]


def test_people_come_with_a_seat_or_without_and_go_with_theirs() -> None:
    standing = PersonEntered(account="cid", bot=True, seat=None)
    assert seats(BEN, standing) == ["ann", "ben", None]
    assert [(person.account, person.bot) for person in shown(BEN, standing).people][1:] == [
        ("ben", False),
        ("cid", True),
    ]
    assert seats(BEN, PersonLeftRoom(account="ben")) == ["ann", None, None]
    assert room(BEN, PersonLeftRoom(account="ben")).removed == ()
    assert room(BEN, PersonLeftRoom(account="ben", removed=True)).removed == ("ben",)


def test_who_was_removed_long_ago_is_forgotten_as_the_room_itself_forgets() -> None:
    gone = [PersonLeftRoom(account=f"g{number}", removed=True) for number in range(REMOVED_MAX + 1)]
    assert (room(*gone).removed[0], len(room(*gone).removed)) == ("g1", REMOVED_MAX)


def test_the_host_arranges_seats_and_chooses_a_ruleset_with_other_ones() -> None:
    arranged = SeatsArranged(seats=(RoomSeat(account="ben"), RoomSeat(strength="expert"), RoomSeat(account="ann")))
    assert seats(BEN, arranged) == ["ben", "expert", "ann"]
    chosen = RulesetChosen(ruleset={"preset": "draw", "seats": 2}, seats=(RoomSeat(account="ben"), RoomSeat()))
    assert (seats(BEN, chosen), shown(BEN, chosen).ruleset["preset"]) == (["ben", None], "draw")


def test_a_host_who_is_away_is_stood_in_for_and_returns() -> None:
    def hosts(*events: RoomEvents) -> tuple[str, str]:
        return shown(BEN, *events).host, shown(BEN, *events).owner

    away = HostChanged(account="ben", reason="away")
    assert hosts(away) == ("ben", "ann")
    assert hosts(away, HostChanged(account="ann", reason="returned")) == ("ann", "ann")
    assert hosts(HostChanged(account="ben", reason="handed-over")) == ("ben", "ben")
    assert hosts(HostChanged(account="ben", reason="left")) == ("ben", "ben")


def test_who_is_away_is_shown_so_until_back() -> None:
    def away(*events: RoomEvents) -> list[bool]:
        return [person.away for person in shown(BEN, *events).people]

    gone = PersonAway(account="ben", at=5)
    assert away(gone) == [False, True]
    assert away(gone, PersonBack(account="ben")) == [False, False]
    assert away(PersonAway(account="nobody", at=5)) == [False, False]


def test_a_match_waits_for_its_bots_runs_and_is_over() -> None:
    def match(*events: RoomEvents) -> tuple[bool, bool, bool, str | None]:
        found = shown(BEN, *events)
        return found.starting, found.bots_missing, found.running, found.table_id

    wanted = BotsWanted(table_id="t1", region="eu", strengths=("expert",), due_at=9)
    missing = BotsMissing(table_id="t1", region="eu")
    assert match(wanted) == (True, False, False, None)
    assert match(wanted, missing) == (False, True, False, None)
    assert match(wanted, missing, wanted) == (True, False, False, None)
    assert match(wanted, STARTED) == (False, False, True, "t1")
    assert match(STARTED, RoomReleased(table_id="t1")) == (False, False, False, "t1")


def test_a_match_whose_table_was_never_opened_is_no_last_one_and_that_is_said_until_the_next() -> None:
    never = RoomReleased(table_id="t1", not_opened="stale-id")
    found = shown(BEN, STARTED, never)
    assert (found.not_opened, found.running, found.table_id) == (True, False, None)
    arranged = SeatsArranged(seats=(RoomSeat(account="ann"), RoomSeat(account="ben"), RoomSeat()))
    for next_one in (STARTED, arranged, BotsWanted(table_id="t2", region="eu", strengths=("expert",), due_at=9)):
        assert not shown(BEN, STARTED, never, next_one).not_opened


def test_what_is_about_another_table_changes_nothing_of_this_one() -> None:
    wanted = BotsWanted(table_id="t2", region="eu", strengths=("expert",), due_at=9)
    assert shown(wanted, BotsMissing(table_id="t1", region="eu")).starting
    assert shown(STARTED, RoomReleased(table_id="t0", region="eu")).running


def test_a_closed_room_says_so_and_what_comes_after_it_was_forgotten_is_of_no_room() -> None:
    assert shown(RoomClosed(at=7)).closed
    later: list[Any] = [RoomReleased(table_id="t1"), BEN, Retired()]
    assert fold(None, CODE, later, 9) is None
    assert fold(room(), CODE, [Retired()], 0) is None
