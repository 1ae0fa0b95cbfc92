"""Tables that people offer, when somebody is away, and house bots at them."""

from tests.lobby.lobbies import DUEL, NOON, THREE, decider, given, made, match, seats, ticket
from tests.lobby.offered import FOUR, given_up, gone, offered, people

from bus.decider import Deadline
from contracts.envelope import TimeOut
from contracts.region import (
    AcceptBots,
    BotsAccepted,
    BotStoodBy,
    LeaveSeat,
    NoteAway,
    NoteBack,
    PersonCameBack,
    RegionEvent,
    SeatTaken,
    StandBy,
    TakeSeat,
)
from lobby.region.filling import FILL_MS
from lobby.region.offers_decide import AWAY_MS, WANTING_MAX

# ---- away


def test_who_is_away_keeps_the_seat_for_a_minute() -> None:
    here = given(*offered(THREE, "ann", "bob")).after(NoteAway(), by="ann", at=NOON)
    assert here.state is not None
    assert decider.deadline(here.state) == Deadline("away", "away-seat-0", NOON, NOON + AWAY_MS)
    here.when(NoteAway(), by="ann", at=NOON + 1).nothing()
    here.when_due().then(given_up("ann", "away"))
    after = here.when_due().decision.state
    assert after is not None
    assert decider.deadline(after) is None
    assert after.offers.tables["t1"].host == "bob"


def test_who_comes_back_in_time_keeps_it_for_good() -> None:
    here = given(*offered(THREE, "ann", "bob"), gone("ann"))
    here.when(NoteBack(), by="ann", at=NOON + 1).then(PersonCameBack(account="ann"))
    here.after(NoteBack(), by="ann", at=NOON + 1)
    assert here.state is not None
    assert decider.deadline(here.state) is None
    assert people(here) == ["ann", "bob"]
    late = TimeOut(kind="away", ref="away-seat-0")
    here.when(late, by="timer", at=NOON + AWAY_MS + 1).refused("not-current")


def test_who_goes_twice_is_waited_for_twice() -> None:
    here = given(*offered(THREE, "ann"), gone("ann"), PersonCameBack(account="ann"), gone("ann", NOON + 5))
    assert here.state is not None
    assert decider.deadline(here.state) == Deadline("away", "away-seat-1", NOON + 5, NOON + 5 + AWAY_MS)


def test_all_who_have_been_away_for_a_minute_lose_their_seats_at_once() -> None:
    here = given(
        *offered(FOUR, "ann", "bob", "cid"),
        *offered(DUEL, "dan", table="t2"),
        gone("bob"),
        gone("dan", NOON + 1),
        gone("ann", NOON + 2),
    )
    here.when_due(late_ms=2).then(given_up("bob", "away"), given_up("dan", "away", "t2"))


def test_whoever_has_no_place_here_is_not_noted_away() -> None:
    given().when(NoteAway(), by="ann", at=NOON).nothing()
    given(match("ann", "bob")).when(NoteAway(), by="ann", at=NOON).nothing()
    given(*offered(DUEL, "ann")).when(NoteBack(), by="ann", at=NOON).nothing()


def test_a_full_table_waits_for_somebody_who_is_away_and_starts_on_the_return() -> None:
    here = given(*offered(DUEL, "ann"), gone("ann"))
    here.when(TakeSeat(table_id="t1"), by="bob", at=NOON + 1).then(SeatTaken(table_id="t1", account="bob", bot=False))
    here.after(TakeSeat(table_id="t1"), by="bob", at=NOON + 1)
    result = here.when(NoteBack(), by="ann", at=NOON + 2)
    assert result.decision.events[0] == PersonCameBack(account="ann")
    assert seats(made(result)) == [("ann", False), ("bob", False)]


def test_a_full_table_whose_missing_person_does_not_return_has_a_free_seat_again() -> None:
    here = given(*offered(DUEL, "ann"), gone("ann"), SeatTaken(table_id="t1", account="bob", bot=False))
    result = here.when(TakeSeat(table_id="t1"), by="cid", at=NOON + AWAY_MS + 1)
    assert result.decision.events[0] == given_up("ann", "away")
    assert seats(made(result)) == [("bob", False), ("cid", False)]


def test_who_leaves_while_away_leaves_no_deadline_behind() -> None:
    here = given(*offered(THREE, "ann", "bob"), gone("bob")).after(LeaveSeat(), by="bob", at=NOON + 1)
    assert here.state is not None
    assert decider.deadline(here.state) is None


# ---- house bots


def test_bots_fill_the_free_seats_at_the_hosts_yes() -> None:
    here = given(*offered(FOUR, "ann", "bob"), BotStoodBy(account="h1"), BotStoodBy(account="h2"))
    result = here.when(AcceptBots(strength="expert"), by="ann", at=NOON)
    assert result.decision.events[0] == BotsAccepted(account="ann", strength="expert", due_at=NOON)
    event = made(result)
    assert seats(event) == [("ann", False), ("bob", False), ("h1", True), ("h2", True)]
    assert [seat.strength for seat in event.seats] == [None, None, "expert", "expert"]
    assert result.decision.state is not None
    assert len(result.decision.state.standing_by) == 0


def test_with_too_few_bots_the_table_starts_when_enough_stand_by() -> None:
    here = given(*offered(THREE, "ann"), BotStoodBy(account="h1")).after(AcceptBots(), by="ann", at=NOON)
    assert people(here) == ["ann"]
    result = here.when(StandBy(), by="h2", at=NOON + 1)
    assert result.decision.events[0] == BotStoodBy(account="h2")
    assert seats(made(result)) == [("ann", False), ("h1", True), ("h2", True)]


def test_another_person_makes_up_for_a_missing_bot() -> None:
    here = given(*offered(THREE, "ann"), BotStoodBy(account="h1")).after(AcceptBots(), by="ann", at=NOON)
    result = here.when(TakeSeat(table_id="t1"), by="bob", at=NOON + 1)
    assert seats(made(result)) == [("ann", False), ("bob", False), ("h1", True)]


def test_the_same_yes_again_changes_nothing_and_another_strength_does() -> None:
    here = given(*offered(THREE, "ann")).after(AcceptBots(), by="ann", at=NOON)
    here.when(AcceptBots(), by="ann", at=NOON + 1).nothing()
    here.after(AcceptBots(strength="beginner"), by="ann", at=NOON + 1)
    event = made(here.after(StandBy(), by="h1").when(StandBy(), by="h2", at=NOON + 2))
    assert [seat.strength for seat in event.seats] == [None, "beginner", "beginner"]


def test_the_yes_goes_with_the_host() -> None:
    here = given(*offered(THREE, "ann", "bob")).after(AcceptBots(), by="ann", at=NOON).after(LeaveSeat(), by="ann")
    here.after(StandBy(), by="h1").when(StandBy(), by="h2").then(BotStoodBy(account="h2"))
    here.when(TakeSeat(table_id="t1"), by="cid").then(SeatTaken(table_id="t1", account="cid", bot=False))


def test_bots_wait_until_nobody_at_the_table_is_away() -> None:
    here = given(*offered(THREE, "ann", "bob"), gone("bob"), BotStoodBy(account="h1"), BotStoodBy(account="h2"))
    here.when(AcceptBots(), by="ann", at=NOON + 1).then(BotsAccepted(account="ann", strength="normal", due_at=NOON + 1))
    here.after(AcceptBots(), by="ann", at=NOON + 1)
    result = here.when_due()
    assert result.decision.events[0] == given_up("bob", "away")
    assert seats(made(result)) == [("ann", False), ("h1", True), ("h2", True)]
    back = here.when(NoteBack(), by="bob", at=NOON + 2)
    assert seats(made(back)) == [("ann", False), ("bob", False), ("h1", True)]


def test_of_several_tables_that_want_bots_the_first_that_can_start_gets_them() -> None:
    here = given(
        *offered(FOUR, "ann"),
        *offered(DUEL, "bob", table="t2"),
        *offered(DUEL, "cid", table="t3"),
        *(BotsAccepted(account=host, strength="normal", due_at=NOON) for host in ("ann", "bob", "cid")),
    )
    assert made(here.when(StandBy(), by="h1", at=NOON)).table_id == "t2"


def test_a_bot_that_stands_by_looks_at_so_many_tables_and_no_more() -> None:
    events: list[RegionEvent] = []
    for number in range(WANTING_MAX):
        events += offered(FOUR, f"p{number}", table=f"t{number}")
        events.append(BotsAccepted(account=f"p{number}", strength="normal", due_at=NOON))
    events += [*offered(DUEL, "ann", table="last"), BotsAccepted(account="ann", strength="normal", due_at=NOON)]
    here = given(*events)
    here.when(StandBy(), by="h1").then(BotStoodBy(account="h1"))
    here.after(LeaveSeat(), by="p0")
    assert made(here.when(StandBy(), by="h1")).table_id == "last"


def test_whoever_neither_waits_nor_sits_is_refused_bots() -> None:
    given().when(AcceptBots(), by="ann").refused("not-queued")


# ---- one deadline


def test_the_regions_deadline_is_the_earliest_of_all_kinds() -> None:
    here = given(*offered(DUEL, "ann"), gone("ann"), ticket("bob", bots="fill", at=NOON + AWAY_MS))
    assert here.state is not None
    away = decider.deadline(here.state)
    assert away is not None
    assert away.kind == "away"
    after = here.when_due().decision.state
    assert after is not None
    assert decider.deadline(after) == Deadline(
        "fill", f"fill-1-{NOON + AWAY_MS + FILL_MS}", NOON + AWAY_MS, NOON + AWAY_MS + FILL_MS
    )


def test_a_timeout_acts_on_everything_that_is_due() -> None:
    here = given(
        *offered(DUEL, "ann"),
        gone("ann"),
        ticket("bob", bots="fill", at=NOON + AWAY_MS - FILL_MS + 1),
        BotStoodBy(account="h1"),
    )
    result = here.when_due(late_ms=2)
    assert result.decision.events[0] == given_up("ann", "away")
    assert seats(made(result)) == [("bob", False), ("h1", True)]
    here.when_due(late_ms=1).then(given_up("ann", "away"))
