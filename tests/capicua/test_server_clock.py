import pytest
from hypothesis import given
from hypothesis import strategies as st

from capicua.server_clock import SAMPLES_KEPT, SLACK_MS, ServerClock


class World:
    """A client's clocks and its server's: `clock` sees them as the client does."""

    def __init__(self, wall: int = 1_000_000, server: int = 6_000_000) -> None:
        self.local = 0
        self.wall = wall
        self.server = server
        self.clock = ServerClock(lambda: self.local, lambda: self.wall)

    def pass_ms(self, ms: int) -> None:
        self.local, self.wall, self.server = self.local + ms, self.wall + ms, self.server + ms

    def ping(self, there: int, back: int) -> None:
        sent = self.clock.sent()
        self.pass_ms(there)
        answer = self.server
        self.pass_ms(back)
        self.clock.answered(sent, answer)

    @property
    def wrong_by(self) -> int:
        return self.clock.now_ms() - self.server


def test_the_quickest_ping_says_what_the_servers_time_is() -> None:
    world = World()
    assert world.clock.now_ms() == 1_000_000
    world.ping(390, 10)
    assert world.wrong_by == 190
    world.ping(5, 5)
    world.ping(200, 0)
    assert (world.clock.round_trip_ms, world.wrong_by) == (10, 0)


@pytest.mark.parametrize("step", [3_600_000, -3_600_000])
def test_a_machines_clock_that_is_set_changes_nothing(step: int) -> None:
    world = World()
    world.ping(5, 5)
    world.wall += step
    world.pass_ms(20)
    assert world.wrong_by == 0


def test_what_a_machine_slept_through_is_made_good_by_the_next_ping_however_slow() -> None:
    world = World()
    world.ping(5, 5)
    world.server += 60_000
    assert world.wrong_by == -60_000
    world.ping(100, 100)
    assert (world.clock.round_trip_ms, world.wrong_by) == (200, 0)


def test_another_server_that_is_behind_is_followed_at_once() -> None:
    world = World()
    world.ping(5, 5)
    world.server -= 300
    world.ping(10, 10)
    assert world.wrong_by == 0


def test_clocks_that_are_a_little_apart_contradict_nothing() -> None:
    world = World()
    world.ping(0, 0)
    world.server += SLACK_MS
    world.ping(5, 0)
    assert (world.clock.round_trip_ms, world.wrong_by) == (0, -SLACK_MS)


def test_old_pings_are_forgotten_so_that_a_clock_that_runs_unevenly_is_followed() -> None:
    world = World()
    world.ping(0, 0)
    for _ in range(SAMPLES_KEPT):
        world.server += 1
        world.ping(1, 1)
    assert world.wrong_by == 0


def test_before_the_first_answer_the_newest_time_that_was_heard_counts() -> None:
    world = World()
    world.clock.heard(world.server - 80)
    assert world.wrong_by == -80
    world.clock.heard(world.server - 30)
    world.clock.heard(world.server - 500)  # it was long on its way
    assert (world.wrong_by, world.clock.round_trip_ms) == (-30, None)
    world.ping(20, 0)
    assert world.wrong_by == 10


def test_what_is_heard_sets_a_clock_right_that_fell_behind_and_no_other() -> None:
    world = World()
    world.ping(5, 5)
    world.clock.heard(world.server - 2_000)
    assert world.wrong_by == 0
    world.server += 60_000
    world.clock.heard(world.server - 40)
    assert world.wrong_by == -40
    world.ping(3, 3)
    assert world.wrong_by == 0


@given(
    st.integers(-(10**9), 10**9),
    st.lists(st.tuples(st.integers(0, 400), st.integers(0, 400), st.integers(0, 9_000)), min_size=1),
)
def test_it_is_never_wrong_by_more_than_half_of_its_quickest_ping(
    ahead: int, pings: list[tuple[int, int, int]]
) -> None:
    world = World(server=10**12 + ahead)
    for there, back, wait in pings:
        world.ping(there, back)
        world.pass_ms(wait)
        assert abs(world.wrong_by) <= (world.clock.round_trip_ms or 0) / 2 + 1
    assert (world.clock.round_trip_ms or 0) == min(there + back for there, back, _ in pings[-SAMPLES_KEPT:])


@given(st.integers(SLACK_MS + 1, 10**7), st.integers(0, 400), st.integers(0, 400), st.booleans())
def test_one_ping_makes_every_jump_good_that_pings_can_show(jump: int, there: int, back: int, ahead: bool) -> None:
    world = World(server=10**12)
    world.ping(there, back)
    world.server += jump if ahead else -jump
    world.ping(there, back)
    assert abs(world.wrong_by) <= there + back + SLACK_MS
