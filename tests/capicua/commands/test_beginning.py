import pytest

from capicua.commands.beginning import one_of

KNOWN = {"ab": 1, "abc": 2, "xyz": 3}


@pytest.mark.parametrize(("typed", "found"), [("ab", 1), ("abc", 2), ("x", 3), ("xyz", 3)])
def test_the_whole_id_or_as_much_of_it_as_is_no_others(typed: str, found: int) -> None:
    assert one_of(typed, KNOWN, "token") == found


def test_what_several_begin_with_is_asked_for_again() -> None:
    with pytest.raises(ValueError, match="2 of them begin with 'a': type more of the token"):
        one_of("a", KNOWN, "token")


@pytest.mark.parametrize("typed", ["", "q", "xyzz"])
def test_what_none_begins_with_is_refused(typed: str) -> None:
    with pytest.raises(ValueError, match="expected a token of the list, or its beginning, got"):
        one_of(typed, KNOWN, "token")
