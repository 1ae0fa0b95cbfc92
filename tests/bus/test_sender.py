import asyncio

import pytest
from tests.memory_log import MemoryLog, MemoryWriter

from bus.header import TraceParent
from bus.partitioning import partition_of
from bus.records import NewRecord
from bus.sender import CommandSender, Letter, LetterSender, SendUnknown, command_letter
from bus.tasks import LoopTasks
from contracts.envelope import CommandEnvelope

COMMAND = CommandEnvelope(id="c-1", principal="ann", aggregate="t1", command={"type": "sit-down"})


async def started(log: MemoryLog) -> LetterSender:
    sender = LetterSender(log, "test", ["a", "b"])
    await sender.start()
    return sender


async def test_a_letter_goes_to_the_partition_of_its_key() -> None:
    log = MemoryLog(partitions=7)
    await (await started(log)).send(Letter("b", "somebody", b"hello"))
    [record] = log.all("b")
    assert (record.key, record.value, record.headers) == (b"somebody", b"hello", ())
    assert record.partition == partition_of("somebody", 7)


async def test_a_letter_carries_its_trace() -> None:
    log = MemoryLog()
    await (await started(log)).send(Letter("a", "k", b"", TraceParent(b"\x01" * 16, b"\x02" * 8, 1)))
    assert log.all("a")[0].headers == (("traceparent", b"00-" + b"01" * 16 + b"-" + b"02" * 8 + b"-01"),)


async def test_a_failed_send_is_unknown_and_the_next_has_a_new_writer() -> None:
    log = MemoryLog(trouble=[TimeoutError()])
    sender = await started(log)
    with pytest.raises(SendUnknown, match="a: TimeoutError"):
        await sender.send(Letter("a", "k", b"1"))
    await sender.send(Letter("a", "k", b"2"))
    assert [record.value for record in log.all("a")] == [b"1", b"2"]
    assert log.writers == 2


async def test_a_letter_is_sent_again_until_it_is_durable() -> None:
    log = MemoryLog(trouble=[TimeoutError(), TimeoutError("lost")])
    assert await (await started(log)).send_until_durable(Letter("a", "k", b"1"), LoopTasks())
    assert [record.value for record in log.all("a")] == [b"1", b"1"]


async def test_a_letter_that_is_no_longer_wanted_is_not_sent_again() -> None:
    log = MemoryLog(trouble=[TimeoutError("lost")])
    wanted = iter([True, False])
    assert not await (await started(log)).send_until_durable(Letter("a", "k", b"1"), LoopTasks(), lambda: next(wanted))
    assert log.all("a") == []


async def test_a_command_goes_to_its_deciders_commands_as_its_envelope() -> None:
    log = MemoryLog()
    sender = CommandSender(log, "table")
    await sender.start()
    await sender.send(COMMAND)
    [record] = log.all("table.commands")
    assert record.key == b"t1"
    assert CommandEnvelope.model_validate_json(record.value or b"") == COMMAND


async def test_what_an_envelope_does_not_say_is_not_written() -> None:
    assert b"delay_ms" not in (command_letter("table", COMMAND).value or b"")
    said = COMMAND.model_copy(update={"delay_ms": 80})
    assert CommandEnvelope.model_validate_json(command_letter("table", said).value or b"") == said


async def test_letters_that_are_sent_together_are_durable_or_unknown_each_for_itself() -> None:
    log = MemoryLog()
    sender = await started(log)
    log.trouble = [TimeoutError("lost")]
    letters = [Letter("a", "k", b"1"), Letter("a", "k", b"2"), Letter("b", "k", b"3")]
    assert await sender.send_all(letters) == [False, True, True]
    assert [record.value for record in (*log.all("a"), *log.all("b"))] == [b"2", b"3"]
    assert await sender.send_all(letters[:1]) == [True]
    assert log.writers == 2


class FullWriter(MemoryWriter):
    async def append(self, record: NewRecord) -> "asyncio.Future[object]":
        raise TimeoutError


class Away(MemoryLog):
    """A log whose writers take nothing."""

    def writer(self, name: str) -> MemoryWriter:
        return FullWriter(self)


async def test_of_letters_that_nobody_takes_all_are_unknown() -> None:
    log = Away()
    assert await (await started(log)).send_all([Letter("a", "k", b"1"), Letter("b", "k", b"2")]) == [False, False]
