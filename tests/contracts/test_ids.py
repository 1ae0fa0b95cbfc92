import pytest
from hypothesis import given
from hypothesis import strategies as st
from ulid import ULID

from contracts.ids import made_at


@given(st.integers(0, 2**48 - 1), st.binary(min_size=10, max_size=10))
def test_an_id_says_when_it_was_made(at: int, chance: bytes) -> None:
    assert made_at(str(ULID.from_bytes(at.to_bytes(6, "big") + chance)).lower()) == at


@pytest.mark.parametrize(
    "name", ["", "t1", "01HF7YAT000000000000000000", "01hf7yat00000000000000000", "81hf7yat000000000000000000",
             "01hf7yat0000000000000000i0", "01hf7yat000000000000000000\n"],
)  # fmt: skip
def test_another_name_says_nothing(name: str) -> None:
    assert made_at(name) is None
