from bus.decider import Deadline
from bus.outages import Outage, Outages
from bus.records import TopicPartition
from timer.alarms import STALE_MIN, Alarms

FIRST, SECOND = TopicPartition("table.events", 0), TopicPartition("lobby.events", 0)


def turn(number: int, due_at: int) -> Deadline:
    return Deadline("turn", f"turn-{number}", due_at - 20, due_at)


def ready(*sources: TopicPartition) -> Alarms:
    alarms = Alarms()
    for source in sources or (FIRST,):
        alarms.gain(source)
        alarms.ready(source)
    return alarms


def due(alarms: Alarms, now: int) -> list[tuple[str, str, int]]:
    return [(alarm.aggregate, alarm.deadline.ref, alarm.attempt) for alarm in alarms.take_due(now, 100)]


def test_an_alarm_is_due_after_its_deadline_and_not_at_it() -> None:
    alarms = ready()
    alarms.set(FIRST, "t1", turn(1, 100))
    assert alarms.next_due == 100
    assert due(alarms, 100) == []
    assert due(alarms, 101) == [("t1", "turn-1", 1)]


def test_the_newest_deadline_wins() -> None:
    alarms = ready()
    alarms.set(FIRST, "t1", turn(1, 100))
    alarms.set(FIRST, "t1", turn(2, 300))
    assert alarms.next_due == 300
    assert due(alarms, 200) == []
    assert due(alarms, 301) == [("t1", "turn-2", 1)]


def test_no_deadline_disarms() -> None:
    alarms = ready()
    alarms.set(FIRST, "t1", turn(1, 100))
    alarms.set(FIRST, "t1", None)
    assert alarms.next_due is None
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
    assert alarms.next_due == 102


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
    assert alarms.next_due is None
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
    assert alarms.next_due == 500


def test_too_early_comes_again_after_what_was_missing_under_a_new_id() -> None:
    alarms = ready()
    alarms.set(FIRST, "t1", turn(1, 1000))
    [sent] = alarms.take_due(1001, 1)
    assert sent.command_id == "timeout:t1:turn-1:1"
    alarms.too_early(sent, refused_at=800, now=1005)
    assert alarms.next_due == 1005 + 1000 - 800
    [again] = alarms.take_due(1206, 1)
    assert again.command_id == "timeout:t1:turn-1:2"


def test_too_early_by_a_hair_waits_fifty_milliseconds() -> None:
    alarms = ready()
    alarms.set(FIRST, "t1", turn(1, 1000))
    [sent] = alarms.take_due(1001, 1)
    alarms.too_early(sent, refused_at=1000, now=1005)
    assert alarms.next_due == 1055


def test_an_old_refusal_does_not_call_back_what_has_been_sent_since() -> None:
    alarms = ready()
    alarms.set(FIRST, "t1", turn(1, 1000))
    [first] = alarms.take_due(1001, 1)
    alarms.too_early(first, refused_at=990, now=1005)
    [second] = alarms.take_due(2000, 1)
    alarms.too_early(first, refused_at=990, now=2005)
    assert alarms.on_its_way(second)
    assert alarms.next_due is None


def test_replaced_alarms_do_not_pile_up() -> None:
    alarms = ready()
    for number in range(10 * STALE_MIN):
        alarms.set(FIRST, f"t{number % 10}", turn(number, 1_000_000 + number))
    assert len(alarms) == 10
    assert alarms.heap_size <= STALE_MIN + 1
    assert len(due(alarms, 2_000_000)) == 10


def test_an_alarm_waits_while_the_owner_is_silent_and_for_what_the_outage_gave_back() -> None:
    alarms, outages = ready(), Outages(heard_at=90)
    alarms.set(FIRST, "t1", turn(1, 100), outages)
    assert due(alarms, 5000) == [], "nobody could decide it, and when it ends the deadline lies elsewhere"
    assert alarms.next_due == 5500
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
    assert alarms.next_due == 12_110, "how long nobody was there to refuse it does not count a second time"
