"""Whom a typed name means, of those it may mean."""

import pytest

from capicua.terminal.choice import NotUnderstood
from capicua.terminal.words import whose

PEOPLE = {"g1": "Ann", "g2": "Anna", "g3": "Béa"}


@pytest.mark.parametrize(("called", "account"), [("ann", "g1"), ("ANNA", "g2"), ("b", "g3"), ("g2", "g2")])
def test_a_whole_name_its_beginning_or_an_account_means_its_owner(called: str, account: str) -> None:
    assert whose(called, PEOPLE) == account


@pytest.mark.parametrize(
    ("called", "said"),
    [
        ("an", "2 people here are called 'an'"),
        ("zoe", "expected one of Ann, Anna, Béa, got 'zoe'"),
        ("", "expected one of Ann, Anna, Béa, got ''"),
    ],
)
def test_what_means_nobody_or_more_than_one_is_explained(called: str, said: str) -> None:
    with pytest.raises(NotUnderstood, match=said):
        whose(called, PEOPLE)


def test_where_there_is_nobody_no_names_are_offered() -> None:
    with pytest.raises(NotUnderstood, match="nobody here is called 'ann'"):
        whose("ann", {})


def test_a_name_that_two_have_means_neither_and_the_account_does() -> None:
    twins = {"g1": "Ann", "g2": "Ann"}
    with pytest.raises(NotUnderstood, match="2 people"):
        whose("ann", twins)
    assert whose("g2", twins) == "g2"
