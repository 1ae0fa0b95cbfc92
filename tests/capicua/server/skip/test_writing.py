import pytest
from tests.memory_log import MemoryLog

from bus.confirmed import Confirmed
from bus.header import HEADER, Claim, CommandsSkipped, EventHeader, Founding, OutcomeHeader, pack, unpack
from bus.pipeline import SendFailed
from bus.records import NewRecord, TopicPartition
from bus.validity import Verdict
from capicua.server.skip.reading import fold
from capicua.server.skip.writing import pass_over

EVENTS = TopicPartition("tally.events", 0)
OWNER = b"o" * 16
SKIPPED = CommandsSkipped(0, 2, "poison")


def append(log: MemoryLog, *headers: EventHeader) -> None:
    for header in headers:
        log.put(NewRecord(*EVENTS, None, b"", ((HEADER, pack(header)),)))


def outcome(command: int) -> OutcomeHeader:
    return OutcomeHeader(1, OWNER, command, 0, 0, 0, None, None)


async def folded(log: MemoryLog) -> Confirmed:
    return await fold(log, EVENTS, lambda _: None)


@pytest.fixture
def log() -> MemoryLog:
    """Founded and claimed; nothing was decided yet."""
    log = MemoryLog()
    append(log, Founding(b"l" * 16), Claim(OWNER, 3))
    return log


async def test_what_counts_is_written_once_and_read_back(log: MemoryLog) -> None:
    confirmed = await folded(log)
    assert (await pass_over(log, log.clock, confirmed, SKIPPED)).verdict is Verdict.VALID
    assert confirmed.validity.next_command == 3
    assert [unpack(record.header(HEADER)) for record in log.all(EVENTS.topic)[2:]] == [SKIPPED]


async def test_it_is_void_where_a_command_was_decided_in_between(log: MemoryLog) -> None:
    confirmed = await folded(log)
    append(log, outcome(0))
    judgement = await pass_over(log, log.clock, confirmed, SKIPPED)
    assert (judgement.verdict, judgement.why) == (Verdict.BROKEN_CHAIN, "expected command offset 1, got 0")
    assert (await folded(log)).validity.next_command == 1


async def test_others_passings_over_are_not_taken_for_it(log: MemoryLog) -> None:
    confirmed = await folded(log)
    append(log, CommandsSkipped(0, 1, "poison"))
    assert (await pass_over(log, log.clock, confirmed, SKIPPED)).verdict is Verdict.BROKEN_CHAIN


async def test_of_two_who_write_the_same_at_once_the_first_passes_over_for_both(log: MemoryLog) -> None:
    first, second = await folded(log), await folded(log)
    for confirmed in (first, second):
        assert (await pass_over(log, log.clock, confirmed, SKIPPED)).verdict is Verdict.VALID
    assert (await folded(log)).validity.next_command == 3


async def test_a_failed_send_says_that_nothing_is_known(log: MemoryLog) -> None:
    confirmed = await folded(log)
    log.trouble = [ConnectionError("lost")]
    with pytest.raises(SendFailed, match="ConnectionError"):
        await pass_over(log, log.clock, confirmed, SKIPPED)
