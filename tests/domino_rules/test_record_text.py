import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.domino_rules.matches import VARIANTS, decisions
from tests.domino_rules.test_record import LIVES, OPENED, life

from domino_rules import Ruleset
from domino_rules.record import MatchRecord, events_of, record_of
from domino_rules.record_text import RecordError, read_match, write_match

SMALL = """\
[rules "1"]
[ruleset {"preset": "draw", "seats": 2}]
[table "table-1"]
[accounts ["anna # 1", "berta"]]

[round 1]
[client-seeds ["", "salt # 2"]]
[hands ["6-6 6-1 5-0 4-0 3-0 2-0 1-0", "5-5 6-5 5-4 5-3 5-2 5-1 0-0"]]
[boneyard "6-4 6-3 6-2 6-0 4-4 4-3 4-2 4-1 3-3 3-2 3-1 2-2 2-1 1-1"]

1 6-6@start
2 6-5@left

[result null]
"""


def error(text: str) -> RecordError:
    with pytest.raises(RecordError) as raised:
        read_match(text)
    return raised.value


def spoiled(line: str, instead: str) -> str:
    assert SMALL.count(f"{line}\n") == 1
    return SMALL.replace(f"{line}\n", instead)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(sorted(VARIANTS)), st.integers(0, 2**32))
def test_a_match_comes_back_from_its_text_with_the_same_events(variant: str, seed: int) -> None:
    events = [event for _, decided in decisions(VARIANTS[variant], seed) for event in decided]
    record = record_of(events, VARIANTS[variant])
    again = read_match(write_match(record))
    assert again == record
    assert events_of(again) == events


@pytest.mark.parametrize("name", LIVES)
def test_a_tables_match_comes_back_with_seats_and_seeds(name: str) -> None:
    record = record_of(life(name))
    assert read_match(write_match(record)) == record


def test_the_text_of_a_match_is_easy_to_read() -> None:
    assert write_match(read_match(SMALL)) == SMALL


def test_the_end_of_each_round_is_remarked_upon_and_the_result_stands_last() -> None:
    text = write_match(record_of(life("party-pairs")))
    assert re.search(r"^# (out|blocked): seat [1-4] gains \d+, scores \d+ \d+$", text, re.MULTILINE)
    assert re.search(r'\n\n\[result {"reason": "target", "winner": \[\d, \d\], "scores": \[\d+, \d+\]}\]\n$', text)


def test_only_what_differs_from_the_preset_is_named() -> None:
    ruleset = Ruleset.of("all-fives", spinner=True, target=250)
    text = write_match(MatchRecord(ruleset, ()))
    assert '[ruleset {"preset": "all-fives", "seats": 2, "target": 250, "spinner": true}]\n' in text
    assert read_match(text).ruleset == ruleset


def test_comments_and_empty_lines_say_nothing() -> None:
    text = SMALL.replace("1 6-6@start\n", "# first\n\n  1 6-6@start  # the highest double\n")
    assert read_match(text) == read_match(SMALL)


def test_a_resigned_match_comes_back() -> None:
    record = MatchRecord(Ruleset.of("draw", 2), (OPENED,), resigned=1)
    text = write_match(record)
    assert '[result {"reason": "resigned", "winner": [2], "scores": [0, 0]}]\n' in text
    assert read_match(text) == record


@pytest.mark.parametrize(
    ("line", "instead", "number", "expected", "got"),
    [
        ('[rules "1"]', "[rules 1]\n", 1, "a text", "1"),
        ('[rules "1"]', "[rules one]\n", 1, "a JSON value", "one"),
        ('[rules "1"]', '[rule "1"]\n', 1, "one of rules, ruleset, table, accounts, each once", "[rule …]"),
        ('[table "table-1"]', '[rules "1"]\n', 3, "one of rules, ruleset, table, accounts, each once", "[rules …]"),
        ('[table "table-1"]', "1 6-6@start\n", 3, "a name and a value in brackets", "1 6-6@start"),
        ('[accounts ["anna # 1", "berta"]]', "[accounts [1]]\n", 4, "a text", "1"),
        ('[ruleset {"preset": "draw", "seats": 2}]', "", 5, "[ruleset …] before it", "none"),
        ('[ruleset {"preset": "draw", "seats": 2}]', "[ruleset []]\n", 2, "an object of options", "[]"),
        (
            '[ruleset {"preset": "draw", "seats": 2}]',
            '[ruleset {"preset": "draw", "seats": 5}]\n',
            2,
            "a whole number from 2 to 4",
            "5",
        ),
        ("[round 1]", "[round 2]\n", 6, "round 1", "round 2"),
        ("[round 1]", "", 6, "one of rules, ruleset, table, accounts, each once", "[client-seeds …]"),
        ('[client-seeds ["", "salt # 2"]]', '[client-seeds "salt"]\n', 7, "a list of texts", '"salt"'),
        (
            '[client-seeds ["", "salt # 2"]]',
            '[client-seeds ["", "a:b"]]\n',
            7,
            "seeds of 0 to 64 printable ASCII characters without a colon",
            '"a:b"',
        ),
        ('[client-seeds ["", "salt # 2"]]', '[server-seed "00ff"]\n', 7, "64 hex digits", '"00ff"'),
        ('[client-seeds ["", "salt # 2"]]', f'[server-seed "{"g" * 64}"]\n', 7, "64 hex digits", f'"{"g" * 64}"'),
        ('[table "table-1"]', '[table "table:1"]\n', 3, "a table id without a colon", '"table:1"'),
        ('[client-seeds ["", "salt # 2"]]', "[lot 5]\n", 7, "a seat", "5"),
        ('[client-seeds ["", "salt # 2"]]', "[lot 1]\n", 11, "none, the rules decide who opens", "seat 1"),
        (
            '[client-seeds ["", "salt # 2"]]',
            '[hands ["6-6", "3-6"]]\n',
            7,
            "a tile such as 6-3, higher half first",
            "3-6",
        ),
        ("1 6-6@start", "1 6-1@start\n", 11, "the opening tile 6-6", "6-1@start"),
        ("1 6-6@start", "", 11, "seat 1", "seat 2"),
        ("2 6-5@left", "2 6-5\n", 12, "one of 6-5@left, 6-5@right", "6-5"),
        ("2 6-5@left", "2: 6-5\n", 12, "a seat and an action such as '2 6-3@left' or '1 draw'", "2: 6-5"),
        ("2 6-5@left", "[lot 2]\n", 12, "an action", "[lot …]"),
        ("2 6-5@left", "[round 2]\n", 12, "an action or the result", "[round 2]"),
        ('[client-seeds ["", "salt # 2"]]', "1 draw\n", 7, "[hands …] before it", "none"),
        ("[result null]", "[result 1]\n", 14, "null", "1"),
        ("[result null]", "", 14, "[result …]", "the end"),
        ("[result null]", "[result null]\n[result null]\n", 15, "nothing after the result", "[result …]"),
        ("[result null]", "[result null]\n1 draw\n", 15, "no action now", "1 draw"),
    ],
)
def test_what_is_no_match_says_in_which_line_what_was_expected_and_what_came(
    line: str, instead: str, number: int, expected: str, got: str
) -> None:
    raised = error(spoiled(line, instead))
    assert (raised.line, raised.expected, raised.got) == (number, expected, got)
    assert str(raised) == f"line {number}: expected {expected}, got {got}"


def test_an_empty_text_is_no_match() -> None:
    assert str(error("")) == "line 1: expected [result …], got the end"


@pytest.mark.parametrize("field", ["ruleset", "table", "accounts"])
def test_a_value_of_any_depth_is_no_match(field: str) -> None:
    """Too deep to be read, or just too deep to be told again: where that is depends on how deep the caller is."""
    for depth in range(800, 1_000):
        assert error(f"[{field} {'[' * depth}{']' * depth}]").line == 1
