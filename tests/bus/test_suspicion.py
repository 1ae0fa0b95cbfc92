"""A command that kills whoever decides it is found out, without harm to its neighbours."""

import asyncio
import logging

import pytest
from tests.bus.owning import COMMANDS, EVENTS, add, decided, owning, until_decided
from tests.memory_log import MemoryLog

from bus.header import HEADER, Claim, EventHeader, Founding, Heartbeat, pack, unpack
from bus.records import NewRecord
from bus.suspicion import Suspicion
from bus.validity import Validity


def write(log: MemoryLog, header: EventHeader) -> None:
    log.put(NewRecord(*EVENTS, None, b"", ((HEADER, pack(header)),)))


def claims(log: MemoryLog) -> list[Claim]:
    headers = [unpack(record.header(HEADER)) for record in log.all(EVENTS.topic)]
    return [header for header in headers if isinstance(header, Claim)]


def dead_owners(alone: int, together: int = 2) -> MemoryLog:
    """One command waits, and whoever claimed the partition died of it."""
    log = MemoryLog(partitions=1)
    add(log, "a", 1, "killer")
    write(log, Founding(b"l" * 16))
    for number in range(together + alone):
        owner = bytes((number,)) * 16
        write(log, Claim(owner, 1, alone=number >= together))
        write(log, Heartbeat(owner))
    return log


async def test_after_one_death_nothing_is_suspected() -> None:
    log = dead_owners(0, together=1)
    async with owning(log):
        assert (await until_decided(log, "killer")).fault is None
    assert not claims(log)[-1].alone


async def test_after_two_deaths_the_claim_says_that_it_is_made_alone() -> None:
    log = dead_owners(0)
    async with owning(log):
        assert (await until_decided(log, "killer")).fault is None
    assert claims(log)[-1].alone


async def test_after_three_deaths_alone_the_command_is_a_fault_unread_and_the_next_is_decided() -> None:
    log = dead_owners(3)
    add(log, "a", 2, "innocent")
    async with owning(log):
        innocent = await until_decided(log, "innocent")
    poison, _ = decided(log)
    assert poison.fault is not None
    assert poison.fault.code == "poison"
    assert (poison.aggregate, poison.events) == ("a", ())
    assert innocent.fault is None


async def test_a_claim_that_had_nothing_to_decide_testifies_against_nobody() -> None:
    validity = Validity()
    for number in range(9):
        claim = Claim(bytes((number,)) * 16, 5)
        validity.next_command = 5
        validity.trials.claimed(claim, validity.next_command)
    assert validity.trials.ended(5) == (0, 0)


async def test_of_two_suspect_partitions_the_second_waits_for_the_firsts_outcome(
    caplog: pytest.LogCaptureFixture,
) -> None:
    court = asyncio.Lock()
    first, second = Suspicion(court, COMMANDS), Suspicion(court, COMMANDS)
    suspect = Validity()
    for number in range(2):
        suspect.trials.claimed(Claim(bytes((number,)) * 16, 1), 0)
    with caplog.at_level(logging.WARNING):
        assert await first.weigh(suspect)
        waiting = asyncio.create_task(second.weigh(suspect))
        await asyncio.sleep(0)
        assert not waiting.done()
        first.decided()
        assert await waiting
    assert "have decided nothing" in caplog.text


async def test_who_dropped_a_claim_and_lives_does_not_testify_again() -> None:
    suspicion, suspect = Suspicion(asyncio.Lock(), COMMANDS), Validity()
    for number in range(2):
        suspect.trials.claimed(Claim(bytes((number,)) * 16, 1), 0)
    assert await suspicion.weigh(suspect)
    suspicion.dropped()
    assert not await suspicion.weigh(suspect)
    suspicion.decided()
    assert await suspicion.weigh(suspect)


async def test_the_first_command_under_suspicion_is_confirmed_before_the_next_is_decided() -> None:
    suspicion, suspect = Suspicion(asyncio.Lock(), COMMANDS), Validity()
    suspicion.sent()
    assert not suspicion.waits
    for number in range(2):
        suspect.trials.claimed(Claim(bytes((number,)) * 16, 1), 0)
    await suspicion.weigh(suspect)
    suspicion.sent()
    assert suspicion.waits
    suspicion.decided()
    assert not suspicion.waits
    suspicion.sent()
    assert not suspicion.waits


async def test_while_one_partition_is_under_trial_no_other_of_the_process_decides() -> None:
    court = asyncio.Lock()
    tried, innocent, suspect = Suspicion(court, COMMANDS), Suspicion(court, COMMANDS), Validity()
    assert not await innocent.weigh(Validity())
    for number in range(2):
        suspect.trials.claimed(Claim(bytes((number,)) * 16, 1), 0)
    await tried.weigh(suspect)
    assert (tried.waits, innocent.waits) == (False, True)
    tried.decided()
    assert not innocent.waits
