from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bus.decider import Deadline
from bus.header import (
    Claim,
    CommandsSkipped,
    EventHeader,
    Founding,
    Heartbeat,
    Jump,
    MalformedHeader,
    OutcomeHeader,
    TraceParent,
    pack,
    unpack,
)

OWNER = bytes(range(16))
OUTCOME = OutcomeHeader(
    7, OWNER, 41, 3, 5, 2**63, Deadline("turn", "turn-17", 1000, 21000), TraceParent(OWNER, OWNER[:8], 1)
)
EXAMPLES: list[EventHeader] = [
    Founding(OWNER),
    Claim(OWNER, 99),
    Heartbeat(OWNER),
    OUTCOME,
    replace(OUTCOME, deadline=None, trace=None),
    CommandsSkipped(3, 9, "eaten by a tape robot, żółw"),
]


@pytest.mark.parametrize("header", EXAMPLES)
def test_a_header_survives_packing(header: EventHeader) -> None:
    assert unpack(pack(header)) == header


@pytest.mark.parametrize("header", EXAMPLES)
def test_a_header_cut_short_or_too_long_is_malformed(header: EventHeader) -> None:
    whole = pack(header)
    for size in range(len(whole)):
        with pytest.raises(MalformedHeader):
            unpack(whole[:size])
    with pytest.raises(MalformedHeader):
        unpack(whole + b"\0")


def test_a_heartbeat_may_tell_of_a_jump_of_the_clock() -> None:
    telling = Heartbeat(OWNER, Jump(1000, 3000))
    assert unpack(pack(telling)) == telling
    with pytest.raises(MalformedHeader, match="cut short"):
        unpack(pack(telling)[:-1])
    with pytest.raises(MalformedHeader, match="of 34 bytes"):
        unpack(pack(telling) + b"\0")


def test_a_missing_header_is_malformed() -> None:
    with pytest.raises(MalformedHeader, match="none or several"):
        unpack(None)


def test_an_unknown_kind_or_layout_is_malformed() -> None:
    with pytest.raises(MalformedHeader, match="kind"):
        unpack(b"\x09\x01")
    with pytest.raises(MalformedHeader, match="layout"):
        unpack(b"\x04\x02")


def test_a_text_over_255_bytes_is_refused_when_packing() -> None:
    with pytest.raises(ValueError, match="255"):
        pack(CommandsSkipped(0, 0, "x" * 256))


def test_a_number_that_does_not_fit_is_refused_when_packing() -> None:
    with pytest.raises(ValueError, match="fit"):
        pack(replace(OUTCOME, to_version=2**32))


@given(st.binary(max_size=200))
def test_garbage_is_malformed_or_a_header_and_never_another_error(data: bytes) -> None:
    try:
        header = unpack(data)
    except MalformedHeader:
        return
    assert unpack(pack(header)) == header
