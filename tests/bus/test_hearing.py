"""An owner tells a jump of the log's clock from everything else that makes a record look new or old."""

from tests.memory_log import NOON, HandClock

from bus.clock import WINDOW_SECONDS
from bus.header import Claim, Jump
from bus.hearing import LATE_SECONDS, SILENT_SECONDS_MAX, TELLS_OF_SILENCES, Hearing
from bus.outages import JUMP_MS, Outage
from bus.records import Record


class Bench:
    """An owner whose clock runs even with the broker's until somebody makes it jump."""

    def __init__(self, *, claimed: bool = True) -> None:
        self.clock = HandClock()
        self.hearing = Hearing(self.clock)
        self.read()
        if claimed:
            self.claim()

    def claim(self) -> None:
        """And its first heartbeat is read back."""
        self.hearing.claimed(0)
        self.hearing.heard(self.hearing.tell())

    def read(self, late: int = 0) -> None:
        """A record that was appended `late` ms ago."""
        at = self.clock.now - late
        self.hearing.read(Record("tally.commands", 0, 0, at, b"a", b"", (), passed=self.clock.passed))

    def told(self) -> tuple[int, int] | None:
        jump = self.hearing.tell()
        return None if jump is None else (jump.begin - NOON, jump.end - NOON)


def test_a_clock_that_goes_half_a_second_ahead_has_not_jumped() -> None:
    bench = Bench()
    bench.clock.jump(JUMP_MS - 1)
    bench.read()
    assert not bench.hearing.waits
    assert bench.told() is None


def test_a_jump_is_told_once_and_nothing_is_decided_before_the_log_has_shown_it() -> None:
    bench = Bench()
    bench.clock.now += 1000
    bench.clock.jump(2000)
    bench.read()
    assert bench.hearing.waits
    assert bench.told() == (1000, 3000)
    assert bench.told() is None
    bench.hearing.heard()
    assert bench.hearing.waits, "this heartbeat was sent before"
    bench.hearing.heard(Jump(NOON + 1000, NOON + 3000))
    assert not bench.hearing.waits


def test_of_two_jumps_one_after_the_other_is_told() -> None:
    bench = Bench()
    for _ in range(2):
        bench.clock.jump(2000)
        bench.read()
    for number in range(2):
        assert bench.hearing.waits
        assert bench.told() == (2000 * number, 2000 * (number + 1))
        bench.hearing.heard(Jump(0, 2000))
    assert not bench.hearing.waits


def test_a_jump_that_somebody_else_tells_in_the_owners_name_is_none_of_its_own() -> None:
    bench = Bench()
    bench.hearing.heard(Jump(0, 2000))
    bench.clock.jump(2000)
    bench.read()
    bench.hearing.heard(Jump(0, 2000))
    assert bench.hearing.waits
    assert bench.told() == (0, 2000)


def test_records_that_come_late_and_then_at_once_are_no_jump() -> None:
    bench = Bench()
    for late in (0, 2500, 2400, 900, 0):
        bench.clock.now += 500
        bench.read(late)
    assert bench.told() is None


def test_hours_that_a_test_lets_pass_are_no_jump() -> None:
    bench = Bench()
    bench.clock.passed = 3_600_000
    bench.read()
    assert bench.told() is None


def test_a_clock_that_was_set_back_jumps_when_it_is_set_right_again_much_later() -> None:
    bench = Bench()
    bench.clock.jump(-2000)
    bench.read()
    assert bench.told() is None
    for _ in range(2 * int(WINDOW_SECONDS) + 2):
        bench.clock.now += 1000
        bench.read()
    bench.clock.jump(2000)
    bench.read()
    assert bench.told() is not None


def test_a_clock_that_was_set_back_is_soon_what_commands_are_decided_by() -> None:
    bench = Bench()
    bench.clock.jump(-3_600_000)
    for _ in range(2 * int(WINDOW_SECONDS) + 2):
        bench.clock.now += 1000
        bench.read()
    assert bench.hearing.now(bench.clock.now) == bench.clock.now


def test_a_command_that_has_waited_is_decided_later_than_it_was_asked() -> None:
    bench = Bench()
    bench.clock.now += 5000
    bench.clock.passed = 60_000
    bench.read(late=5000)
    assert bench.hearing.now(NOON + 60_000) == NOON + 65_000
    assert bench.hearing.now(NOON + 70_000) == NOON + 70_000, "never before it was asked"


def test_a_record_that_waited_says_nothing_of_what_a_test_has_let_pass_since() -> None:
    bench = Bench()
    bench.clock.passed = 60_000
    bench.read()
    bench.clock.passed = 0
    bench.read(late=1)
    assert bench.hearing.now(NOON) == NOON + 60_000


def test_what_is_read_of_the_past_before_the_claim_is_no_jump() -> None:
    bench = Bench(claimed=False)
    for late in (90_000, 5000, 0):
        bench.clock.now += 61_000
        bench.read(late)
    bench.claim()
    bench.read()
    assert bench.told() is None


def test_who_has_dropped_the_partition_has_nothing_to_tell() -> None:
    bench = Bench()
    bench.clock.jump(2000)
    bench.read()
    assert bench.told() is not None
    bench.hearing.dropped()
    bench.claim()
    assert not bench.hearing.waits
    assert bench.told() is None


def test_a_log_that_shows_nothing_is_waited_for() -> None:
    bench = Bench()
    bench.clock.now += int(SILENT_SECONDS_MAX * 1000) + 1
    assert bench.hearing.waits
    bench.hearing.heard()
    assert bench.hearing.waits, "somebody else has sent this one"
    bench.hearing.tell()
    bench.hearing.heard()
    assert not bench.hearing.waits


def test_an_owner_waits_for_its_first_heartbeat() -> None:
    bench = Bench(claimed=False)
    bench.hearing.claimed(0)
    assert bench.hearing.waits
    first = bench.hearing.tell()
    assert first == TELLS_OF_SILENCES
    bench.hearing.heard(first)
    assert not bench.hearing.waits


def test_a_silence_in_the_owners_own_log_is_told_once_before_anything_is_decided() -> None:
    bench = Bench()
    silence = Outage(NOON, NOON + 4000)
    for _ in range(2):
        bench.hearing.silent((silence,))
    assert bench.hearing.waits
    told = bench.hearing.tell()
    assert told == Jump(*silence)
    bench.hearing.heard(told)
    assert not bench.hearing.waits


def test_a_heartbeat_that_is_read_long_after_it_was_sent_says_nothing_of_now() -> None:
    bench = Bench()
    bench.hearing.tell()
    bench.clock.now += int(SILENT_SECONDS_MAX * 1000) + 1
    bench.hearing.heard()
    assert bench.hearing.waits


def test_a_claim_from_before_the_owners_own_may_land_behind_it_but_not_long_after() -> None:
    bench = Bench(claimed=False)
    bench.hearing.claimed(7)
    before, after = Claim(b"r" * 16, 7), Claim(b"r" * 16, 8)
    assert bench.hearing.may_be_late(before)
    assert not bench.hearing.may_be_late(after)
    bench.clock.now += int(LATE_SECONDS * 1000)
    assert not bench.hearing.may_be_late(before)
