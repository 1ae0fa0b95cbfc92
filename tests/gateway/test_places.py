from contracts.region import (
    BotsLent,
    BotStoodBy,
    MatchMade,
    PersonCameBack,
    PersonWentAway,
    Pool,
    SeatGivenUp,
    SeatTaken,
    TableOffered,
    TicketQueued,
    TicketWithdrawn,
)
from contracts.table import Reservation
from gateway.places import Place, Places
from gateway.region_events import RegionEvent

POOL = Pool(preset="draw", seats=2, target=50)
QUEUED = TicketQueued(account="ann", pool=POOL, bots="none", bot=False, queued_at=0)
OFFERED = TableOffered(table_id="t1", pool=POOL, host="bea", bot=True, at=0)
TAKEN = SeatTaken(table_id="t1", account="cid", bot=False)
STANDING = BotStoodBy(account="house-1")


def places_after(*events: RegionEvent) -> dict[str, Place | None]:
    places = Places()
    for event in events:
        places.take(event)
    return {account: places.get(account) for account in places}


def test_who_waits_sits_at_an_offered_table_or_stands_by_has_a_place() -> None:
    assert places_after(QUEUED, OFFERED, TAKEN, STANDING) == {
        "ann": Place(bot=False),
        "bea": Place(bot=True),
        "cid": Place(bot=False),
        "house-1": Place(bot=True),
    }


def test_a_place_ends_with_what_it_was() -> None:
    given_up = SeatGivenUp(table_id="t1", account="cid", reason="left")
    assert places_after(QUEUED, TicketWithdrawn(account="ann"), TAKEN, given_up) == {}
    match = MatchMade(table_id="t1", pool=POOL, seats=(Reservation(account="bea"), Reservation(account="cid")))
    lent = BotsLent(room="room-abc234", table_id="t2", bots=(Reservation(account="house-1"),))
    assert places_after(OFFERED, TAKEN, match, STANDING, lent) == {}


def test_who_is_away_is_so_until_back_or_placed_anew() -> None:
    away = PersonWentAway(account="ann", at=1)
    assert places_after(QUEUED, away) == {"ann": Place(bot=False, away=True)}
    assert places_after(QUEUED, away, PersonCameBack(account="ann")) == {"ann": Place(bot=False)}
    assert places_after(QUEUED, away, TicketWithdrawn(account="ann"), QUEUED) == {"ann": Place(bot=False)}
    assert places_after(away) == {}
