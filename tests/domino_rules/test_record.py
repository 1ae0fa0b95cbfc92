from functools import cache
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.domino_rules.matches import VARIANTS, decisions
from tests.domino_rules.table.golden import golden_life
from tests.domino_rules.table.lives import KINDS

from domino_rules import Draw, Flag, GameEvent, MatchEnded, Pass, PlayTile, Ruleset, evolve, new_match
from domino_rules.notation import parse_action, parse_hand
from domino_rules.record import MatchRecord, RoundRecord, check_shuffles, events_of, record_of
from domino_rules.retrace import Departure
from domino_rules.shuffle import ShuffleMismatch
from domino_rules.table import TableEvent

LIVES = sorted(KINDS)
TWO_HANDS = (parse_hand("6-6 6-1 5-0 4-0 3-0 2-0 1-0"), parse_hand("5-5 6-5 5-4 5-3 5-2 5-1 0-0"))
THE_REST = parse_hand("6-4 6-3 6-2 6-0 4-4 4-3 4-2 4-1 3-3 3-2 3-1 2-2 2-1 1-1")
OPENED = RoundRecord(TWO_HANDS, THE_REST, (parse_action("1 6-6@start"),))


@cache
def life(name: str) -> tuple[TableEvent, ...]:
    return tuple(golden_life(name))


def game_of(log: tuple[TableEvent, ...]) -> list[Any]:
    return [event for event in log if isinstance(event, get_args(GameEvent))]


def with_(one: RoundRecord, **changes: Any) -> RoundRecord:
    values: dict[str, Any] = {name: getattr(one, name) for name in RoundRecord.__slots__}
    return RoundRecord(**(values | changes))


def departure(record: MatchRecord) -> Departure:
    with pytest.raises(Departure) as raised:
        events_of(record)
    return raised.value


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(sorted(VARIANTS)), st.integers(0, 2**32))
def test_a_record_gives_the_same_events_again(variant: str, seed: int) -> None:
    events = [event for _, decided in decisions(VARIANTS[variant], seed) for event in decided]
    assert events_of(record_of(events, VARIANTS[variant])) == events


@pytest.mark.parametrize("name", LIVES)
def test_a_tables_log_gives_its_game_with_seats_seeds_and_deals_that_can_be_checked(name: str) -> None:
    record = record_of(life(name))
    assert events_of(record) == game_of(life(name))
    assert (record.table_id, record.accounts[0], len(record.accounts)) == ("table-1", "account-1", KINDS[name].seats)
    assert check_shuffles(record) == len(record.rounds)


def test_only_what_seats_did_is_an_action_and_what_follows_by_itself_is_none() -> None:
    by_themselves = record_of(life("draw-2"))
    assert {type(action) for one in by_themselves.rounds for action in one.actions} == {PlayTile}
    asked_for = record_of(life("duel-draw"))
    assert {type(action) for one in asked_for.rounds for action in one.actions} >= {PlayTile, Draw}
    assert record_of(life("duel-draw-flag")).rounds[-1].actions[-1] in (Flag(1), Flag(2))


def test_a_lot_is_recorded_where_a_lot_decided_and_nowhere_else() -> None:
    assert {one.lot for one in record_of(life("draw-2")).rounds} == {None}
    assert record_of(life("all-fives")).rounds[0].lot in (1, 2)


def test_a_match_that_is_not_over_can_be_recorded_and_one_that_was_resigned() -> None:
    ruleset = Ruleset.of("draw", 2)
    events = events_of(MatchRecord(ruleset, (OPENED,)))
    assert record_of(events, ruleset).rounds == (OPENED,)
    resigned = [*events, MatchEnded("resigned", (1,), (0, 0))]
    record = record_of(resigned, ruleset)
    assert record.resigned == 2
    assert events_of(record) == resigned
    match = new_match(ruleset)
    for event in resigned:
        match = evolve(match, event)
    assert match.status == "match-ended"


def test_an_action_that_is_refused_says_why() -> None:
    refused = departure(MatchRecord(Ruleset.of("draw", 2), (with_(OPENED, actions=(Pass(1),)),)))
    assert (refused.what, refused.expected, refused.got) == ("must-open-with", "the opening tile 6-6", "pass")


@pytest.mark.parametrize(
    ("changes", "what", "expected"),
    [
        ({"hands": (*TWO_HANDS, ())}, "round-dealt, hands", "2 hands"),
        ({"boneyard": THE_REST[1:]}, "round-dealt", "all 28 tiles"),
        ({"boneyard": (*THE_REST, THE_REST[0])}, "round-dealt", "every tile once"),
        (
            {"hands": ((), TWO_HANDS[1]), "boneyard": TWO_HANDS[0] + THE_REST},
            "round-dealt, hands",
            "at least one tile in each",
        ),
        ({"lot": 2}, "lot", "none, the rules decide who opens"),
    ],
)
def test_a_deal_that_cannot_be_says_why(changes: dict[str, Any], what: str, expected: str) -> None:
    wrong = departure(MatchRecord(Ruleset.of("draw", 2), (with_(OPENED, **changes),)))
    assert (wrong.what, wrong.expected) == (what, expected)


def test_a_round_comes_after_the_last_has_ended_and_a_lot_where_it_decides() -> None:
    assert departure(MatchRecord(Ruleset.of("draw", 2), (OPENED, OPENED))).got == "another round"
    assert departure(MatchRecord(Ruleset.of("all-fives"), (OPENED,))).expected == "a seat, a lot decides who opens"
    three = MatchRecord(Ruleset.of("draw", 3), (), resigned=1)
    assert departure(three).expected == "a match of two in play"


def test_a_deal_that_its_seeds_do_not_give_is_found() -> None:
    record = record_of(life("draw-2"))
    first, *others = record.rounds
    spoiled = with_(first, boneyard=first.boneyard[::-1])
    with pytest.raises(ShuffleMismatch, match="boneyard, tile 1: expected"):
        check_shuffles(MatchRecord(record.ruleset, (spoiled, *others), record.table_id))


def test_rounds_without_seeds_are_not_checked() -> None:
    record = record_of(life("draw-2"))
    assert check_shuffles(MatchRecord(record.ruleset, record.rounds)) == 0
    assert check_shuffles(MatchRecord(record.ruleset, (with_(record.rounds[0], server_seed=None),), "table-1")) == 0


def test_events_that_do_not_follow_are_no_record() -> None:
    events = game_of(life("draw-2"))
    with pytest.raises(Departure, match="expected no action before the next deal, got 6-6@start") as raised:
        record_of(events[1:], Ruleset.of("draw", 2, target=50))
    assert raised.value.what == "tile-played, round-over"


def test_without_a_tables_opening_the_rules_must_be_told() -> None:
    with pytest.raises(Departure, match="ruleset: expected a table's opening, or a ruleset, got neither"):
        record_of([])
    with pytest.raises(Departure, match="round-dealt: expected a table's opening"):
        record_of(game_of(life("draw-2")))
