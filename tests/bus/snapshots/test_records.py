import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.bus.tally import Armed, Tally, TallyDecider

from bus.aggregate import Aggregate, Frozen
from bus.answers import FirstAnswer
from bus.snapshots.records import (
    CHUNK_BYTES_MAX,
    RecordKey,
    StateCodec,
    UnreadableSnapshot,
    chunks_of,
    seal,
    split_version,
    unseal,
)
from contracts.envelope import Fault, Refusal

codec = StateCodec(TallyDecider())


def aggregate() -> Aggregate[Tally]:
    """One with a state, and with first answers of a resident and of strangers."""
    known: Aggregate[Tally] = Aggregate(7, 70)
    known.state = Tally(12, 3, Armed(set_at=1, due_at=2))
    refusal = Refusal(code="negative", message="expected a number from 0")
    fault = Fault(code="bug", message="ZeroDivisionError while deciding")
    for number, (principal, trouble) in enumerate([("tester", refusal), ("bob", None), ("tester", None)]):
        answer = FirstAnswer(number, number + 1, trouble, None)
        known.answers.remember(principal, f"c{number}", answer, lambda name: name == "tester")
    known.answers.remember("eve", "c9", FirstAnswer(9, 4, None, fault), lambda _: False)
    return known


def test_an_aggregate_comes_back_as_it_was() -> None:
    known = aggregate()
    version, payload = split_version(codec.encode(known))
    thawed = codec.thaw(payload)
    assert (version, thawed.state) == (7, known.state)
    assert thawed.answers.to_json() == known.answers.to_json()
    for principal, command_id in [("tester", "c0"), ("bob", "c1"), ("tester", "c2"), ("eve", "c9"), ("eve", "c1")]:
        assert thawed.answers.find(principal, command_id) == known.answers.find(principal, command_id)


def test_an_aggregate_that_nobody_touched_is_written_with_the_bytes_that_it_came_with() -> None:
    content = codec.encode(aggregate())
    version, payload = split_version(content)
    restored = Aggregate(version, 70, Frozen(payload, codec.thaw))
    assert codec.encode(restored) == content
    assert restored.frozen is not None
    assert restored.state == aggregate().state
    assert restored.frozen is None
    assert codec.encode(restored) == content, "and with the same bytes once it was touched"


@given(st.text(min_size=1, max_size=20), st.integers(0, 2**40), st.integers(-1, 2**40), st.integers(1, 9))
def test_a_key_comes_back_whatever_the_aggregate_is_called(name: str, claim: int, as_of: int, chunk: int) -> None:
    key = RecordKey(name, claim, as_of, chunk, 9)
    assert RecordKey.unpack(key.pack()) == key


@pytest.mark.parametrize("key", [b"", b"a", b"a@1", b"a@1@2", b"a@x@2#1/1", b"a@1@2#1", b"\xff@1@2#1/1"])
def test_a_strange_key_is_refused(key: bytes) -> None:
    with pytest.raises(UnreadableSnapshot):
        RecordKey.unpack(key)


@pytest.mark.parametrize("size", [0, 1, CHUNK_BYTES_MAX, CHUNK_BYTES_MAX + 1, 3 * CHUNK_BYTES_MAX])
def test_content_is_cut_into_chunks_that_fit_a_record(size: int) -> None:
    content = bytes(index % 251 for index in range(size))
    chunks = list(chunks_of("a", 4, 9, content))
    keys = [RecordKey.unpack(key) for key, _ in chunks]
    assert keys == [RecordKey("a", 4, 9, number + 1, len(chunks)) for number in range(len(chunks))]
    assert all(len(value) <= CHUNK_BYTES_MAX for _, value in chunks)
    assert unseal(b"".join(value for _, value in chunks)) == content


@given(st.binary(max_size=50), st.data())
def test_one_flipped_bit_is_noticed(content: bytes, data: st.DataObject) -> None:
    sealed = bytearray(seal(content))
    place = data.draw(st.integers(0, 8 * len(sealed) - 1))
    sealed[place // 8] ^= 1 << place % 8
    with pytest.raises(UnreadableSnapshot):
        unseal(bytes(sealed))


@pytest.mark.parametrize("payload", [b"", b"[]", b"{}", b'{"state": {}, "answers": {}}'])
def test_a_state_that_cannot_be_read_says_so_without_its_content(payload: bytes) -> None:
    with pytest.raises(UnreadableSnapshot, match="in a state of a snapshot"):
        codec.thaw(payload)
