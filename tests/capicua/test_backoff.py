from itertools import islice
from random import Random

from capicua.backoff import pauses


def test_pauses_double_up_to_a_longest_and_are_never_in_step() -> None:
    some = list(islice(pauses(Random(7), first_seconds=1.0, longest_seconds=4.0), 6))
    for length, pause in zip((1.0, 2.0, 4.0, 4.0, 4.0, 4.0), some, strict=True):
        assert length / 2 <= pause <= length
    assert some != list(islice(pauses(Random(8), first_seconds=1.0, longest_seconds=4.0), 6))
