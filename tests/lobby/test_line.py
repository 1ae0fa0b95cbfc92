from hypothesis import given
from hypothesis import strategies as st

from lobby.region.line import Line


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 9)), max_size=60), st.integers(0, 12))
def test_a_line_is_a_list_in_which_everybody_stands_once(steps: list[tuple[bool, int]], count: int) -> None:
    line, model = Line(), list[str]()
    for joins, number in steps:
        account = f"h{number}"
        if joins and account not in model:
            line, model = line.joined_by(account), [*model, account]
        elif not joins:
            line, model = line.without(account), [other for other in model if other != account]
        assert len(line) == len(model)
    assert list(line.first(count)) == model[:count]
    assert all((f"h{number}" in line) == (f"h{number}" in model) for number in range(10))


def test_places_left_at_the_front_are_skipped_once() -> None:
    line = Line().joined_by("a").joined_by("b").joined_by("c").without("b").without("a")
    assert line.front == 2
    assert line.first(1) == ("c",)


def test_who_steps_out_of_the_line_is_passed_over_and_steps_back_to_the_same_place() -> None:
    line = Line().joined_by("a").joined_by("b").joined_by("c").stepped_out("a")
    assert line.first(2) == ("b", "c")
    assert "a" in line
    assert len(line) == 3
    assert Line.from_json(line.to_json()) == line
    assert line.stepped_back("a").first(2) == ("a", "b")
    assert line.without("b").without("a").first(2) == ("c",)
    assert line.without("b").stepped_back("a").first(2) == ("a", "c")
