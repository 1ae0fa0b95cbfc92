import pytest
from tests.lobby.lobbies import EVERY_PRESET

from contracts.lifecycle import Source, TableWasExpired, TableWasFinished, TableWasNotOpened, TableWasOpened
from contracts.message import Message
from contracts.region import BotsLent, LendBots, MatchMade, Pool, ReleaseTable
from contracts.room import (
    BotsMissing,
    BotsWanted,
    BringBots,
    MatchStarted,
    PauseEnded,
    RoomReleased,
    RoomTableEnded,
)
from contracts.table import EndTablePause, OpenTable, Reservation
from domino_rules.public_play import public_ruleset
from lobby.policies import (
    on_bots_lent,
    on_bots_missing,
    on_bots_wanted,
    on_lifecycle,
    on_match_made,
    on_match_started,
    on_pause_ended,
    on_room_released,
)
from lobby.region import pools

SEATS = (Reservation(account="ann"), Reservation(account="h1", bot=True))
SOURCE = Source(partition=3, offset=17)


def test_a_match_opens_a_table_with_the_pools_rules() -> None:
    event = MatchMade(table_id="t1", pool=Pool(preset="block", seats=2, target=150), seats=SEATS)
    ruleset = {"preset": "block", "seats": 2, "target": 150}
    assert on_match_made(event, "eu") == OpenTable(ruleset=ruleset, seats=SEATS, region="eu")


@pytest.mark.parametrize("pool", EVERY_PRESET, ids=pools.name)
def test_a_matchs_options_are_a_ruleset_of_public_play(pool: Pool) -> None:
    command = on_match_made(MatchMade(table_id="t1", pool=pool, seats=SEATS), "eu")
    ruleset = public_ruleset(command.ruleset)
    assert (ruleset.preset, ruleset.seats, ruleset.target) == (pool.preset, pool.seats, pool.target)
    assert (ruleset.pairs, ruleset.spinner) == (pool.pairs, pool.spinner)
    assert ruleset.drawing == (pool.drawing or pool.preset in ("draw", "duel-draw", "all-fives"))


def test_a_finished_or_expired_table_frees_its_people() -> None:
    finished = TableWasFinished(
        table_id="t1", source=SOURCE, at=1, region="eu", seats=SEATS, reason="target", winners=("ann",), scores=(50, 3)
    )
    expired = TableWasExpired(table_id="t2", source=SOURCE, at=1, region="eu", seats=SEATS)
    assert on_lifecycle(finished) == ReleaseTable(table_id="t1")
    assert on_lifecycle(expired) == ReleaseTable(table_id="t2")


@pytest.mark.parametrize(("region", "command"), [("eu", ReleaseTable), ("room-abc234", RoomTableEnded)])
def test_a_table_that_was_never_opened_frees_its_people_and_says_why(region: str, command: type[Message]) -> None:
    never = TableWasNotOpened(table_id="t1", source=SOURCE, at=1, region=region, reason="stale-id")
    assert on_lifecycle(never) == command.model_validate({"table_id": "t1", "not_opened": "stale-id"})


def test_an_opened_table_asks_nothing_of_the_lobby() -> None:
    opened = TableWasOpened(table_id="t1", source=SOURCE, at=1, region="eu", ruleset={"preset": "draw"}, seats=SEATS)
    assert on_lifecycle(opened) is None


# ---- private rooms


def test_the_bots_that_a_room_wants_are_asked_of_its_region_and_brought_to_it() -> None:
    wanted = BotsWanted(table_id="t1", region="eu", strengths=("expert", "normal"), due_at=9)
    lend = on_bots_wanted(wanted, "room-abc234")
    assert lend == LendBots(room="room-abc234", table_id="t1", strengths=("expert", "normal"))
    bots = (Reservation(account="h1", bot=True, strength="expert"), Reservation(account="h2", bot=True))
    assert on_bots_lent(BotsLent(room=lend.room, table_id="t1", bots=bots)) == BringBots(table_id="t1", bots=bots)


def test_bots_go_back_when_a_rooms_table_is_over_or_never_opens() -> None:
    assert on_room_released(RoomReleased(table_id="t1", region="eu")) == ReleaseTable(table_id="t1")
    never = RoomReleased(table_id="t1", region="eu", not_opened="stale-id")
    assert on_room_released(never) == ReleaseTable(table_id="t1", not_opened="stale-id")
    missing = ReleaseTable(table_id="t1", not_opened="bots-missing")
    assert on_bots_missing(BotsMissing(table_id="t1", region="eu")) == missing


def test_a_match_of_a_room_opens_its_table_with_every_option_and_the_rooms_host() -> None:
    ruleset = {"preset": "party", "seats": 2, "target": 60}
    command = on_match_started(MatchStarted(table_id="t1", ruleset=ruleset, seats=SEATS), "room-abc234")
    assert command == OpenTable(ruleset=ruleset, seats=SEATS, region="room-abc234", hosted=True)


def test_the_hosts_end_of_a_pause_is_the_tables() -> None:
    assert on_pause_ended(PauseEnded(table_id="t1", round=3)) == EndTablePause(round=3)


def test_the_end_of_a_rooms_table_is_told_to_the_room() -> None:
    expired = TableWasExpired(table_id="t2", source=SOURCE, at=1, region="room-abc234", seats=SEATS)
    assert on_lifecycle(expired) == RoomTableEnded(table_id="t2")
