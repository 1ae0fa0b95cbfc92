from tests.memory_log import MemoryLog

from bus.header import HEADER, Claim, EventHeader, Founding, OutcomeHeader, pack
from bus.records import NewRecord, TopicPartition
from capicua.server.skip.plan import TOLD, Plan
from capicua.server.skip.reading import fold, waiting

EVENTS = TopicPartition("tally.events", 0)
COMMANDS = TopicPartition("tally.commands", 0)
OWNER = b"o" * 16


def outcome(command: int) -> OutcomeHeader:
    return OutcomeHeader(1, OWNER, command, 0, 0, 0, None, None)


async def test_a_log_is_folded_to_its_end_by_the_rule_and_tells_how_far_it_is() -> None:
    log = MemoryLog()
    headers: tuple[EventHeader, ...] = (Founding(b"l" * 16), Claim(OWNER, 3), outcome(0), outcome(1), outcome(5))
    for header in headers:
        log.put(NewRecord(*EVENTS, None, b"", ((HEADER, pack(header)),)))
    seen: list[int] = []
    confirmed = await fold(log, EVENTS, seen.append)
    assert (confirmed.validity.next_command, confirmed.position, sum(seen)) == (2, 5, 5)


async def waiting_of(first: int, last: int, begin: int, end: int) -> list[int]:
    """The offsets of what is told of the plan; the topic has twenty commands."""
    log = MemoryLog()
    for _ in range(20):
        log.put(NewRecord(*COMMANDS, b"a", b"{}"))
    return [record.offset for record in await waiting(log, Plan(COMMANDS, first, last, begin, end))]


async def test_of_the_commands_that_are_still_there_the_first_are_told() -> None:
    assert await waiting_of(3, 5, 0, 20) == [3, 4, 5]
    assert await waiting_of(3, 19, 0, 20) == list(range(3, 3 + TOLD))
    assert await waiting_of(3, 6, 5, 20) == [5, 6]


async def test_where_all_have_expired_none_is_told() -> None:
    assert await waiting_of(3, 6, 7, 20) == []
