"""Both implementations of what counts, on the same random histories of owners, zombies, strangers and lost records."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from bus.header import HEADER, Claim, CommandsSkipped, EventHeader, Founding, Heartbeat, OutcomeHeader, pack
from bus.records import Record
from bus.validity import Validity, Verdict
from capicua.server.audit.judge import Judge
from capicua.server.audit.report import Void

OWNERS = [bytes([number]) * 16 for number in range(3)]
COUNTS = (Verdict.VALID, Verdict.PROTOCOL)

steps = st.tuples(
    st.sampled_from(["outcome"] * 8 + ["claim", "claim", "beat", "founding", "skip", "junk", "doubled", "unstamped"]),
    st.sampled_from([0, 0, 0, 0, 1, 2]),  # how many claims ago
    st.sampled_from([0, 0, 0, 0, 0, 1]),  # another owner than that claim's
    st.sampled_from([0, 0, 0, 0, 0, 1, 2, -1]),  # commands from the next one
)
Step = tuple[str, int, int, int]


def header_of(step: Step, claims: list[tuple[int, int]], next_command: int) -> EventHeader:
    kind, ago, other, ahead = step
    offset, owner = claims[-1 - ago] if ago < len(claims) else (-1, 0)
    owner = (owner + other) % len(OWNERS)
    match kind:
        case "claim":
            return Claim(OWNERS[owner], next_command)
        case "beat":
            return Heartbeat(OWNERS[owner])
        case "founding":
            return Founding(b"l" * 16)
        case "skip":
            return CommandsSkipped(next_command + ahead, next_command + ahead + 1 - ago, "by hand")
    return OutcomeHeader(offset, OWNERS[owner], next_command + ahead, 0, 0, 0, None, None)


def written(offset: int, step: Step, header: EventHeader) -> Record:
    headers: tuple[tuple[str, bytes], ...] = ((HEADER, pack(header)),)
    match step[0]:
        case "junk":
            headers = ((HEADER, pack(header)[:-1]),)
        case "doubled":
            headers = headers * 2
    return Record("tally.events", 0, offset, 0, None, b"", headers, step[0] != "unstamped")


def both(history: list[Step]) -> Counter[str]:
    """How often each verdict of the second came up; fails where the two differ."""
    first, second, claims, seen = Validity(), Judge(), list[tuple[int, int]](), Counter[str]()
    for offset, step in enumerate(history):
        header = header_of(step, claims, second.next_command or 0)
        record = written(offset, step, header)
        verdict = first.judge(record).verdict
        read = second.read(record)
        why = read if isinstance(read, Void) else second.judge(offset, read)
        assert (why is None) == (verdict in COUNTS), (offset, verdict, why)
        assert second.next_command == first.next_command
        if isinstance(header, Claim) and why is None:
            claims.append((offset, OWNERS.index(header.owner)))
        seen[why.value if why else step[0]] += 1
    return seen


@given(st.lists(steps, max_size=60))
def test_both_say_the_same_of_every_record(history: list[Step]) -> None:
    both(history)


def test_such_histories_hold_everything_that_can_happen() -> None:
    seen: Counter[str] = Counter()

    @given(st.lists(steps, min_size=30, max_size=60))
    def collect(history: list[Step]) -> None:
        seen.update(both(history))

    collect()
    common = {"outcome", "claim", "zombie-claim", "wrong-owner", "after-a-gap", "repeated", "bad-skip", "skip"}
    assert {what for what in common if seen[what] < 10} == set()
