from typing import Any

from contracts.queue_api import QueueStatus
from contracts.region import (
    BotsAccepted,
    BotStoodBy,
    MatchMade,
    PersonCameBack,
    PersonWentAway,
    Pool,
    RatingNoted,
    TicketQueued,
    TicketWidened,
    TicketWithdrawn,
)
from contracts.table import Reservation
from gateway.queue_status import BOTS_OFFERED_AFTER_MS, Statuses
from gateway.queue_view import QueueView
from gateway.region_events import RegionEvent

NOW = 1_764_500_000_000
FOUR = Pool(preset="party", seats=4, target=100)
TWO = Pool(preset="draw", seats=2, target=100)
Events = list[RegionEvent]


def queued(account: str, pool: Pool = FOUR, **fields: Any) -> RegionEvent:
    return TicketQueued(**{"account": account, "pool": pool, "bots": "none", "bot": False, "queued_at": NOW} | fields)


def match(pool: Pool, *accounts: str, waited_ms: int = 0) -> MatchMade:
    seats = tuple(Reservation(account=account) for account in accounts)
    return MatchMade(table_id=f"t-{accounts[0]}", pool=pool, seats=seats, waited_ms=waited_ms)


def view_of(*events: RegionEvent) -> QueueView:
    view = QueueView()
    for event in events:
        view.take(event)
    return view


def status(account: str, *events: RegionEvent, waited_ms: int = 0) -> QueueStatus:
    found = Statuses(view_of(*events), NOW + waited_ms).of(account)
    assert found is not None
    return found


def why(account: str, *events: RegionEvent) -> tuple[str, str]:
    found = status(account, *events).why
    return found.code, found.message


# ---- why there is no match yet


def test_somebody_alone_is_told_so() -> None:
    found = status("ann", queued("ann"))
    assert (found.waiting, found.why.code, found.offers) == (1, "nobody-else", ())


def test_it_is_told_how_many_are_missing() -> None:
    assert why("ann", queued("ann"), queued("bea"), queued("cid")) == ("too-few", "One more person is needed.")
    assert why("ann", queued("ann"), queued("bea")) == ("too-few", "Two more people are needed.")


def test_who_waits_elsewhere_is_nobody_here() -> None:
    assert why("ann", queued("ann"), queued("bea", TWO))[0] == "nobody-else"


def test_people_without_a_connection_count_for_nobody_until_they_are_back() -> None:
    events: Events = [queued("ann"), queued("bea"), PersonWentAway(account="bea", at=NOW)]
    assert (status("ann", *events).waiting, why("ann", *events)[0]) == (1, "nobody-else")
    back = [*events, PersonCameBack(account="bea")]
    assert (status("ann", *back).waiting, why("ann", *back)[0]) == (2, "too-few")


def test_a_group_that_is_not_whole_waits_for_its_own_people() -> None:
    group: dict[str, Any] = {"group": "friends1", "group_size": 3}
    events: Events = [queued("ann", **group), queued("bea", **group), queued("cid")]
    assert why("ann", *events) == ("group-not-whole", "Your group of 3 is not whole: two of you so far.")
    assert why("cid", *events)[0] == "nobody-else"


def test_a_whole_group_that_waits_alone_is_told_so_as_a_group() -> None:
    group: dict[str, Any] = {"group": "friends1", "group_size": 2}
    events: Events = [queued("ann", FOUR, **group), queued("bea", FOUR, **group)]
    assert why("ann", *events) == ("nobody-else", "Nobody but your group waits for this yet.")


def test_a_whole_group_with_somebody_away_is_passed_over_and_told_why() -> None:
    group: dict[str, Any] = {"group": "friends1", "group_size": 2}
    events: Events = [
        queued("ann", **group),
        queued("bea", **group),
        queued("cid"),
        PersonWentAway(account="bea", at=NOW),
    ]
    assert why("ann", *events) == ("group-not-whole", "Somebody of your group has no connection just now.")
    assert why("cid", *events)[0] == "nobody-else"


def test_groups_that_do_not_fill_a_table_are_told_so() -> None:
    three = [queued(account, group="three333", group_size=3) for account in ("a1", "a2", "a3")]
    two = [queued(account, group="two22222", group_size=2) for account in ("b1", "b2")]
    assert why("a1", *three, *two)[0] == "sizes-do-not-fit"
    assert why("b1", *three, *two)[0] == "sizes-do-not-fit"


def test_enough_people_of_unlike_strength_are_told_so() -> None:
    rated = Pool(preset="draw", seats=2, target=100, rated=True)
    ratings = [RatingNoted(account="ann", rating=1200), RatingNoted(account="bea", rating=1900)]
    assert why("ann", *ratings, queued("ann", rated), queued("bea", rated))[0] == "ratings-apart"


def test_who_has_left_or_is_seated_waits_no_more() -> None:
    assert Statuses(view_of(queued("ann"), TicketWithdrawn(account="ann")), NOW).of("ann") is None
    seated = view_of(queued("ann", TWO), queued("bea", TWO), match(TWO, "ann", "bea"))
    assert (Statuses(seated, NOW).of("ann"), seated.ready(TWO), list(seated.pools())) == (None, 0, [])


# ---- how long


def test_the_expected_wait_is_the_median_of_the_last_twenty_matches() -> None:
    matches = [event for number in range(30) for event in one_match(number, waited_ms=number * 1000)]
    assert status("ann", *matches, queued("ann", TWO)).expected_ms == 19_500
    assert status("ann", *matches[:6], queued("ann", TWO)).expected_ms is None


def one_match(number: int, waited_ms: int) -> list[RegionEvent]:
    one, other = f"p{number}", f"q{number}"
    return [queued(one, TWO), queued(other, TWO), match(TWO, one, other, waited_ms=waited_ms)]


# ---- what would help


def test_a_pool_that_would_start_sooner_is_offered_with_what_it_lacks() -> None:
    other = FOUR.model_copy(update={"target": 150})
    events: Events = [queued("ann"), queued("bea", other), queued("cid", other)]
    (offer,) = status("ann", *events).offers
    assert (offer.pool, offer.missing) == (other, 1)
    assert offer.message == "One more person would start party with 4 seats to 150."


def test_fewer_seats_are_offered_where_one_could_start_at_once() -> None:
    three = FOUR.model_copy(update={"seats": 3, "target": 200})
    events: Events = [queued("ann"), queued("bea", three), queued("cid", three)]
    (offer,) = status("ann", *events).offers
    assert (offer.missing, offer.message) == (0, "You would start party with 3 seats to 200.")


def test_nothing_is_offered_that_is_no_sooner_or_of_other_rules() -> None:
    slow = FOUR.model_copy(update={"turn_seconds": 60})
    rated = FOUR.model_copy(update={"rated": True, "target": 150})
    other = FOUR.model_copy(update={"target": 150})
    events: Events = [queued("ann"), queued("bea"), *(queued(f"s{n}", slow) for n in range(3))]
    events += [*(queued(f"r{n}", rated) for n in range(3)), queued("cid", other)]
    assert status("ann", *events).offers == ()


def test_a_group_is_offered_no_table_that_is_too_small_for_it() -> None:
    two = FOUR.model_copy(update={"seats": 2})
    group = [queued(account, group="three333", group_size=3) for account in ("ann", "bea", "cid")]
    assert status("ann", *group, queued("dan", two)).offers == ()


def test_a_widened_ticket_waits_in_both_pools_and_is_offered_neither_again() -> None:
    other = FOUR.model_copy(update={"target": 150})
    events: Events = [
        queued("ann"),
        queued("bea"),
        queued("cid", other),
        TicketWidened(account="ann", pool=other),
    ]
    found = status("ann", *events)
    assert (found.also, found.waiting, found.offers) == ((other,), 3, ())
    assert status("cid", *events).waiting == 2


def test_who_joins_a_group_waits_where_it_has_been_widened_to() -> None:
    friends: dict[str, Any] = {"group": "friends1", "group_size": 2}
    three = FOUR.model_copy(update={"seats": 3})
    found = status("bob", queued("ann", **friends), TicketWidened(account="ann", pool=three), queued("bob", **friends))
    assert (found.pool, found.also, found.waiting) == (FOUR, (three,), 2)


def test_at_most_three_pools_are_offered_those_that_lack_least_first() -> None:
    pools = [FOUR.model_copy(update={"target": target}) for target in (110, 120, 130, 150)]
    events: Events = [
        queued("ann"),
        *(queued(f"p{pool.target}", pool) for pool in pools),
        queued("last", pools[3]),
    ]
    offers = status("ann", *events).offers
    assert [(offer.pool.target, offer.missing) for offer in offers if offer.pool] == [(150, 1), (110, 2), (120, 2)]


def test_house_bots_are_offered_after_twenty_seconds_and_not_before() -> None:
    bots = [BotStoodBy(account=f"house-{number}") for number in range(3)]
    assert status("ann", queued("ann"), *bots, waited_ms=BOTS_OFFERED_AFTER_MS - 1).offers == ()
    (offer,) = status("ann", queued("ann"), *bots, waited_ms=BOTS_OFFERED_AFTER_MS).offers
    assert (offer.pool, offer.missing, offer.message) == (None, 0, "House bots can take the free seats.")
    (fewer,) = status("ann", queued("ann"), bots[0], waited_ms=BOTS_OFFERED_AFTER_MS).offers
    assert fewer.missing == 2
    away: Events = [*bots, PersonWentAway(account="house-1", at=NOW), PersonWentAway(account="house-2", at=NOW)]
    (gone,) = status("ann", queued("ann"), *away, waited_ms=BOTS_OFFERED_AFTER_MS).offers
    assert (gone.missing, gone.message) == (2, "House bots can take the free seats as soon as enough stand by.")


def test_house_bots_are_never_offered_in_rated_pools_or_to_who_has_asked_for_them() -> None:
    rated = queued("ann", FOUR.model_copy(update={"rated": True}))
    filled = queued("ann", bots="fill", fill_due_at=NOW + 3_000)
    accepted = BotsAccepted(account="ann", strength="normal", due_at=NOW)
    for events in ([rated], [filled], [queued("ann"), accepted]):
        assert status("ann", *events, waited_ms=60_000).offers == ()


# ---- the numbers


def test_the_numbers_of_a_line_are_those_of_its_people_whatever_has_happened() -> None:
    group: dict[str, Any] = {"group": "friends1", "group_size": 2}
    other = FOUR.model_copy(update={"target": 150})
    view = view_of(
        queued("ann", **group),
        PersonWentAway(account="ann", at=NOW),
        queued("bea", **group),
        TicketWidened(account="bea", pool=other),
        PersonCameBack(account="ann"),
        queued("cid"),
    )
    assert (view.ready(FOUR), view.grouped(FOUR), view.ready(other), view.here([FOUR, other])) == (3, 2, 2, 3)
    for account in ("bea", "ann", "cid", "cid"):
        view.take(TicketWithdrawn(account=account))
    assert (view.ready(FOUR), view.grouped(FOUR), list(view.pools())) == (0, 0, [])


def test_events_about_people_who_never_came_change_nothing() -> None:
    view = view_of(
        PersonWentAway(account="ann", at=NOW),
        TicketWithdrawn(account="ann"),
        TicketWidened(account="ann", pool=TWO),
        match(TWO, "ann", "bea", waited_ms=5),
    )
    assert (list(view.pools()), view.expected_ms(TWO)) == ([], None)


def test_alike_tickets_stand_alike_but_for_their_age_and_their_group() -> None:
    events = [queued("ann"), queued("bea", queued_at=NOW - BOTS_OFFERED_AFTER_MS), queued("cid", queued_at=NOW - 1)]
    events += [queued("dan", group="friends1", group_size=2)]
    statuses = Statuses(view_of(*events), NOW)
    found = {account: status for account in ("ann", "bea", "cid", "dan") if (status := statuses.of(account))}
    assert [status.queued_at - NOW for status in found.values()] == [0, -BOTS_OFFERED_AFTER_MS, -1, 0]
    assert found["cid"] == found["ann"].model_copy(update={"queued_at": NOW - 1})
    assert (len(found["bea"].offers), found["dan"].why.code) == (1, "group-not-whole")
