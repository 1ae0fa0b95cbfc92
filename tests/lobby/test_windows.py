"""Rated pools: people of equal strength meet, and who waits meets others by and by."""

import pytest
from tests.given import Given
from tests.lobby.lobbies import NOON, decider, given, made, seats

from bus.decider import Deadline
from contracts.region import (
    AcceptBots,
    BotStoodBy,
    JoinQueue,
    MatchMade,
    NoteRating,
    Pool,
    QueueLooked,
    RatingNoted,
    RegionCommand,
    RegionEvent,
    TicketQueued,
    TicketWithdrawn,
    WidenTicket,
)
from lobby.region.dues import WIDENED_MAX
from lobby.region.state import Lobby

RATED = Pool(preset="draw", seats=2, target=100, rated=True)
FOUR = Pool(preset="draw", seats=4, target=100, rated=True)
THREE_RATED = Pool(preset="draw", seats=3, target=100, rated=True)
JOIN = JoinQueue(pool=RATED)

Region = Given[Lobby, RegionCommand, RegionEvent]


def rated(**ratings: int) -> Region:
    return given(*(RatingNoted(account=account, rating=rating) for account, rating in ratings.items()))


def deadline(region: Region) -> Deadline | None:
    assert region.state is not None
    return decider.deadline(region.state)


def accounts(event: MatchMade) -> list[str]:
    return [account for account, _ in seats(event)]


def looked(region: Region) -> Region:
    """Goes on from the next look, which is a millisecond late."""
    after = Given(decider, "eu", [])
    after.state = region.when_due().decision.state
    return after


def test_people_of_whom_no_rating_is_known_are_equal() -> None:
    assert accounts(made(given().after(JOIN, by="ann").when(JOIN, by="bob"))) == ["ann", "bob"]


@pytest.mark.parametrize(("rating", "meets"), [(1_550, True), (1_450, True), (1_551, False), (1_449, False)])
def test_ratings_may_be_fifty_apart_at_first(rating: int, meets: bool) -> None:
    result = rated(bob=rating).after(JOIN, by="ann").when(JOIN, by="bob")
    assert (len(result.decision.events) == 2) == meets


def test_both_windows_must_be_wide_enough() -> None:
    wide = JoinQueue(pool=RATED, window=400)
    region = rated(bob=1_700, cid=1_500).after(JOIN, by="ann", at=NOON).after(wide, by="bob", at=NOON)
    assert accounts(made(region.when(JoinQueue(pool=RATED, window=200), by="dan", at=NOON))) == ["ann", "dan"]
    assert accounts(made(rated(bob=1_700).after(wide, by="bob").when(wide, by="dan"))) == ["bob", "dan"]


def test_a_window_widens_by_fifty_every_five_seconds_up_to_four_hundred() -> None:
    region = rated(ann=1_000).after(JOIN, by="ann", at=NOON)
    for step in range(1, 8):
        assert deadline(region) == Deadline(
            "widen", f"widen-{NOON + 5_000 * step}", NOON + 5_000 * step, NOON + 5_000 * step
        )
        result = region.when_due()
        result.then(QueueLooked(at=NOON + 5_000 * step + 1))
        region = looked(region)
    assert deadline(region) is None, "nothing can widen any more"


def test_two_whose_windows_have_widened_meet_at_the_look() -> None:
    region = rated(bob=1_600).after(JOIN, by="ann", at=NOON).after(JOIN, by="bob", at=NOON + 1_500)
    region = looked(region)
    result = region.when_due()
    assert accounts(made(result)) == ["ann", "bob"], "both are at 100 now"
    assert result.decision.events[0] == QueueLooked(at=NOON + 6_501)
    assert made(result).waited_ms == 6_501


def test_looks_are_a_second_apart() -> None:
    region = rated(bob=2_000).after(JOIN, by="ann", at=NOON).after(JOIN, by="bob", at=NOON + 10)
    first = deadline(region)
    assert first is not None
    assert first.due_at == NOON + 5_000
    second = deadline(looked(region))
    assert second is not None
    assert second.due_at == NOON + 5_001 + 1_000, "not at five seconds and ten milliseconds"


def test_a_look_seats_everybody_who_fits_now_the_oldest_first() -> None:
    region = rated(ann=1_000, bob=1_100, cid=1_200, dan=1_300)
    for account in ("ann", "bob", "cid", "dan"):
        region = region.after(JOIN, by=account, at=NOON)
    matches = [event for event in region.when_due().decision.events if isinstance(event, MatchMade)]
    assert [accounts(each) for each in matches] == [["ann", "bob"], ["cid", "dan"]]
    assert len({each.table_id for each in matches}) == 2


def test_the_oldest_who_fits_is_seated_not_the_nearest() -> None:
    region = rated(ann=1_449, bob=1_511, cid=1_480).after(JOIN, by="ann", at=NOON).after(JOIN, by="bob", at=NOON + 1)
    assert accounts(made(region.when(JOIN, by="cid", at=NOON + 2))) == ["ann", "cid"]


def test_at_a_table_of_four_everybody_is_within_everybodys_window() -> None:
    region = rated(ann=1_460, bob=1_540, cid=1_480, dan=1_500, eve=1_490)
    for account in ("ann", "bob", "cid", "dan"):
        region = region.after(JoinQueue(pool=FOUR), by=account, at=NOON)
    assert accounts(made(region.when(JoinQueue(pool=FOUR), by="eve", at=NOON))) == ["ann", "cid", "dan", "eve"]


def test_who_has_waited_for_the_widest_window_does_not_wait_for_the_windows_of_others() -> None:
    region = rated(ann=1_900).after(JOIN, by="ann", at=NOON)
    for _ in range(6):
        region = looked(region)
    assert len(region.when(JOIN, by="early", at=NOON + 34_000).decision.events) == 1
    region = looked(region)
    assert accounts(made(region.when(JOIN, by="bob", at=NOON + 36_000))) == ["ann", "bob"]


def test_nor_where_the_own_window_was_wide_from_the_first() -> None:
    region = rated(ann=1_900).after(JoinQueue(pool=RATED, window=400), by="ann", at=NOON)
    for _ in range(7):
        assert isinstance(region.when(JOIN, by="bob", at=NOON + 1).decision.events[-1], TicketQueued)
        region = looked(region)
    assert accounts(made(region.when(JOIN, by="bob", at=NOON + 36_000))) == ["ann", "bob"]


def test_but_nobody_meets_ratings_that_are_more_than_four_hundred_away() -> None:
    region = rated(ann=1_901).after(JOIN, by="ann", at=NOON)
    for _ in range(7):
        region = looked(region)
    assert len(region.when(JOIN, by="bob", at=NOON + 3_600_000).decision.events) == 1


def test_two_who_have_not_waited_are_not_brought_together_by_somebody_who_has() -> None:
    three = JoinQueue(pool=THREE_RATED)
    region = rated(ann=1_800, bob=1_500, cid=1_551, dan=1_550).after(three, by="ann", at=NOON)
    for _ in range(7):
        region = looked(region)
    region = region.after(three, by="bob", at=NOON + 36_000)
    assert len(region.when(three, by="cid", at=NOON + 36_000).decision.events) == 1
    assert accounts(made(region.when(three, by="dan", at=NOON + 36_000))) == ["ann", "bob", "dan"]


def test_an_older_group_comes_before_younger_people() -> None:
    """Those who are alone are too strong for the three, and only the last to come fits both."""
    trio = JoinQueue(pool=FOUR, group="friends1", group_size=3)
    region = rated(dan=1_600, eve=1_600, fay=1_600, gus=1_550)
    for account in ("ann", "bob", "cid"):
        region = region.after(trio, by=account)
    for account in ("dan", "eve", "fay"):
        region = region.after(JoinQueue(pool=FOUR), by=account)
    assert accounts(made(region.when(JoinQueue(pool=FOUR), by="gus"))) == ["ann", "bob", "cid", "gus"]


def test_a_group_has_the_mean_of_its_ratings() -> None:
    pair = JoinQueue(pool=FOUR, group="friends1", group_size=2)
    other = JoinQueue(pool=FOUR, group="others22", group_size=2)
    region = rated(ann=1_300, bob=1_700, cid=1_551, dan=1_550).after(pair, by="ann").after(pair, by="bob")
    assert len(made(region.after(other, by="cid").when(other, by="dan")).seats) == 4
    apart = rated(ann=1_300, bob=1_700, cid=1_552, dan=1_550).after(pair, by="ann").after(pair, by="bob")
    assert len(apart.after(other, by="cid").when(other, by="dan").decision.events) == 1


def test_news_of_a_rating_may_be_what_a_match_has_waited_for() -> None:
    region = rated(bob=1_600).after(JOIN, by="ann").after(JOIN, by="bob")
    result = region.when(NoteRating(account="bob", rating=1_550), by="lobby")
    assert accounts(made(result)) == ["ann", "bob"]
    region.when(NoteRating(account="bob", rating=1_600), by="lobby").nothing()
    region.when(NoteRating(account="zoe", rating=1_550), by="lobby").then(RatingNoted(account="zoe", rating=1_550))


def test_nobody_else_notes_ratings() -> None:
    given().when(NoteRating(account="ann", rating=3_000), by="ann").refused("not-allowed")


@pytest.mark.parametrize("command", [JoinQueue(pool=RATED, bots="fill"), JoinQueue(pool=RATED, bot=True)])
def test_no_bots_in_a_rated_pool(command: JoinQueue) -> None:
    given().when(command, by="ann").refused("rated-pool")


def test_nor_by_a_yes_later_on() -> None:
    given(BotStoodBy(account="h1")).after(JOIN, by="ann").when(AcceptBots(), by="ann").refused("rated-pool")
    robot = given().after(JoinQueue(pool=RATED.model_copy(update={"rated": False}), bot=True), by="robot")
    robot.when(WidenTicket(pool=RATED), by="robot").refused("rated-pool")


def test_rated_and_unrated_tickets_do_not_meet() -> None:
    plain = JoinQueue(pool=RATED.model_copy(update={"rated": False}))
    assert len(given().after(JOIN, by="ann").when(plain, by="bob").decision.events) == 1


def test_who_has_left_widens_no_more() -> None:
    region = given().after(JOIN, by="ann", at=NOON)
    assert region.state is not None
    assert decider.deadline(decider.evolve(region.state, TicketWithdrawn(account="ann"))) is None


def test_after_nobody_has_looked_for_long_the_looks_are_of_so_many_windows_at_a_time() -> None:
    """An outcome is one record."""
    region = given()
    for number in range(WIDENED_MAX + 20):
        pair = JoinQueue(pool=THREE_RATED, group=f"friends{number:04}", group_size=2)
        region = region.after(pair, by=f"p{number}").after(pair, by=f"q{number}", at=NOON + number)
    result = region.when_due(late_ms=3_000)
    looks = [event for event in result.decision.events if isinstance(event, QueueLooked)]
    assert len(looks) == 2
    assert looks[0].at < looks[1].at == NOON + 5_000 + 3_000
