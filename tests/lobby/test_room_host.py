"""Who is the host of a private room, whoever comes and goes."""

from tests.lobby.rooms import MINUTE_MS, NOON, away, entered, full, given, host, inside, left, opened, playing

from contracts.room import (
    EnterRoom,
    HandOver,
    LeaveRoom,
    NoteAwayFromRoom,
    NoteBackInRoom,
    PersonBack,
    RemovePerson,
    StartMatch,
)

GONE = NOON + MINUTE_MS


def test_after_a_minute_away_whoever_has_been_here_longest_stands_in() -> None:
    room = full().after(NoteAwayFromRoom(), by="ann", at=NOON)
    room.when_due().then(host("bob", "away"))
    stood_in = given(opened(), entered("bob", 2), entered("cid", 3), away("ann"), host("bob", "away"))
    assert (inside(stood_in).host, inside(stood_in).owner) == ("bob", "ann")
    stood_in.when(StartMatch(), by="ann", at=GONE + 5).refused("not-host")


def test_seats_do_not_count_for_who_stands_in_and_the_absent_and_programs_come_last() -> None:
    people = (opened(), entered("bob", 2), entered("robot", 3, bot=True), entered("dot"))
    given(*people, away("ann")).when_due().then(host("bob", "away"))
    given(*people, away("bob"), away("ann")).when_due().then(host("dot", "away"))
    given(*people, away("bob"), away("dot"), away("ann")).when_due().then(host("robot", "away"))


def test_a_host_who_is_back_within_a_minute_stays_the_host() -> None:
    room = full().after(NoteAwayFromRoom(), by="ann", at=NOON)
    room.when(NoteBackInRoom(), by="ann", at=GONE).then(PersonBack(account="ann"))


def test_a_host_who_comes_back_later_gets_the_rights_back() -> None:
    late = full().after(NoteAwayFromRoom(), by="ann", at=NOON)
    back = late.when(NoteBackInRoom(), by="ann", at=GONE + 1)
    back.then(host("bob", "away"), PersonBack(account="ann"), host("ann", "returned"))
    late.when(EnterRoom(), by="ann", at=GONE + 1).then(
        host("bob", "away"), PersonBack(account="ann"), host("ann", "returned")
    )


def test_nobody_stands_in_where_nobody_is_and_the_first_to_come_does_at_once() -> None:
    alone = given(opened(), away("ann"))
    alone.when(EnterRoom(), by="bob", at=GONE).then(entered("bob", 2), host("bob", "away"))
    alone.when(EnterRoom(), by="bob", at=GONE - 1).then(entered("bob", 2))
    later = alone.after(EnterRoom(), by="bob", at=GONE - 1)
    later.when_due().then(host("bob", "away"))
    all_gone = given(opened(), entered("bob", 2), away("bob"), away("ann"))
    all_gone.when(NoteBackInRoom(), by="bob", at=GONE + 1).then(PersonBack(account="bob"), host("bob", "away"))


def test_who_stands_in_and_goes_away_is_stood_in_for() -> None:
    room = given(opened(), entered("bob", 2), entered("cid", 3), away("ann"), host("bob", "away"), away("bob", GONE))
    room.when_due().then(host("cid", "away"))
    gone = given(opened(), entered("bob", 2), entered("cid", 3), away("ann"), host("bob", "away"))
    gone.when(LeaveRoom(), by="bob", at=GONE + 5).then(left("bob"), host("cid", "away"))


def test_where_nobody_can_stand_in_any_more_the_absent_host_is_host_again() -> None:
    room = given(opened(), entered("bob", 2), away("ann"), host("bob", "away"))
    room.when(LeaveRoom(), by="bob", at=GONE + 5).then(left("bob"), host("ann", "returned"))
    again = room.after(LeaveRoom(), by="bob", at=GONE + 5)
    again.when(EnterRoom(), by="cid", at=GONE + 9).then(entered("cid", 2), host("cid", "away"))


def test_a_host_who_leaves_is_followed_by_who_has_been_here_longest() -> None:
    full().when(LeaveRoom(), by="ann", at=NOON).then(left("ann"), host("bob", "left"))
    absent = given(opened(), entered("bob", 2), entered("cid", 3), away("bob"))
    absent.when(LeaveRoom(), by="ann", at=NOON).then(left("ann"), host("cid", "left"))
    nobody = given(opened(), entered("bob", 2), away("bob"))
    nobody.when(LeaveRoom(), by="ann", at=NOON).then(left("ann"), host("bob", "left"))


def test_a_host_who_leaves_while_stood_in_for_is_followed_by_who_stands_in() -> None:
    room = given(opened(), entered("bob", 2), entered("cid", 3), away("ann"), host("cid", "away"))
    room.when(LeaveRoom(), by="ann", at=NOON).then(left("ann"), host("cid", "left"))
    assert inside(room.after(LeaveRoom(), by="ann", at=NOON)).owner == "cid"


def test_a_host_hands_over_for_good_at_any_time() -> None:
    full().when(HandOver(account="cid"), by="ann", at=NOON).then(host("cid", "handed-over"))
    playing().when(HandOver(account="cid"), by="ann", at=NOON).then(host("cid", "handed-over"))
    handed = full().after(HandOver(account="cid"), by="ann", at=NOON)
    assert inside(handed).owner == "cid"
    handed.when(HandOver(account="ann"), by="ann", at=NOON).refused("not-host")


def test_a_host_hands_over_to_somebody_who_is_here() -> None:
    full().when(HandOver(account="dot"), by="ann", at=NOON).refused("not-in-room")
    full().when(HandOver(account="ann"), by="bob", at=NOON).refused("not-host")
    full().when(HandOver(account="ann"), by="ann", at=NOON).nothing()
    absent = full().after(NoteAwayFromRoom(), by="cid", at=NOON)
    absent.when(HandOver(account="cid"), by="ann", at=NOON).refused("person-away")


def test_who_stands_in_neither_hands_the_room_over_nor_removes_its_host() -> None:
    room = given(opened(), entered("bob", 2), entered("cid", 3), away("ann"), host("bob", "away"))
    room.when(HandOver(account="cid"), by="bob", at=NOON).refused("stands-in")
    room.when(RemovePerson(account="ann"), by="bob", at=NOON).refused("stands-in")
    room.when(RemovePerson(account="cid"), by="bob", at=NOON).then(left("cid", removed=True))
