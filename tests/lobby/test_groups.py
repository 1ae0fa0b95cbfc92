"""People who queue together are seated together."""

import pytest
from tests.given import Given
from tests.lobby.lobbies import DUEL, NOON, THREE, decider, given, made, match, seats

from contracts.region import (
    JoinQueue,
    LeaveQueue,
    MatchMade,
    Pool,
    RegionCommand,
    RegionEvent,
    TableReleased,
    TicketWithdrawn,
    WidenTicket,
)
from lobby.region.state import Lobby

FOUR = Pool(preset="draw", seats=4, target=100)
PAIRS = Pool(preset="party", seats=4, target=100, pairs=True)
NAME = "friends1"

Region = Given[Lobby, RegionCommand, RegionEvent]


def joined(*people: tuple[str, str | None, int], pool: Pool = FOUR, region: Region | None = None) -> Region:
    """Each with the name and the size of a group, or alone."""
    region = region or given()
    for at, (account, group, size) in enumerate(people):
        region.after(join(pool, group, size), by=account, at=NOON + at)
    return region


def join(pool: Pool = FOUR, group: str | None = NAME, size: int = 2) -> JoinQueue:
    return JoinQueue(pool=pool, group=group, group_size=size if group is not None else None)


def order(event: MatchMade) -> list[str]:
    return [account for account, _ in seats(event)]


def test_a_group_waits_until_all_are_here() -> None:
    waiting = joined(("ann", NAME, 3), ("bob", None, 1), ("cid", NAME, 3))
    result = waiting.when(join(size=3), by="dan", at=NOON + 9)
    assert order(made(result)) == ["bob", "ann", "cid", "dan"]
    assert made(result).waited_ms == 8


def test_a_group_is_as_old_as_the_last_who_came() -> None:
    """Between its first and its last another pair has become whole."""
    waiting = joined(("ann", NAME, 2), ("eve", "others22", 2), ("fay", "others22", 2), ("bob", NAME, 2), pool=THREE)
    assert set(order(made(waiting.when(join(THREE, None), by="gus")))) == {"eve", "fay", "gus"}


def test_a_group_that_does_not_fit_is_passed_over_without_cost_to_others() -> None:
    waiting = joined(
        ("ann", NAME, 3), ("bob", NAME, 3), ("cid", NAME, 3), ("eve", "others22", 2), ("fay", "others22", 2)
    )
    pair = joined(("gus", "another3", 2), region=waiting)
    assert order(made(pair.when(join(group="another3"), by="hal"))) == ["eve", "fay", "gus", "hal"]


def test_a_single_who_is_older_than_the_rest_is_in_the_next_table() -> None:
    waiting = joined(
        ("ann", None, 1), ("bob", NAME, 2), ("cid", NAME, 2), ("dan", "others33", 3), ("eve", "others33", 3)
    )
    result = waiting.when(join(group="others33", size=3), by="fay")
    assert set(order(made(result))) == {"ann", "dan", "eve", "fay"}, "older than the pair, which waits on"


@pytest.mark.parametrize(
    ("people", "expected"),
    [
        ([("a", "one11111", 2), ("b", "one11111", 2), ("c", "two22222", 2), ("d", "two22222", 2)], "acbd"),
        ([("a", None, 1), ("b", "one11111", 2), ("c", "one11111", 2), ("d", None, 1)], "abdc"),
        ([("a", None, 1), ("b", None, 1), ("c", "one11111", 2), ("d", "one11111", 2)], "acbd"),
        ([("a", "one11111", 3), ("b", "one11111", 3), ("c", "one11111", 3), ("d", None, 1)], "acbd"),
        ([("a", None, 1), ("b", "one11111", 3), ("c", "one11111", 3), ("d", "one11111", 3)], "abdc"),
        ([("a", "one11111", 4), ("b", "one11111", 4), ("c", "one11111", 4), ("d", "one11111", 4)], "acbd"),
        ([("a", None, 1), ("b", None, 1), ("c", None, 1), ("d", None, 1)], "abcd"),
    ],
)
def test_friends_are_partners(people: list[tuple[str, str | None, int]], expected: str) -> None:
    *first, (last, group, size) = people
    result = joined(*first, pool=PAIRS).when(join(PAIRS, group, size), by=last)
    assert "".join(order(made(result))) == expected


def test_when_one_leaves_the_others_wait_for_somebody_in_this_place() -> None:
    waiting = joined(("ann", NAME, 2), ("bob", NAME, 2), pool=THREE).after(LeaveQueue(), by="ann")
    waiting.when(join(THREE, None), by="cid").then(*waiting.when(join(THREE, None), by="cid").decision.events[:1])
    back = waiting.after(join(THREE, None), by="cid")
    assert set(order(made(back.when(join(THREE), by="ann")))) == {"ann", "bob", "cid"}


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (join(THREE), "group-mismatch"),
        (join(size=4), "group-mismatch"),
        (JoinQueue(pool=FOUR, group=NAME), "group-mismatch"),
        (JoinQueue(pool=FOUR, group_size=2), "group-mismatch"),
        (join(DUEL, "another3", 3), "group-too-large"),
        (join(size=3), "group-full"),
    ],
)
def test_who_does_not_belong_to_a_group_is_refused(command: JoinQueue, code: str) -> None:
    whole = joined(("ann", NAME, 3), ("bob", NAME, 3), ("cid", NAME, 3))
    whole.when(command, by="dan").refused(code)


def test_no_declared_bot_comes_into_a_rated_pool_by_a_group_that_was_widened_to_one() -> None:
    rated = Pool(preset="draw", seats=2, target=100, rated=True)
    waiting = joined(("ann", NAME, 2)).after(WidenTicket(pool=rated), by="ann", at=NOON + 1)
    bot = JoinQueue(pool=FOUR, group=NAME, group_size=2, bot=True)
    waiting.when(bot, by="bob", at=NOON + 2).refused("rated-pool")
    assert made(waiting.when(join(), by="bob", at=NOON + 2)).pool == rated


def test_a_group_that_is_seated_takes_nobody_until_its_table_has_ended() -> None:
    seated = joined(("ann", NAME, 2), ("bob", NAME, 2), pool=DUEL)
    assert seated.state is not None
    [table_id] = seated.state.tables
    seated.when(join(DUEL), by="cid").refused("group-seated")
    later = Given(decider, "eu", [])
    later.state = decider.evolve(seated.state, TableReleased(table_id=table_id))
    assert later.when(join(DUEL), by="cid").decision.code == "accepted"


def test_a_group_that_has_dissolved_is_forgotten() -> None:
    gone = joined(("ann", NAME, 2)).after(LeaveQueue(), by="ann")
    assert gone.when(join(THREE, NAME, 3), by="bob").decision.code == "accepted"
    assert gone.state is not None
    assert not gone.state.queue.groups


def test_an_event_that_seats_one_of_a_group_leaves_nobody_behind() -> None:
    waiting = joined(("ann", NAME, 2), ("bob", NAME, 2), pool=THREE)
    after = decider.evolve(waiting.state, match("ann", "cid"))
    assert not after.queue.units
    assert not decider.evolve(after, TicketWithdrawn(account="bob")).queue.units
