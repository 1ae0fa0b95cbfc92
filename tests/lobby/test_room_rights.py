"""What the host of a private room may do: remove people, arrange seats, choose the rules."""

from typing import Any

import pytest
from tests.lobby.rooms import DUEL, NOON, PARTY, entered, full, given, inside, left, opened, playing, seats

from contracts.room import (
    FREE,
    REMOVED_MAX,
    ArrangeSeats,
    ChooseRuleset,
    EnterRoom,
    RemovePerson,
    RulesetChosen,
    SeatsArranged,
)

# ---- removing


def test_who_is_removed_does_not_come_back() -> None:
    full().when(RemovePerson(account="bob"), by="ann", at=NOON).then(left("bob", removed=True))
    without = full().after(RemovePerson(account="bob"), by="ann", at=NOON)
    without.when(EnterRoom(), by="bob", at=NOON).refused("removed")
    without.when(RemovePerson(account="bob"), by="ann", at=NOON).refused("not-in-room")
    without.when(EnterRoom(), by="dot", at=NOON).then(entered("dot", 2))


def test_nobody_is_removed_by_a_guest_during_a_match_or_by_oneself() -> None:
    full().when(RemovePerson(account="ann"), by="bob", at=NOON).refused("not-host")
    playing().when(RemovePerson(account="bob"), by="ann", at=NOON).refused("match-running")
    full().when(RemovePerson(account="ann"), by="ann", at=NOON).refused("not-yourself")


def test_a_room_keeps_a_thousand_people_out() -> None:
    room = given(opened())
    for number in range(REMOVED_MAX + 1):
        room = room.after(EnterRoom(), by=f"p{number}", at=NOON)
        room = room.after(RemovePerson(account=f"p{number}"), by="ann", at=NOON)
    assert len(inside(room).removed) == REMOVED_MAX
    room.when(EnterRoom(), by="p1", at=NOON).refused("removed")


# ---- seats and rules


def test_the_host_arranges_seats_and_bots_on_them() -> None:
    wish = seats("bob", "expert", "ann")
    full().when(ArrangeSeats(seats=wish), by="ann", at=NOON).then(SeatsArranged(seats=wish))
    full().when(ArrangeSeats(seats=seats("ann", "bob", "cid")), by="ann", at=NOON).nothing()


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        (seats("ann", "bob"), "bad-seats"),
        (seats("ann", "ann", None), "bad-seats"),
        (seats("ann", "stranger", None), "not-in-room"),
        ((*seats("ann", None), FREE.model_copy(update={"account": "bob", "strength": "normal"})), "bad-seats"),
    ],
)
def test_seats_that_cannot_be_are_refused(wish: Any, code: str) -> None:
    full().when(ArrangeSeats(seats=wish), by="ann", at=NOON).refused(code)


def test_guests_arrange_and_choose_nothing_and_nobody_does_during_a_match() -> None:
    for command in (ArrangeSeats(seats=seats("bob", "ann", "cid")), ChooseRuleset(ruleset=DUEL)):
        full().when(command, by="bob", at=NOON).refused("not-host")
        full().when(command, by="stranger", at=NOON).refused("not-in-room")
        playing().when(command, by="ann", at=NOON).refused("match-running")


def test_fewer_seats_leave_the_last_ones_standing_and_more_seat_those_who_stand() -> None:
    full().when(ChooseRuleset(ruleset=DUEL), by="ann", at=NOON).then(
        RulesetChosen(ruleset=DUEL, seats=seats("ann", "bob"))
    )
    duel = full().after(ChooseRuleset(ruleset=DUEL), by="ann", at=NOON).after(EnterRoom(), by="dot", at=NOON)
    four = {"preset": "draw", "seats": 4}
    duel.when(ChooseRuleset(ruleset=four), by="ann", at=NOON).then(
        RulesetChosen(ruleset=four, seats=seats("ann", "bob", "cid", "dot"))
    )
    given(opened()).when(ChooseRuleset(ruleset=four), by="ann", at=NOON).then(
        RulesetChosen(ruleset=four, seats=seats("ann", None, None, None))
    )


def test_the_same_ruleset_again_changes_nothing_and_a_bad_one_is_refused() -> None:
    full().when(ChooseRuleset(ruleset=PARTY), by="ann", at=NOON).nothing()
    full().when(ChooseRuleset(ruleset={"preset": "chess"}), by="ann", at=NOON).refused("bad-ruleset")
