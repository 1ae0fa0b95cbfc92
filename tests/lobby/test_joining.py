"""Yes to an offer: another pool, or house bots."""

import pytest
from tests.lobby.lobbies import DUEL, NOON, THREE, given, made, match, seats, ticket, who_waits

from contracts.region import (
    AcceptBots,
    BotsAccepted,
    BotStoodBy,
    FillPostponed,
    JoinQueue,
    MatchMade,
    NoteBack,
    PersonWentAway,
    Pool,
    StandBy,
    TicketWidened,
    WidenTicket,
)
from lobby.region.filling import FILL_MS
from lobby.region.joining import POOLS_MAX

FOUR = Pool(preset="draw", seats=4, target=100)


def widened(account: str, pool: Pool = THREE) -> TicketWidened:
    return TicketWidened(account=account, pool=pool)


# ---- another pool


def test_a_widened_ticket_waits_in_both_pools_with_the_age_that_it_has() -> None:
    waiting = given(ticket("ann"), ticket("bob", THREE), widened("ann"))
    assert seats(made(waiting.when(JoinQueue(pool=DUEL), by="cid")))[0] == ("ann", False)
    event = made(waiting.when(JoinQueue(pool=THREE), by="cid"))
    assert [account for account, _ in seats(event)] == ["ann", "bob", "cid"]
    assert event.pool == THREE


def test_a_seat_in_one_pool_uses_the_ticket_up_in_all() -> None:
    seated = given(ticket("ann"), widened("ann")).after(JoinQueue(pool=DUEL), by="bob")
    assert seated.state is not None
    assert not seated.state.queue.shelves
    assert not who_waits(seated.state, THREE)


def test_the_yes_may_be_the_match() -> None:
    waiting = given(ticket("bob", THREE), ticket("cid", THREE), ticket("ann"))
    result = waiting.when(WidenTicket(pool=THREE), by="ann", at=NOON + 7)
    assert result.decision.events[0] == widened("ann")
    assert made(result).pool == THREE
    assert made(result).waited_ms == 7


def test_two_who_meet_in_two_pools_play_what_the_older_wished_first() -> None:
    other = Pool(preset="block", seats=2, target=50)
    ann = (ticket("ann", other), widened("ann", DUEL), PersonWentAway(account="ann", at=NOON))
    waiting = given(*ann, ticket("bob", DUEL), widened("bob", other))
    assert made(waiting.when(NoteBack(), by="ann")).pool == other


def test_a_groups_yes_is_said_by_one() -> None:
    pair = JoinQueue(pool=THREE, group="friends1", group_size=2)
    waiting = given(ticket("cid", FOUR), ticket("dan", FOUR)).after(pair, by="ann").after(pair, by="bob")
    assert len(made(waiting.when(WidenTicket(pool=FOUR), by="ann")).seats) == 4


def test_the_same_yes_again_changes_nothing() -> None:
    given(ticket("ann"), widened("ann")).when(WidenTicket(pool=THREE), by="ann").nothing()
    given(ticket("ann")).when(WidenTicket(pool=DUEL), by="ann").nothing()


def test_who_has_no_ticket_cannot_widen_it() -> None:
    given().when(WidenTicket(pool=THREE), by="ann").refused("not-queued")
    given(match("ann", "bob")).when(WidenTicket(pool=THREE), by="ann").refused("not-queued")
    given(BotStoodBy(account="h1")).when(WidenTicket(pool=THREE), by="h1").refused("not-queued")


def test_a_pool_that_nobody_can_queue_for_is_no_offer() -> None:
    given(ticket("ann")).when(WidenTicket(pool=Pool(preset="draw", seats=2, target=7)), by="ann").refused("bad-pool")


def test_a_ticket_waits_in_so_many_pools() -> None:
    others = [Pool(preset=preset, seats=seats, target=50) for preset in ("draw", "block") for seats in (2, 3, 4)]
    others += [Pool(preset="draw", seats=3, target=target) for target in (100, 150)]
    waiting = given(ticket("ann"), *(widened("ann", pool) for pool in others[: POOLS_MAX - 1]))
    waiting.when(WidenTicket(pool=others[POOLS_MAX - 1]), by="ann").refused("too-many-pools")


def test_a_group_does_not_widen_to_a_table_that_it_does_not_fit() -> None:
    pair = JoinQueue(pool=FOUR, group="friends1", group_size=3)
    given().after(pair, by="ann").when(WidenTicket(pool=DUEL), by="ann").refused("group-too-large")


# ---- house bots


def accepted(account: str, at: int = NOON) -> BotsAccepted:
    return BotsAccepted(account=account, strength="normal", due_at=at)


def test_bots_sit_down_at_once_where_enough_stand_by() -> None:
    ready = given(BotStoodBy(account="h1"), BotStoodBy(account="h2"), ticket("ann", THREE))
    result = ready.when(AcceptBots(strength="expert"), by="ann", at=NOON + 20_000)
    assert result.decision.events[0] == BotsAccepted(account="ann", strength="expert", due_at=NOON + 20_000)
    assert seats(made(result)) == [("ann", False), ("h1", True), ("h2", True)]
    assert [seat.strength for seat in made(result).seats] == [None, "expert", "expert"]


def test_where_too_few_do_it_is_looked_at_again_and_the_next_bot_is_heard_at_once() -> None:
    waiting = given(ticket("ann"))
    again = FillPostponed(pool=DUEL, due_at=NOON + FILL_MS)
    waiting.when(AcceptBots(), by="ann", at=NOON).then(accepted("ann"), again)
    late = given(ticket("ann"), accepted("ann"), again)
    assert seats(made(late.when(StandBy(), by="h1", at=NOON + 1))) == [("ann", False), ("h1", True)]
    late.when(AcceptBots(), by="ann", at=NOON + 1).nothing()


def test_who_has_waited_longer_for_bots_gets_them_first() -> None:
    waiting = given(
        ticket("ann", THREE, "fill"), ticket("bob", THREE), *(BotStoodBy(account=f"h{n}") for n in (1, 2, 3))
    )
    event = made(waiting.when(AcceptBots(), by="bob", at=NOON + 1))
    assert [account for account, _ in seats(event)] == ["ann", "bob", "h1"]


def test_a_groups_yes_to_bots_is_said_by_one_and_they_sit_down_once_it_is_whole() -> None:
    pair = JoinQueue(pool=FOUR, group="friends1", group_size=2)
    half = given(BotStoodBy(account="h1"), BotStoodBy(account="h2")).after(pair, by="ann", at=NOON)
    half.when(AcceptBots(), by="ann", at=NOON + 1).then(accepted("ann", NOON + 1))
    whole = half.after(AcceptBots(), by="ann", at=NOON + 1).after(pair, by="bob", at=NOON + 2)
    event = made(whole.when_due())
    assert [account for account, _ in seats(event)] == ["ann", "bob", "h1", "h2"]


def test_bots_sit_down_in_the_first_pool_that_may_have_some() -> None:
    rated = DUEL.model_copy(update={"rated": True})
    waiting = given(ticket("ann", rated), widened("ann"), *(BotStoodBy(account=f"h{n}") for n in (1, 2)))
    assert made(waiting.when(AcceptBots(), by="ann")).pool == THREE


@pytest.mark.parametrize("account", ["zoe", "bob"])
def test_who_waits_for_nobody_gets_no_bots(account: str) -> None:
    given(match("bob", "cid")).when(AcceptBots(), by=account).refused("not-queued")


def test_several_tables_are_filled_where_older_ones_wait_before() -> None:
    bots = [BotStoodBy(account=f"h{n}") for n in (1, 2)]
    trio = [JoinQueue(pool=FOUR, group=f"friends{n}", group_size=3, bots="fill") for n in (1, 2)]
    waiting = given(*bots)
    for number, command in enumerate(trio):
        for account in "abc":
            waiting = waiting.after(command, by=f"{account}{number}", at=NOON)
    result = waiting.when(AcceptBots(), by="a1", at=NOON + 1)
    assert len([event for event in result.decision.events if isinstance(event, MatchMade)]) == 2
