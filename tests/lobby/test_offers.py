"""What the lobby's decider does with the tables that people offer."""

import pytest
from tests.given import Given
from tests.lobby.lobbies import DUEL, NOON, THREE, decider, given, made, match, seats, ticket

from bus.decider import Deadline
from contracts.envelope import TimeOut
from contracts.ids import made_at
from contracts.region import (
    AcceptBots,
    BotsAccepted,
    BotStoodBy,
    JoinQueue,
    LeaveQueue,
    LeaveSeat,
    MatchMade,
    NoteAway,
    NoteBack,
    OfferTable,
    PersonCameBack,
    PersonWentAway,
    Pool,
    RegionCommand,
    RegionEvent,
    SeatGivenUp,
    SeatTaken,
    StandBy,
    TableOffered,
    TakeSeat,
)
from contracts.table import Reservation
from lobby.region.decide import FILL_MS
from lobby.region.offers_decide import AWAY_MS, OFFER_MS_MAX, WANTING_MAX
from lobby.region.state import Lobby

FOUR = Pool(preset="party", seats=4, target=150)
Region = Given[Lobby, RegionCommand, RegionEvent]


def offered(pool: Pool, *people: str, table: str = "t1") -> list[RegionEvent]:
    """A table with the first of `people` as its host."""
    first = TableOffered(table_id=table, pool=pool, host=people[0], bot=False, at=NOON)
    return [first, *(SeatTaken(table_id=table, account=account, bot=False) for account in people[1:])]


def gone(account: str, at: int = NOON) -> PersonWentAway:
    return PersonWentAway(account=account, at=at)


def given_up(account: str, reason: str = "left", table: str = "t1") -> SeatGivenUp:
    return SeatGivenUp.model_validate({"table_id": table, "account": account, "reason": reason})


def people(region: Region, table: str = "t1") -> list[str]:
    assert region.state is not None
    return [sitter.account for sitter in region.state.offers.people(table)]


# ---- offering


def test_who_offers_a_table_is_its_host_and_its_name_says_when() -> None:
    result = given().when(OfferTable(pool=THREE), by="ann", at=NOON)
    [event] = result.decision.events
    assert isinstance(event, TableOffered)
    assert event == TableOffered(table_id=event.table_id, pool=THREE, host="ann", bot=False, at=NOON)
    assert made_at(event.table_id) == NOON


def test_a_time_that_is_the_presets_own_goes_unsaid() -> None:
    said = Pool(preset="party", seats=2, target=100, turn_seconds=15)
    [event] = given().when(OfferTable(pool=said), by="ann", at=NOON).decision.events
    assert isinstance(event, TableOffered)
    assert event.pool == said.model_copy(update={"turn_seconds": None})


@pytest.mark.parametrize(
    ("pool", "code"),
    [
        (Pool(preset="chess", seats=2, target=100), "unknown-preset"),
        (Pool(preset="draw", seats=2, target=101), "bad-pool"),
        (DUEL.model_copy(update={"rated": True}), "bad-pool"),
    ],
)
def test_what_is_not_public_play_or_is_rated_is_not_offered(pool: Pool, code: str) -> None:
    given().when(OfferTable(pool=pool), by="ann").refused(code)


def test_one_person_has_one_place_in_a_region() -> None:
    here = given(*offered(FOUR, "ann", "bob"), ticket("cid"), match("dan", "eva", table="t2"), BotStoodBy(account="h1"))
    for account, code in (
        ("ann", "already-seated"),
        ("bob", "already-seated"),
        ("cid", "already-queued"),
        ("dan", "already-seated"),
        ("h1", "already-queued"),
    ):
        here.when(OfferTable(pool=DUEL), by=account, at=NOON).refused(code)
        here.when(TakeSeat(table_id="t1"), by=account, at=NOON).refused(code)
    for account in ("ann", "bob"):
        here.when(JoinQueue(pool=DUEL), by=account, at=NOON).refused("already-seated")
        here.when(StandBy(), by=account, at=NOON).refused("already-seated")
        here.when(LeaveQueue(), by=account, at=NOON).refused("not-queued")


# ---- sitting down


def test_a_seat_is_taken_as_long_as_one_is_free() -> None:
    result = given(*offered(THREE, "ann")).when(TakeSeat(table_id="t1", bot=True), by="bob", at=NOON)
    result.then(SeatTaken(table_id="t1", account="bob", bot=True))


def test_with_the_last_seat_the_match_is_made_at_that_very_table() -> None:
    table_id = "01hf7yat00000000000000000a"
    here = given(*offered(THREE, "ann", "bob", table=table_id))
    result = here.when(TakeSeat(table_id=table_id, bot=True), by="cid", at=NOON)
    result.then(
        SeatTaken(table_id=table_id, account="cid", bot=True),
        MatchMade(
            table_id=table_id,
            pool=THREE,
            seats=(Reservation(account="ann"), Reservation(account="bob"), Reservation(account="cid", bot=True)),
        ),
    )
    state = result.decision.state
    assert state is not None
    assert not state.offers.tables
    assert not state.offers.table_of
    assert dict(state.seated) == dict.fromkeys(("ann", "bob", "cid"), table_id)


def test_of_five_hundred_people_for_one_seat_one_gets_it() -> None:
    here = given(*offered(THREE, "ann", "bob"))
    codes = []
    for number in range(500):
        account = f"p{number}"
        decision = here.when(TakeSeat(table_id="t1"), by=account, at=NOON).decision
        codes.append(decision.code)
        if decision.code == "accepted":
            here.after(TakeSeat(table_id="t1"), by=account, at=NOON)
    assert codes == ["accepted"] + ["table-full"] * 499
    assert here.state is not None
    assert set(here.state.seated) == {"ann", "bob", "p0"}


def test_a_table_that_is_full_and_waits_for_somebody_away_has_no_free_seat() -> None:
    given(*offered(DUEL, "ann"), gone("ann"), SeatTaken(table_id="t1", account="bob", bot=False)).when(
        TakeSeat(table_id="t1"), by="cid", at=NOON + 1
    ).refused("table-full")


def test_a_table_that_is_not_offered_is_unknown() -> None:
    given().when(TakeSeat(table_id="t1"), by="ann", at=NOON).refused("unknown-table")
    gone_again = given(*offered(DUEL, "ann"), given_up("ann"))
    gone_again.when(TakeSeat(table_id="t1"), by="bob", at=NOON).refused("unknown-table")


def test_nobody_sits_down_at_a_table_whose_name_is_too_old_to_open_it() -> None:
    [event] = given().when(OfferTable(pool=DUEL), by="ann", at=NOON).decision.events
    assert isinstance(event, TableOffered)
    take = TakeSeat(table_id=event.table_id)
    given(event).when(take, by="bob", at=NOON + OFFER_MS_MAX + 1).refused("unknown-table")
    assert made(given(event).when(take, by="bob", at=NOON + OFFER_MS_MAX)).table_id == event.table_id


# ---- leaving


def test_who_leaves_has_no_seat_any_more() -> None:
    here = given(*offered(THREE, "ann", "bob"))
    here.when(LeaveSeat(), by="bob", at=NOON).then(given_up("bob"))
    assert people(here.after(LeaveSeat(), by="bob", at=NOON)) == ["ann"]
    here.when(JoinQueue(pool=DUEL), by="bob", at=NOON).then(ticket("bob"))


def test_when_the_host_leaves_the_next_in_order_is_host() -> None:
    here = given(*offered(FOUR, "ann", "bob", "cid")).after(LeaveSeat(), by="ann", at=NOON)
    assert people(here) == ["bob", "cid"]
    here.when(AcceptBots(), by="cid", at=NOON).refused("not-host")
    here.when(AcceptBots(), by="bob", at=NOON).then(BotsAccepted(account="bob", strength="normal", due_at=NOON))


def test_with_the_last_person_the_offer_is_gone() -> None:
    here = given(*offered(FOUR, "ann")).after(AcceptBots(), by="ann", at=NOON).after(LeaveSeat(), by="ann", at=NOON)
    assert here.state is not None
    assert not here.state.offers.tables
    assert len(here.state.offers.wanting) == 0


def test_who_has_no_seat_cannot_leave_one() -> None:
    given(*offered(DUEL, "ann")).when(LeaveSeat(), by="bob").refused("not-seated")
    given(match("ann", "bob")).when(LeaveSeat(), by="ann").refused("not-seated")


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
    assert decider.deadline(after) == Deadline("fill", "fill-1-0", NOON + AWAY_MS, NOON + AWAY_MS + FILL_MS)


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


def test_answers_are_kept_for_people_at_offered_tables() -> None:
    lobby = given(*offered(THREE, "ann", "bob")).state
    assert lobby is not None
    assert all(decider.remembers(lobby, account) for account in ("ann", "bob"))
