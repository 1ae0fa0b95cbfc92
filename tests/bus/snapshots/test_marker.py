import pytest

from bus.header import Claim
from bus.outages import Outage, Outages
from bus.snapshots import Marker, UnreadableSnapshot
from bus.snapshots.records import seal
from bus.validity import Trials, Validity

MARKER = Marker(
    position=10,
    validity=Validity(
        b"l" * 16, 4, b"o" * 16, 20, 12, Outages(9000, (Outage(1000, 5000),), 60), Trials(1, 1, 12, now_alone=True)
    ),
    digest=2**64 - 1,
    last_command_id="c11",
    aggregates=3,
    quarantined=1,
    rules_version="1",
    snapshot_version=2,
)


def test_a_marker_comes_back_as_it_was() -> None:
    assert Marker.unpack(MARKER.pack()) == MARKER


def test_its_key_is_its_partition_and_its_claim() -> None:
    assert MARKER.key(7) == b"7@4"


def test_the_fold_goes_on_from_a_copy_and_leaves_the_marker_as_it_is() -> None:
    before = MARKER.pack()
    validity = MARKER.validity.copy()
    validity.next_command += 1
    validity.outages.hear(90_000)
    validity.trials.claimed(Claim(b"n" * 16, 30), 13)
    assert MARKER.pack() == before


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b'{"position": 1}'])
def test_nonsense_under_a_good_seal_is_refused(content: bytes) -> None:
    with pytest.raises(UnreadableSnapshot):
        Marker.unpack(seal(content))
