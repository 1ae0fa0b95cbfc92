"""A table's log is right, or the first event that is wrong is named."""

import copy
import hashlib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.domino_rules.table.golden import FILES, read_golden

from domino_rules.verification import Wrong, verify_match

Log = list[dict[str, Any]]


@cache
def golden(name: str) -> Log:
    return read_golden(next(file for file in FILES if file.stem == name))[0]


@pytest.fixture
def log() -> Log:
    """A copy of two seats' match of `draw`, to be spoiled."""
    return copy.deepcopy(golden("draw-2"))


def index_of(log: Log, tag: str, nth: int = 0) -> int:
    return [index for index, body in enumerate(log) if body["type"] == tag][nth]


def first_wrong(log: Log) -> Wrong:
    wrong = verify_match(log)
    assert wrong is not None
    return wrong


def swap(text: str, one: int, other: int) -> str:
    words = text.split()
    words[one], words[other] = words[other], words[one]
    return " ".join(words)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_log_of_this_product_is_right(file: Path) -> None:
    assert verify_match(read_golden(file)[0]) is None


def test_the_secret_half_of_a_commitment_may_be_left_out(log: Log) -> None:
    for body in log:
        if body["type"] == "round-committed":
            del body["server_seed"]
    assert verify_match(log) is None


def test_events_of_foreign_types_are_passed_over(log: Log) -> None:
    log.insert(index_of(log, "tile-played"), {"type": "table-cheered", "seat": 2})
    assert verify_match(log) is None


def test_an_empty_log_lacks_its_opening() -> None:
    assert verify_match([]) == Wrong(0, "end", "table-opened", "no events")
    assert first_wrong([{"type": "passed", "seat": 1}]) == Wrong(0, "passed", "table-opened", "passed")


def test_a_commitment_comes_before_the_seats_seeds(log: Log) -> None:
    committed = log.pop(index_of(log, "round-committed"))
    log.insert(1, {"type": "player-seated", "seat": 2, "client_seed": ""})
    log.insert(2, committed)
    expected = "the commitment for round 1 before the seats' seeds"
    assert first_wrong(log) == Wrong(1, "player-seated", expected, "a seat's seed")


def test_a_commitment_that_is_not_the_seeds_hash_is_wrong_where_it_stands(log: Log) -> None:
    at = index_of(log, "round-committed", 1)
    seed = bytes.fromhex(log[at]["server_seed"])
    log[at]["commitment"] = "0" * 64
    assert first_wrong(log) == Wrong(at, "round-committed, commitment", hashlib.sha256(seed).hexdigest(), "0" * 64)


def test_a_revealed_seed_that_was_not_committed_to_is_wrong_where_it_stands(log: Log) -> None:
    committed, revealed = index_of(log, "round-committed"), index_of(log, "seed-revealed")
    log[revealed]["server_seed"] = bytes(32).hex()
    published = log[committed]["commitment"]
    assert first_wrong(log) == Wrong(
        revealed, "seed-revealed, server_seed", f"SHA-256 {published}", hashlib.sha256(bytes(32)).hexdigest()
    )


def test_a_seed_that_is_no_hex_text_is_wrong_where_it_stands(log: Log) -> None:
    at = index_of(log, "seed-revealed")
    log[at]["server_seed"] = "no seed"
    assert first_wrong(log) == Wrong(at, "event", "fields as its type has them", "ValueError in reading them")


def test_a_second_commitment_for_a_round_is_wrong(log: Log) -> None:
    at = index_of(log, "round-committed")
    log.insert(at + 1, log[at])
    assert first_wrong(log) == Wrong(at + 1, "round-committed", "one commitment for round 1", "one for round 1")


def test_a_seed_may_not_be_revealed_while_its_round_is_played(log: Log) -> None:
    revealed = log.pop(index_of(log, "seed-revealed"))
    at = index_of(log, "tile-played", 2)
    log.insert(at, revealed)
    assert first_wrong(log) == Wrong(at, "seed-revealed", "the round's end first", "the seed of round 1")


def test_a_deal_says_which_tile_of_which_hand_is_wrong(log: Log) -> None:
    at = index_of(log, "round-dealt")
    hands = log[at]["hands"]
    before = hands[1].split()
    hands[1] = swap(hands[1], 2, 5)
    assert first_wrong(log) == Wrong(at, "round-dealt, hand of seat 2, tile 3", before[2], before[5])


def test_a_deal_says_which_tile_of_the_boneyard_is_wrong(log: Log) -> None:
    at = index_of(log, "round-dealt", 1)
    before = log[at]["boneyard"].split()
    log[at]["boneyard"] = swap(log[at]["boneyard"], 4, 3)
    assert first_wrong(log) == Wrong(at, "round-dealt, boneyard, tile 4", before[3], before[4])


def test_a_deal_with_seeds_that_the_seats_did_not_give_is_wrong(log: Log) -> None:
    at = index_of(log, "round-dealt")
    given = log[at]["client_seeds"]
    log[at]["client_seeds"] = ["mine", "mine"]
    assert first_wrong(log) == Wrong(at, "round-dealt, client_seeds", str(given), "['mine', 'mine']")


def test_a_deal_without_its_commitment_is_wrong(log: Log) -> None:
    log = [body for body in log if body["type"] not in ("round-committed", "player-seated", "player-ready")]
    at = index_of(log, "round-dealt")
    assert first_wrong(log) == Wrong(at, "round-dealt", "the commitment for round 1 first", "its deal")


def test_a_lot_is_checked_too() -> None:
    log = copy.deepcopy(golden("all-fives"))
    at = index_of(log, "round-dealt")
    right = log[at]["opener"]
    log[at]["opener"] = 3 - right
    assert first_wrong(log) == Wrong(at, "round-dealt, lot", f"seat {right}", f"seat {3 - right}")


@pytest.mark.parametrize(
    ("tag", "field", "value"),
    [
        ("round-dealt", "forced_tile", None),
        ("tile-played", "ends_total", 99),
        ("tile-played", "points", 5),
        ("tile-played", "scores", [5, 0]),
        ("tile-played", "ends", {"left": 6, "right": 5}),
        ("tile-played", "by", "house"),
        ("round-ended", "pips", [0, 0]),
        ("round-ended", "winner", None),
        ("round-ended", "points", 77),
        ("round-ended", "scores", [77, 0]),
        ("round-ended", "next_opener", None),
        ("match-ended", "reason", "round-cap"),
        ("match-ended", "winner", []),
        ("match-ended", "scores", [0, 0]),
    ],
)
def test_a_recorded_result_that_the_rules_do_not_give_is_named_by_its_field(
    log: Log, tag: str, field: str, value: object
) -> None:
    at = index_of(log, tag)
    before = log[at].get(field, "nothing")
    log[at][field] = value
    wrong = first_wrong(log)
    assert (wrong.index, wrong.what) == (at, f"{tag}, {field}")
    assert before == "nothing" or str(before) in wrong.expected.replace("(", "[").replace(")", "]")


def test_a_play_that_would_have_been_refused_says_why(log: Log) -> None:
    at = index_of(log, "tile-played", 1)
    log[at]["seat"] = 3 - log[at]["seat"]
    assert first_wrong(log).what == "tile-played, not-your-turn"


def test_an_event_that_does_not_follow_says_what_does(log: Log) -> None:
    at = index_of(log, "round-ended")
    ended = log.pop(at)
    assert first_wrong(log) == Wrong(at, "seed-revealed", "the round's end first", "the seed of round 1")
    log.insert(at - 1, ended)
    assert first_wrong(log).what == "round-ended"


def test_what_the_autopilot_did_is_what_it_does(log: Log) -> None:
    """A person may choose another tile than the heaviest; the autopilot may not."""
    plays = [
        index
        for index, body in enumerate(log)
        if body["type"] == "tile-played" and log[index - 1]["type"] in ("autopilot-started", "turn-started")
        if log[index - 1].get("kind") != "turn"
    ]
    assert plays
    changed = 0
    for at in plays:
        spoiled = copy.deepcopy(log)
        spoiled[at]["tile"], spoiled[at]["end"] = "0-0", "left"
        if spoiled[at] != log[at]:
            changed += 1
            assert first_wrong(spoiled).index == at
    assert changed


def test_a_turn_is_the_movers_and_has_the_next_number(log: Log) -> None:
    at = index_of(log, "turn-started", 3)
    seat, turn = log[at]["seat"], log[at]["turn"]
    log[at]["seat"] = 3 - seat
    assert first_wrong(log) == Wrong(at, "turn-started, seat", str(seat), str(3 - seat))
    log[at] |= {"seat": seat, "turn": turn + 1}
    assert first_wrong(log) == Wrong(at, "turn-started, turn", str(turn), str(turn + 1))


def test_a_log_that_stops_early_lacks_its_end(log: Log) -> None:
    stopped = log[: index_of(log, "turn-started") + 1]
    assert first_wrong(stopped) == Wrong(len(stopped), "end", "match-ended", "no more events")
    stopped = log[: index_of(log, "round-ended")]
    assert first_wrong(stopped) == Wrong(len(stopped), "end", "round-ended", "no more events")
    without_seed = [body for body in log if body != log[index_of(log, "seed-revealed", -1)]]
    assert first_wrong(without_seed).what == "server_seed"
    assert first_wrong(without_seed).index == len(without_seed)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_any_change_of_an_event_of_the_game_is_found_where_it_stands(data: st.DataObject) -> None:
    log = copy.deepcopy(golden(data.draw(st.sampled_from(["draw-2", "all-fives-spinner", "party-pairs", "block-3"]))))
    game = ("tile-played", "tiles-drawn", "passed", "round-ended", "match-ended", "round-dealt")
    at = data.draw(st.sampled_from([index for index, body in enumerate(log) if body["type"] in game]))
    field = data.draw(st.sampled_from(sorted(set(log[at]) - {"type"})))
    log[at][field] = changed(log[at][field])
    assert first_wrong(log).index == at


def changed(value: Any) -> Any:
    """Another value of the same kind."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str() if " " in value:
            return value.rpartition(" ")[0]
        case str():
            return "0-0" if value != "0-0" else "1-0"
        case list() if value:
            return [changed(value[0]), *value[1:]]
        case dict() if value:
            return {name: changed(number) for name, number in value.items()}
        case _:
            return 1


def test_a_wrong_thing_is_a_sentence() -> None:
    assert str(Wrong(3, "tile-played, points", "0", "5")) == "event 3, tile-played, points: expected 0, got 5"
