"""Private rooms as text."""

from typing import Any, get_args

import pytest
from tests.capicua.room_messages import private_room

from capicua.terminal.room_page import room_lines, ruleset_words, state_words, talk_lines
from capicua.terminal.words import PHRASES, talk_words
from contracts.room_api import PersonInRoom, Phrase, Talk


def test_seats_and_those_without_one_are_told() -> None:
    people = [
        PersonInRoom(account="gada", name="Ada"),
        PersonInRoom(account="gben", name="Ben", away=True),
        PersonInRoom(account="gcid", name="Cid\x1b[2J"),
    ]
    view = private_room(people=people, screens=2, host="gben", owner="gada")
    assert [line.plain.rstrip() for line in room_lines(view, "gada")] == [
        "Played: party with 4 seats to 100",
        "  1  Ada (you)",
        "  2  Ben (host, away)",
        "  3  free",
        "  4  house bot, expert",
        "  without a seat: Cid [2J",
        "  Ben is the host while Ada is away",
        "  2 screens show the table",
    ]


def test_pairs_are_told_apart() -> None:
    view = private_room(ruleset={"preset": "party", "seats": 4, "pairs": True})
    sides = [line.plain.split()[-2:] for line in room_lines(view, None)[1:5]]
    assert sides == [["first", "pair"], ["second", "pair"]] * 2


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"preset": "draw"}, "draw with 2 seats to 100"),
        ({"preset": "draw", "seats": 3, "target": 60, "turn_ms": 45_000}, "draw with 3 seats to 60, 45 s a turn"),
        (
            {"preset": "all-fives", "spinner": True, "clock_ms": 180_000},
            "all-fives with 2 seats to 100, spinner, 3 min a seat",
        ),
        ({"preset": "draw", "drawing": False, "turn_ms": None}, "draw with 2 seats to 100, no drawing, no turn timer"),
        (
            {"preset": "party", "opening": "lot", "pause_ms": 5_000},
            "party with 2 seats to 100, opening lot, pauses of 5 s",
        ),
        ({"preset": "whist", "seats": 4}, "preset whist, seats 4"),
    ],
)
def test_rules_are_said_by_what_is_not_the_preset_s_own(options: dict[str, object], words: str) -> None:
    assert sorted(ruleset_words(options).split(", ")) == sorted(words.split(", "))


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "1 seat is free"),
        ({"seats": []}, "Nobody is missing"),
        ({"running": True}, "A match is being played"),
        ({"starting": True}, "The house bots are on their way"),
        ({"bots_missing": True}, "Too few house bots"),
        ({"not_opened": True}, "The table could not be opened"),
        ({"closed": True, "running": True}, "The room is closed"),
    ],
)
def test_what_the_room_does_is_said(fields: dict[str, Any], words: str) -> None:
    assert state_words(private_room(**fields)).startswith(words)


def test_talk_is_told_with_its_speaker_and_phrases_in_words() -> None:
    talk = Talk(said_by="gben", name="Ben", at=1, text="one\x1b[2J")
    assert talk_lines([talk])[0].plain == "  Ben: one [2J"
    long = [line.plain for line in talk_lines([Talk(said_by="gben", name="Ben", at=1, text="fine day " * 20)])]
    assert max(map(len, long)) <= 80
    assert [line[:4] for line in long] == ["  Be", "    ", "    "]
    assert talk_words(Talk(said_by="gben", name="Ben", at=1, phrase="well-played")) == "Well played!"
    assert set(PHRASES) == set(get_args(Phrase))
