"""People without a connection are passed over, keep their place, and lose it after ten minutes."""

from tests.given import Given
from tests.lobby.lobbies import DUEL, NOON, THREE, decider, given, made, match, seats, ticket

from bus.decider import Deadline
from contracts.region import (
    BotStoodBy,
    FillPostponed,
    JoinQueue,
    NoteAway,
    NoteBack,
    PersonCameBack,
    PersonWentAway,
    TicketWithdrawn,
    WidenTicket,
)
from lobby.region.dues import LAPSE_MS, LAPSES_MAX


def gone(account: str, at: int = NOON) -> PersonWentAway:
    return PersonWentAway(account=account, at=at)


def back(account: str) -> PersonCameBack:
    return PersonCameBack(account=account)


def test_who_is_away_is_passed_over_without_cost_to_the_others() -> None:
    away = given(ticket("ann"), gone("ann"))
    away.when(JoinQueue(pool=DUEL), by="bob", at=NOON).then(ticket("bob"))
    waiting = away.after(JoinQueue(pool=DUEL), by="bob", at=NOON)
    assert seats(made(waiting.when(JoinQueue(pool=DUEL), by="cid"))) == [("bob", False), ("cid", False)]


def test_who_comes_back_has_the_place_of_before() -> None:
    waiting = given(ticket("ann", THREE), ticket("bob", THREE), gone("ann"), ticket("cid", THREE))
    result = waiting.when(NoteBack(), by="ann")
    assert result.decision.events[0] == back("ann")
    assert seats(made(result)) == [("ann", False), ("bob", False), ("cid", False)]


def test_a_group_is_passed_over_while_one_of_it_is_away() -> None:
    pair = JoinQueue(pool=THREE, group="friends1", group_size=2)
    waiting = given().after(pair, by="ann").after(pair, by="bob").after(NoteAway(), by="bob")
    alone = waiting.after(JoinQueue(pool=THREE), by="cid")
    assert {account for account, _ in seats(made(alone.when(NoteBack(), by="bob")))} == {"ann", "bob", "cid"}


def test_going_and_coming_back_are_noted_once_and_only_of_those_who_wait() -> None:
    waiting = given(ticket("ann"))
    waiting.when(NoteAway(), by="ann", at=NOON).then(gone("ann"))
    given(ticket("ann"), gone("ann")).when(NoteAway(), by="ann", at=NOON + 5).nothing()
    waiting.when(NoteBack(), by="ann").nothing()
    given(match("ann", "bob")).when(NoteAway(), by="ann").nothing()
    given().when(NoteAway(), by="ann").nothing()


def test_whoever_is_away_for_ten_minutes_loses_the_ticket() -> None:
    away = given(ticket("ann"), ticket("bob", THREE), gone("bob", NOON + 5))
    assert away.state is not None
    due_at = NOON + 5 + LAPSE_MS
    assert decider.deadline(away.state) == Deadline("lapse", "lapse-ticket-0", NOON + 5, due_at)
    away.when_due().then(TicketWithdrawn(account="bob"))


def test_a_group_without_one_who_was_away_for_too_long_waits_for_another() -> None:
    pair = JoinQueue(pool=DUEL, group="friends1", group_size=2)
    waiting = given(ticket("zoe", THREE), gone("zoe")).after(pair, by="ann", at=NOON + 1)
    left = waiting.after(NoteAway(), by="ann", at=NOON + 2)
    assert left.state is not None
    lapsed = given()
    lapsed.state = left.when(pair, by="bob", at=NOON + 3 + LAPSE_MS).decision.state
    assert lapsed.state is not None
    assert set(lapsed.state.queue.unit_numbers) == {"bob"}, "who came when the place was free waits in the group"
    assert len(made(lapsed.when(pair, by="ann")).seats) == 2


def test_coming_back_and_going_again_is_another_absence() -> None:
    again = given(ticket("ann"), gone("ann"), back("ann"), gone("ann", NOON + 9))
    assert again.state is not None
    assert decider.deadline(again.state) == Deadline("lapse", "lapse-ticket-1", NOON + 9, NOON + 9 + LAPSE_MS)


def test_of_many_who_go_at_once_so_many_lose_the_ticket_at_a_time() -> None:
    """An outcome is one record; the rest follows at the next timeout, which is due at once."""
    people = [f"p{number}" for number in range(5 * LAPSES_MAX)]
    everybody = given()
    for number, account in enumerate(people):
        everybody = everybody.after(JoinQueue(pool=DUEL), by=account).after(NoteAway(), by=account, at=number)
    first = everybody.when_due(late_ms=10 * LAPSES_MAX).decision
    assert len(first.events) == 3 * LAPSES_MAX
    rest = Given(decider, "eu", [])
    rest.state = first.state
    assert len(rest.when_due(late_ms=10 * LAPSES_MAX).decision.events) == 2 * LAPSES_MAX


# ---- house bots


def test_a_bot_that_is_away_sits_down_nowhere_and_is_first_when_it_is_back() -> None:
    bots = given(BotStoodBy(account="h1"), BotStoodBy(account="h2"), gone("h1"), ticket("ann", bots="fill"))
    assert seats(made(bots.when_due())) == [("ann", False), ("h2", True)]
    here = bots.after(NoteBack(), by="h1")
    assert seats(made(here.when_due())) == [("ann", False), ("h1", True)]


def test_a_bot_that_comes_back_is_what_somebody_has_waited_for() -> None:
    waiting = given(
        BotStoodBy(account="h1"),
        gone("h1"),
        ticket("ann", bots="fill"),
        FillPostponed(pool=DUEL, due_at=NOON + 9_000),
    )
    assert seats(made(waiting.when(NoteBack(), by="h1", at=NOON + 4_000))) == [("ann", False), ("h1", True)]


def test_a_bot_that_is_away_for_ten_minutes_stands_by_no_more() -> None:
    given(BotStoodBy(account="h1"), gone("h1")).when_due().then(TicketWithdrawn(account="h1"))


def test_who_is_away_asks_for_no_bots_until_back() -> None:
    away = given(BotStoodBy(account="h1"), ticket("ann", bots="fill"), gone("ann"))
    assert away.state is not None
    deadline = decider.deadline(away.state)
    assert deadline is not None
    assert deadline.kind == "lapse"
    here = away.after(NoteBack(), by="ann", at=NOON + 60_000)
    assert seats(made(here.when_due())) == [("ann", False), ("h1", True)]


def test_house_bots_looked_for_in_vain_are_not_due_again_under_the_same_name_for_who_comes_back() -> None:
    waiting = given(ticket("ann", DUEL, "fill"), FillPostponed(pool=DUEL, due_at=NOON + 9_000))
    returned = waiting.after(NoteAway(), by="ann").after(NoteBack(), by="ann")
    assert waiting.state is not None
    assert returned.state is not None
    assert decider.deadline(returned.state) == decider.deadline(waiting.state)


def test_nor_are_they_for_who_waits_in_another_pool_too() -> None:
    waiting = given(ticket("ann", DUEL, "fill"), FillPostponed(pool=DUEL, due_at=NOON + 9_000))
    widened = waiting.after(WidenTicket(pool=THREE), by="ann")
    assert waiting.state is not None
    assert widened.state is not None
    assert decider.deadline(widened.state) == decider.deadline(waiting.state)
