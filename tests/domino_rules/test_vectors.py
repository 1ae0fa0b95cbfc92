"""The published vectors are what the library gives, and what plainer computations give that share no code with it."""

from pathlib import Path
from typing import Any

import pytest
from tests.domino_rules import reference
from tests.domino_rules.test_perft import counted_slowly
from tests.domino_rules.test_shuffle import straightforward
from tests.domino_rules.vectors import FILES, FOLDER, SCENARIOS, Case, answered, read, seeds_of, text_of

from domino_rules import Reason, Ruleset
from domino_rules.notation import parse_hand
from domino_rules.ruleset import PRESETS
from domino_rules.shuffle import Deal

WITHOUT_BOUND_OPENING = ("duel-draw", "all-fives")
WAYS_TRIED_MAX = 40


def cases(name: str) -> list[Case]:
    return read(FOLDER / f"{name}.json")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_published_answers_are_what_the_library_gives(file: Path) -> None:
    assert text_of(answered(file)) == file.read_text()


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.stem)
def test_the_plain_rules_give_the_same_results(file: Path) -> None:
    for case in read(file):
        if "malformed" in case["answer"]:
            with pytest.raises(reference.Malformed):
                reference.run(case["scenario"])
        else:
            assert reference.run(case["scenario"]) == case["answer"], case["name"]


def test_the_words_of_the_rule_book_give_the_same_deals() -> None:
    for case in cases("shuffle"):
        answer = case["answer"]
        hands, boneyard, lot = straightforward(seeds_of(case), case["hand_size"])
        assert [hand.split() for hand in answer["hands"]] == hands
        assert (answer["boneyard"].split(), answer["lot"]) == (boneyard, lot)


def test_lots_fall_on_every_seat() -> None:
    assert {case["answer"]["lot"] for case in cases("shuffle")} == {1, 2, 3, 4}


def test_every_part_of_a_deal_is_found_wrong_once() -> None:
    parts = [case["answer"]["part"] for case in cases("verify") if case["answer"]]
    assert set(parts) == {"commitment", "hands", "hand", "boneyard", "lot"}


def test_trying_everything_finds_as_many_ways() -> None:
    for case in cases("perft"):
        options, deal = case["ruleset"], case["deal"]
        dealt = Deal(tuple([parse_hand(hand) for hand in deal["hands"]]), parse_hand(deal["boneyard"]), case["lot"])
        depth = sum(count <= WAYS_TRIED_MAX for count in case["answer"])
        assert counted_slowly(Ruleset.from_json(options), dealt, depth) == case["answer"][:depth]
    assert {case["ruleset"]["preset"] for case in cases("perft")} == set(PRESETS)


def test_each_preset_refuses_for_every_reason_that_it_can_have() -> None:
    reasons: dict[str, set[Any]] = {preset: set() for preset in PRESETS}
    for case in cases("scenarios/refusals"):
        reason = case["answer"]["refused"]["reason"]
        assert f": {reason}" in case["name"]
        reasons[case["scenario"]["ruleset"]["preset"]].add(reason)
    for preset, found in reasons.items():
        without = {"must-open-with"} if preset in WITHOUT_BOUND_OPENING else set()
        assert found == {reason.value for reason in Reason} - without, preset


def test_each_preset_has_a_whole_match() -> None:
    for preset in PRESETS:
        ended = [case for case in cases(f"scenarios/{preset}") if "whole match" in case["name"]]
        assert [case["answer"]["status"] for case in ended] == ["match-ended"] * 2


def test_no_two_cases_of_a_file_are_the_same_question() -> None:
    for file in FILES:
        questions = [str({**case, "answer": None, "name": None}) for case in read(file)]
        assert len(set(questions)) == len(questions), file.stem
