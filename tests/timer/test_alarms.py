import pytest

from bus.decider import Deadline
from bus.outages import Outage, Outages
from bus.records import TopicPartition
from timer.alarms import STEPS_MAX, Alarms
from timer.calendar import LOOK_SLICE, STALE_MIN

NOON = 1_700_000_000_000
DECADES = 40 * 365 * 24 * 3_600_000
FIRST, SECOND = TopicPartition("table.events", 0), TopicPartition("lobby.events", 0)


def turn(number: int, due_at: int) -> Deadline:
    return Deadline("turn", f"turn-{number}", due_at - 20, due_at)


def ready(*sources: TopicPartition) -> Alarms:
    alarms = Alarms()
    for source in sources or (FIRST,):
        alarms.gain(source)
        alarms.ready(source)
    return alarms


def next_due(alarms: Alarms, now: int = 0) -> int | None:
    """When the next alarm rings, once what is near has been looked at."""
    assert alarms.take_due(now, 0) == []
    return alarms.next_look


def due(alarms: Alarms, now: int) -> list[tuple[str, str, int]]:
    return [(alarm.aggregate, alarm.deadline.ref, alarm.attempt) for alarm in alarms.take_due(now, 100)]


def test_an_alarm_is_due_after_its_deadline_and_not_at_it() -> None:
    alarms = ready()
    alarms.set(FIRST, "t1", turn(1, 100))
    assert next_due(alarms) == 100
    assert due(alarms, 100) == []
    assert due(alarms, 101) == [("t1", "turn-1", 1)]


def test_the_newest_deadline_wins() -> None:
    alarms = ready()
    alarms.set(FIRST, "t1", turn(1, 100))
    alarms.set(FIRST, "t1", turn(2, 300))
    assert next_due(alarms) == 300
    assert due(alarms, 200) == []
    assert due(alarms, 301) == [("t1", "turn-2", 1)]


def test_no_deadline_disarms() -> None:
    alarms = ready()
    alarms.set(FIRST, "t1", turn(1, 100))
    alarms.set(FIRST, "t1", None)
    assert alarms.next_look is None
    assert due(alarms, 1000) == []
    assert len(alarms) == 0


def test_alarms_of_all_partitions_ring_in_order_of_time() -> None:
    alarms = ready(FIRST, SECOND)
    alarms.set(FIRST, "t1", turn(1, 300))
    alarms.set(SECOND, "eu", turn(2, 100))
    alarms.set(FIRST, "t2", turn(3, 200))
    assert [aggregate for aggregate, _, _ in due(alarms, 1000)] == ["eu", "t2", "t1"]


def test_no_more_are_taken_than_asked_for() -> None:
    alarms = ready()
    for number in range(5):
        alarms.set(FIRST, f"t{number}", turn(1, 100 + number))
    assert [alarm.aggregate for alarm in alarms.take_due(1000, 2)] == ["t0", "t1"]
    assert next_due(alarms) == 102


def test_nothing_rings_while_a_partition_is_still_read_from_its_start() -> None:
    alarms = Alarms()
    alarms.gain(FIRST)
    alarms.set(FIRST, "t1", turn(1, 100))
    alarms.set(FIRST, "t2", turn(1, 200))
    assert due(alarms, 1000) == []
    alarms.set(FIRST, "t1", None)
    alarms.ready(FIRST)
    assert due(alarms, 1000) == [("t2", "turn-1", 1)]


def test_a_lost_partition_rings_no_more_and_is_folded_anew_when_it_comes_back() -> None:
    alarms = ready()
    alarms.set(FIRST, "t1", turn(1, 100))
    alarms.lose(FIRST)
    assert due(alarms, 1000) == []
    alarms.gain(FIRST)
    assert alarms.next_look is None
    alarms.set(FIRST, "t1", turn(1, 100))
    alarms.ready(FIRST)
    assert due(alarms, 1000) == [("t1", "turn-1", 1)]


def test_an_outcome_that_repeats_the_deadline_of_a_sent_timeout_does_not_send_it_again() -> None:
    alarms = ready()
    alarms.set(FIRST, "t1", turn(1, 100))
    [sent] = alarms.take_due(101, 1)
    alarms.set(FIRST, "t1", turn(1, 100))
    assert due(alarms, 1000) == []
    assert alarms.on_its_way(sent)


def test_a_sent_timeout_is_over_when_another_deadline_stands() -> None:
    alarms = ready()
    alarms.set(FIRST, "t1", turn(1, 100))
    [sent] = alarms.take_due(101, 1)
    alarms.set(FIRST, "t1", turn(2, 500))
    assert not alarms.on_its_way(sent)
    assert next_due(alarms) == 500


def test_too_early_comes_again_after_what_was_missing_under_a_new_id() -> None:
    alarms = ready()
    alarms.set(FIRST, "t1", turn(1, 1000))
    [sent] = alarms.take_due(1001, 1)
    assert sent.command_id == "timeout:t1:turn-1:1"
    alarms.too_early(sent, refused_at=800, now=1005)
    assert next_due(alarms) == 1005 + 1000 - 800
    [again] = alarms.take_due(1206, 1)
    assert again.command_id == "timeout:t1:turn-1:2"


def test_too_early_by_a_hair_waits_fifty_milliseconds() -> None:
    alarms = ready()
    alarms.set(FIRST, "t1", turn(1, 1000))
    [sent] = alarms.take_due(1001, 1)
    alarms.too_early(sent, refused_at=1000, now=1005)
    assert next_due(alarms) == 1055


def test_an_old_refusal_does_not_call_back_what_has_been_sent_since() -> None:
    alarms = ready()
    alarms.set(FIRST, "t1", turn(1, 1000))
    [first] = alarms.take_due(1001, 1)
    alarms.too_early(first, refused_at=990, now=1005)
    [second] = alarms.take_due(2000, 1)
    alarms.too_early(first, refused_at=990, now=2005)
    assert alarms.on_its_way(second)
    assert alarms.next_look is None


def test_replaced_alarms_do_not_pile_up() -> None:
    alarms = ready()
    for number in range(10 * STALE_MIN):
        alarms.set(FIRST, f"t{number % 10}", turn(number, 1_000_000 + number))
    assert len(alarms) == 10
    assert kept(alarms) <= STALE_MIN + 1
    assert len(due(alarms, 2_000_000)) == 10


def test_an_alarm_waits_while_the_owner_is_silent_and_for_what_the_outage_gave_back() -> None:
    alarms, outages = ready(), Outages(heard_at=90)
    alarms.set(FIRST, "t1", turn(1, 100), outages)
    assert due(alarms, 5000) == [], "nobody could decide it, and when it ends the deadline lies elsewhere"
    assert next_due(alarms, 5000) == 5500
    outages.hear(7090)
    outages.hear(10_000)
    assert outages.known == (Outage(90, 7090),)
    assert due(alarms, 12_100) == []
    assert due(alarms, 12_101) == [("t1", "turn-1", 1)]


def test_an_outage_that_began_after_the_deadline_fell_due_changes_nothing() -> None:
    alarms, outages = ready(), Outages(heard_at=100)
    alarms.set(FIRST, "t1", turn(1, 100), outages)
    assert due(alarms, 5000) == [("t1", "turn-1", 1)]


def test_a_timeout_that_an_outage_made_early_comes_when_it_is_really_due() -> None:
    alarms, outages = ready(), Outages(heard_at=90)
    alarms.set(FIRST, "t1", turn(1, 100), outages)
    (alarm,) = alarms.take_due(2000, 1)
    outages.hear(7090)
    alarms.too_early(alarm, refused_at=7090, now=7100)
    assert next_due(alarms, 9000) == 12_110, "how long nobody was there to refuse it does not count a second time"


def everything_due(alarms: Alarms, now: int) -> list[int]:
    """When what is due by `now` was due, in the order in which it rings."""
    taken: list[int] = []
    while (next_look := alarms.next_look) is not None and next_look < now:
        taken += [alarm.due_at for alarm in alarms.take_due(now, 10_000)]
    return taken


def kept(alarms: Alarms) -> int:
    """How many alarms the first partition's calendar holds in its heap."""
    shelf = alarms.shelf(FIRST)
    assert shelf is not None
    return shelf.open_size


@pytest.mark.parametrize("due_at", [-(1 << 63), -1, 0, NOON - DECADES, NOON])
def test_a_deadline_in_the_past_however_far_rings_at_once(due_at: int) -> None:
    alarms = ready()
    assert due(alarms, NOON) == []
    alarms.set(FIRST, "t1", Deadline("turn", "turn-1", NOON, due_at))
    assert due(alarms, NOON + 1) == [("t1", "turn-1", 1)]


@pytest.mark.parametrize("due_at", [NOON + DECADES, (1 << 63) - 1])
def test_a_deadline_decades_ahead_waits_and_costs_no_place_among_those_that_are_near(due_at: int) -> None:
    alarms = ready()
    assert due(alarms, NOON) == []
    alarms.set(FIRST, "t1", Deadline("turn", "turn-1", NOON, due_at))
    for hours in range(100):
        assert due(alarms, NOON + hours * 3_600_000) == []
    assert kept(alarms) == 0
    assert due(alarms, due_at) == []
    assert due(alarms, due_at + 1) == [("t1", "turn-1", 1)]


def test_the_last_deadline_that_fits_cannot_be_put_off() -> None:
    alarms, outages = ready(), Outages(heard_at=NOON)
    alarms.set(FIRST, "t1", Deadline("turn", "turn-1", NOON, (1 << 63) - 1), outages)
    outages.hear(NOON + 60_000)
    assert due(alarms, 1 << 63) == []
    assert len(alarms) == 1


def test_kinds_nobody_has_heard_of_are_as_good_as_any() -> None:
    alarms = ready()
    alarms.set(FIRST, "t1", Deadline("ünheard of\0", "", 0, 100))
    alarms.set(FIRST, "t2", Deadline("", "r" * 255, 0, 100))
    assert alarms.armed() == {("table", "ünheard of\0"): 1, ("table", ""): 1}
    assert [(alarm.deadline.kind, alarm.deadline.ref) for alarm in alarms.take_due(101, 2)] == [
        ("ünheard of\0", ""),
        ("", "r" * 255),
    ]
    assert set(alarms.armed().values()) == {0}
    assert alarms.unanswered() == {"table": 2}


def test_a_deadline_that_differs_only_in_where_its_kind_ends_is_another() -> None:
    alarms = ready()
    alarms.set(FIRST, "t1", Deadline("turn", "1", 0, 100))
    alarms.set(FIRST, "t1", Deadline("tur", "n1", 0, 100))
    assert [alarm.deadline.kind for alarm in alarms.take_due(101, 2)] == ["tur"]


def test_a_clock_that_jumps_ahead_by_days_or_goes_back_forgets_and_hastens_nothing() -> None:
    alarms = ready()
    for number in range(3 * LOOK_SLICE):
        alarms.set(FIRST, f"t{number}", Deadline("turn", "turn-1", NOON, NOON + number * 100_000))
    assert len(everything_due(alarms, NOON + 1)) == 1
    assert everything_due(alarms, NOON - 3_600_000) == []
    alarms.set(FIRST, "soon", Deadline("turn", "turn-1", NOON, NOON + 10))
    assert everything_due(alarms, NOON - 3_600_000) == []
    taken = everything_due(alarms, NOON + 200_000_000)
    assert taken == sorted(taken)
    assert len(taken) == 2000


def test_however_many_are_due_a_call_takes_a_bounded_number_and_says_that_more_are_waiting() -> None:
    alarms, outages = ready(), Outages(heard_at=NOON)
    alarms.ready(FIRST, outages)
    for number in range(2 * STEPS_MAX):
        alarms.set(FIRST, f"t{number}", Deadline("turn", "turn-1", NOON, NOON + 10), outages)
    outages.hear(NOON + 60_000)
    assert alarms.take_due(NOON + 61_000, 10) == [], "an outage has put off all of them"
    next_look = alarms.next_look
    assert next_look is not None
    assert next_look <= NOON + 61_000
    assert len(alarms) == 2 * STEPS_MAX


def test_what_is_armed_overdue_and_unanswered_is_counted_by_decider() -> None:
    alarms = ready(FIRST, SECOND)
    for number in range(4):
        alarms.set(FIRST, f"t{number}", turn(1, NOON + number * 1000))
    alarms.set(SECOND, "eu", Deadline("fill", "fill-1", NOON, NOON + DECADES))
    assert alarms.armed() == {("table", "turn"): 4, ("lobby", "fill"): 1}
    assert len(alarms.take_due(NOON + 2500, 1)) == 1
    assert alarms.armed() == {("table", "turn"): 3, ("lobby", "fill"): 1}
    assert alarms.unanswered() == {"table": 1, "lobby": 0}
    assert alarms.overdue(NOON + 2500) == {"table": 1, "lobby": 0}, "of two that are due, one for more than a second"
    alarms.set(FIRST, "t0", None)
    alarms.set(FIRST, "t1", None)
    assert alarms.unanswered() == {"table": 0, "lobby": 0}
    assert alarms.overdue(NOON + 2500) == {"table": 0, "lobby": 0}
