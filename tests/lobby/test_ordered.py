from random import Random

from hypothesis import given
from hypothesis import strategies as st

from lobby.region.ordered import CHUNK, Ordered


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 40)), max_size=80))
def test_it_is_a_sorted_set(steps: list[tuple[bool, int]]) -> None:
    keys, model = Ordered[int](), set[int]()
    for adds, key in steps:
        if adds and key not in model:
            keys, model = keys.with_key(key), model | {key}
        elif not adds:
            keys, model = keys.without(key), model - {key}
        assert list(keys) == sorted(model)
        assert keys == Ordered.of(model)
        assert len(keys) == len(model)
        assert keys.first == min(model, default=None)
        assert all((key in keys) == (key in model) for key in range(41))


def test_many_keys_in_any_order_are_in_order() -> None:
    order = list(range(10 * CHUNK))
    Random(1).shuffle(order)
    keys = Ordered[tuple[int, str]]()
    for number in order:
        keys = keys.with_key((number, "x"))
    assert list(keys) == [(number, "x") for number in range(10 * CHUNK)]
    assert keys == Ordered.of(keys)
    assert list(keys.up_to((3,))) == [(0, "x"), (1, "x"), (2, "x")]
    for number in order[:-1]:
        keys = keys.without((number, "x"))
    assert keys == Ordered.of([(order[-1], "x")])


def test_a_change_leaves_what_was_before_as_it_was() -> None:
    before = Ordered.of([1, 3])
    assert list(before.with_key(2)) == [1, 2, 3]
    assert list(before.without(1)) == [3]
    assert list(before) == [1, 3]
    assert before != Ordered.of([1, 2])
