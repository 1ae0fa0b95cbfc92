"""What the lobby's decider does when a private room asks for house bots."""

from tests.lobby.lobbies import DUEL, NOON, given, made, seats, ticket

from contracts.region import BotsLent, BotStoodBy, JoinQueue, LendBots, ReleaseTable, StandBy, TableReleased
from contracts.table import Reservation, Strength

STOOD = [BotStoodBy(account=f"h{number}") for number in (1, 2, 3)]


def lend(*strengths: Strength, table: str = "t1") -> LendBots:
    return LendBots(room="room-abc234", table_id=table, strengths=strengths)


def lent(*bots: tuple[str, Strength], table: str = "t1") -> BotsLent:
    seats = tuple(Reservation(account=account, bot=True, strength=strength) for account, strength in bots)
    return BotsLent(room="room-abc234", table_id=table, bots=seats)


def test_the_bots_that_stood_by_longest_are_lent_in_the_order_of_what_was_wished() -> None:
    here = given(*STOOD)
    here.when(lend("expert", "beginner"), by="lobby", at=NOON).then(lent(("h1", "expert"), ("h2", "beginner")))


def test_a_lent_bot_stands_by_no_more_and_has_a_seat_until_its_table_is_released() -> None:
    here = given(*STOOD).after(lend("normal", "normal"), by="lobby", at=NOON)
    assert here.state is not None
    assert dict(here.state.seated) == {"h1": "t1", "h2": "t1"}
    assert here.state.standing_by.first(3) == ("h3",)
    here.when(StandBy(), by="h1", at=NOON).refused("already-seated")
    here.when(ReleaseTable(table_id="t1"), by="lobby", at=NOON).then(TableReleased(table_id="t1"))
    here.after(ReleaseTable(table_id="t1"), by="lobby").when(StandBy(), by="h1").then(BotStoodBy(account="h1"))


def test_too_few_bots_and_none_is_lent() -> None:
    here = given(*STOOD)
    here.when(lend("normal", "normal", "normal", "normal"), by="lobby", at=NOON).then(lent())
    here.after(lend("normal", "normal", "normal", "normal"), by="lobby", at=NOON)
    assert here.state is not None
    assert len(here.state.standing_by) == 3
    assert not here.state.seated


def test_a_region_without_anybody_lends_none() -> None:
    given().when(lend("normal"), by="lobby", at=NOON).then(lent())


def test_for_one_table_a_region_answers_once() -> None:
    given(*STOOD).after(lend("normal"), by="lobby").when(lend("expert"), by="lobby").nothing()
    none = given().after(lend("normal"), by="lobby").after(StandBy(), by="h1")
    none.when(lend("normal"), by="lobby").nothing()
    none.when(ReleaseTable(table_id="t1"), by="lobby").then(TableReleased(table_id="t1"))


def test_lent_bots_are_not_there_for_the_queue() -> None:
    here = given(*STOOD[:1], ticket("ann", DUEL, "fill")).after(lend("normal"), by="lobby", at=NOON)
    [postponed] = here.when_due().decision.events
    assert postponed.type == "fill-postponed"
    released = here.after(ReleaseTable(table_id="t1"), by="lobby", at=NOON + 1).after(StandBy(), by="h1", at=NOON + 2)
    assert seats(made(released.when_due())) == [("ann", False), ("h1", True)]


def test_nobody_but_the_lobby_lends_bots() -> None:
    given(*STOOD).when(lend("normal"), by="ann").refused("not-allowed")


def test_a_lent_bot_may_not_queue() -> None:
    given(*STOOD).after(lend("normal"), by="lobby").when(JoinQueue(pool=DUEL), by="h1").refused("already-seated")
