"""What the lobby's decider does with the tables that people offer."""

import pytest
from tests.lobby.lobbies import DUEL, NOON, THREE, decider, given, made, match, ticket
from tests.lobby.offered import FOUR, given_up, gone, offered, people

from contracts.ids import made_at
from contracts.region import (
    AcceptBots,
    BotsAccepted,
    BotStoodBy,
    JoinQueue,
    LeaveQueue,
    LeaveSeat,
    MatchMade,
    OfferTable,
    Pool,
    SeatTaken,
    StandBy,
    TableOffered,
    TakeSeat,
)
from contracts.table import Reservation
from lobby.region.offers_decide import OFFER_MS_MAX

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
        here.when(LeaveQueue(), by=account, at=NOON).nothing()


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
    with_a_bot = given(event, BotStoodBy(account="h1"))
    with_a_bot.when(AcceptBots(), by="ann", at=NOON + OFFER_MS_MAX + 1).then(
        BotsAccepted(account="ann", strength="normal", due_at=NOON + OFFER_MS_MAX + 1)
    )


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


def test_leaving_a_seat_that_one_does_not_have_is_done_already() -> None:
    given(*offered(DUEL, "ann")).when(LeaveSeat(), by="bob").nothing()
    given(match("ann", "bob")).when(LeaveSeat(), by="ann").nothing()
    given(*offered(DUEL, "ann")).after(LeaveSeat(), by="ann").when(LeaveSeat(), by="ann").nothing()


def test_answers_are_kept_for_people_at_offered_tables() -> None:
    lobby = given(*offered(THREE, "ann", "bob")).state
    assert lobby is not None
    assert all(decider.remembers(lobby, account) for account in ("ann", "bob"))
