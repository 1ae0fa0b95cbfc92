from tests.memory_log import NOON, MemoryLog, let_everybody_run
from tests.timer.ringing import DUE, SOURCE, hears, ids, sent, time_passes, timer_over
from tests.writing_owner import WritingOwner

from contracts.envelope import Refusal


async def test_a_deadline_that_has_passed_is_sent_as_a_timeout_to_its_aggregate() -> None:
    log = MemoryLog()
    owner = WritingOwner(log, SOURCE)
    owner.write("t1", deadline=DUE)
    log.clock.now = DUE.due_at + 1
    owner.heartbeat()
    async with timer_over(log) as tail:
        await tail.step()
        [record] = await log.until("table.commands", 1)
    assert record.key == b"t1"
    assert sent([record]) == [
        {
            "id": "timeout:t1:turn-1:1",
            "principal": "timer",
            "aggregate": "t1",
            "command": {"type": "time-out", "kind": "turn", "ref": "turn-1"},
            "human": False,
        }
    ]


async def test_a_deadline_rings_when_the_logs_time_comes_to_it() -> None:
    log = MemoryLog()
    owner = WritingOwner(log, SOURCE)
    owner.write("t1", deadline=DUE)
    async with timer_over(log) as tail:
        await tail.step()
        await hears(tail, log, owner, DUE.due_at)
        await let_everybody_run()
        assert log.all("table.commands") == []
        await hears(tail, log, owner, DUE.due_at + 1)
        assert ids(await log.until("table.commands", 1)) == ["timeout:t1:turn-1:1"]


async def test_the_deadline_of_a_void_outcome_means_nothing() -> None:
    log = MemoryLog()
    owner = WritingOwner(log, SOURCE)
    owner.write("t1", deadline=DUE, void=True)
    owner.write("t2", deadline=DUE)
    log.clock.now = DUE.due_at + 1
    owner.heartbeat()
    async with timer_over(log) as tail:
        await tail.step()
        assert ids(await log.until("table.commands", 1)) == ["timeout:t2:turn-1:1"]


async def test_what_was_answered_before_the_takeover_is_not_sent() -> None:
    log = MemoryLog()
    owner = WritingOwner(log, SOURCE)
    owner.write("t1", deadline=DUE)
    time_passes(log, owner, 6000)
    owner.write("t1", {"type": "turn-timed-out"}, deadline=None)
    owner.write("t2", deadline=DUE)
    async with timer_over(log) as tail:
        await tail.step()
        assert ids(await log.until("table.commands", 1)) == ["timeout:t2:turn-1:1"]


async def test_a_timeout_refused_as_too_early_comes_again_under_the_next_id() -> None:
    log = MemoryLog()
    owner = WritingOwner(log, SOURCE)
    owner.write("t1", deadline=DUE)
    log.clock.now = DUE.due_at + 1
    owner.heartbeat()
    async with timer_over(log) as tail:
        await tail.step()
        await log.until("table.commands", 1)
        early = Refusal(code="too-early", message="expected later")
        log.clock.now = DUE.due_at - 20
        owner.write("t1", deadline=DUE, refusal=early, principal="timer", command_id="timeout:t1:turn-1:1")
        await tail.step()
        await hears(tail, log, owner, DUE.due_at + 60)
        assert ids(await log.until("table.commands", 2)) == ["timeout:t1:turn-1:1", "timeout:t1:turn-1:2"]


async def test_somebody_elses_refusal_does_not_call_a_timeout_back() -> None:
    log = MemoryLog()
    owner = WritingOwner(log, SOURCE)
    owner.write("t1", deadline=DUE)
    log.clock.now = DUE.due_at + 1
    owner.heartbeat()
    async with timer_over(log) as tail:
        await tail.step()
        await log.until("table.commands", 1)
        early = Refusal(code="too-early", message="expected later")
        owner.write("t1", deadline=DUE, refusal=early, principal="ann", command_id="timeout:t1:turn-1:1")
        owner.write("t2", deadline=DUE)
        await hears(tail, log, owner, log.clock.now + 1000)
        assert ids(await log.until("table.commands", 2)) == ["timeout:t1:turn-1:1", "timeout:t2:turn-1:1"]


async def test_a_send_whose_result_is_unknown_is_repeated_with_the_same_id_on_a_new_writer() -> None:
    log = MemoryLog(trouble=[TimeoutError(), TimeoutError("lost")])
    owner = WritingOwner(log, SOURCE)
    owner.write("t1", deadline=DUE)
    log.clock.now = DUE.due_at + 1
    owner.heartbeat()
    async with timer_over(log) as tail:
        await tail.step()
        assert ids(await log.until("table.commands", 2)) == ["timeout:t1:turn-1:1"] * 2
    assert log.writers == 3


async def test_everything_overdue_at_a_takeover_is_sent_at_once() -> None:
    log = MemoryLog()
    owner = WritingOwner(log, SOURCE)
    for number in range(300):
        owner.write(f"t{number}", deadline=DUE)
    time_passes(log, owner, 60_000)
    async with timer_over(log) as tail:
        await tail.step()
        records = await log.until("table.commands", 300)
    assert len(set(ids(records))) == 300


async def test_an_outage_of_the_owner_puts_the_deadline_off_by_its_length_and_five_seconds() -> None:
    log = MemoryLog()
    owner = WritingOwner(log, SOURCE)
    owner.write("t1", deadline=DUE)
    async with timer_over(log) as tail:
        await tail.step()
        await hears(tail, log, owner, NOON + 8000)
        time_passes(log, owner, 6000)  # to one second, the outage's eight and five after the deadline was set
        await tail.step()
        await let_everybody_run()
        assert log.all("table.commands") == []
        await hears(tail, log, owner, log.clock.now + 1)
        assert ids(await log.until("table.commands", 1)) == ["timeout:t1:turn-1:1"]
