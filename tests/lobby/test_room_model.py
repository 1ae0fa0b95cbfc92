"""What holds in every private room, whatever people, house bots and timers do; `World` asserts it at every step."""

from hypothesis import given, settings
from tests.lobby.room_world import SEEDS, whole_life

from contracts.room import RoomTableEnded
from lobby.room.decide import CODE_KEPT_MS, EXPIRY_MS
from lobby.room.hosting import AWAY_MS
from lobby.room.matches import BOTS_MS


@settings(max_examples=150, deadline=None)
@given(SEEDS)
def test_every_bot_that_was_lent_goes_back(seed: int) -> None:
    world = whole_life(seed)
    for table in list(world.tables):
        world.send("lobby", RoomTableEnded(table_id=table.table_id))
    world.wait(BOTS_MS + 1)
    assert world.lent == set()


@settings(max_examples=150, deadline=None)
@given(SEEDS)
def test_after_a_minute_the_host_is_somebody_who_is_here(seed: int) -> None:
    world = whole_life(seed)
    world.wait(AWAY_MS + 1)
    if world.room is not None:
        host = world.room.person(world.room.host)
        assert host is not None
        assert host.away_at is None or all(person.away_at is not None for person in world.room.people)


@settings(max_examples=50, deadline=None)
@given(SEEDS)
def test_every_room_ends_and_its_code_is_free_again(seed: int) -> None:
    world = whole_life(seed)
    world.wait(EXPIRY_MS + 1)
    world.wait(CODE_KEPT_MS + 1)
    assert world.state is None
