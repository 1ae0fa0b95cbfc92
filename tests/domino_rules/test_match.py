"""Whole decisions: what follows by itself, in which order, and what a fold keeps."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.domino_rules.matches import VARIANTS, accepted, dealt, decisions, hands, play, play_out
from tests.domino_rules.test_layout import laid

from domino_rules import (
    Draw,
    GameEvent,
    Match,
    MatchEnded,
    Pass,
    Passed,
    Refusal,
    RoundDealt,
    RoundEnded,
    Ruleset,
    TilePlayed,
    TilesDrawn,
    decide,
    evolve,
)
from domino_rules.actions import Action
from domino_rules.layout import EMPTY
from domino_rules.legal import legal_actions
from domino_rules.match import deal, forced_events, new_match
from domino_rules.notation import parse_hand, parse_tile
from domino_rules.state import position
from domino_rules.tiles import TILES

seeds = st.integers(min_value=0, max_value=2**32)
variants = st.sampled_from(sorted(VARIANTS))


def all_tiles(match: Match) -> list[int]:
    assert match.round is not None
    current = match.round
    held = [tile for hand in current.hands for tile in hand]
    return sorted([*held, *current.boneyard, *(play.tile for play in current.layout.plays)])


@settings(max_examples=80, deadline=None)
@given(variants, seeds)
def test_what_is_always_true_of_a_whole_match(variant: str, seed: int) -> None:
    ruleset = VARIANTS[variant]
    for before, events in decisions(ruleset, seed):
        match = before
        for event in events:
            scores = match.scores
            match = evolve(match, event)
            assert all_tiles(match) == sorted(TILES)
            gains = [new - old for new, old in zip(match.scores, scores, strict=True)]
            assert min(gains) >= 0
            assert sum(gain > 0 for gain in gains) <= 1
            if isinstance(event, TilePlayed | RoundEnded):
                assert event.points >= 0
                assert not ruleset.fives or event.points % 5 == 0


@settings(max_examples=30, deadline=None)
@given(variants, seeds)
def test_whoever_is_to_move_has_something_to_do_and_all_of_it_is_accepted(variant: str, seed: int) -> None:
    for before, _ in decisions(VARIANTS[variant], seed):
        actions = legal_actions(before)
        assert bool(actions) == (before.status == "playing")
        assert not any(isinstance(decide(before, action), Refusal) for action in actions)


@settings(max_examples=30, deadline=None)
@given(variants, seeds)
def test_a_fold_takes_scores_ends_and_openers_from_the_events_and_recomputes_nothing(variant: str, seed: int) -> None:
    """Events of another version, whose numbers are other ones, are believed all the same."""
    match = new_match(VARIANTS[variant])
    foreign = (7,) * len(match.scores)
    for _, events in decisions(VARIANTS[variant], seed):
        for event in events:
            if isinstance(event, TilePlayed):
                match = evolve(match, _of_another_version(event, foreign))
                assert match.round is not None
                assert match.scores == foreign
                assert match.round.layout.ends == (0, 3)
            elif isinstance(event, RoundEnded):
                match = evolve(match, RoundEnded("out", event.pips, 1, 3, foreign, 2, False))
                assert (match.scores, match.next_opener, match.next_forced) == (foreign, 2, False)
            else:
                match = evolve(match, event)
    assert match.status == "match-ended"


def _of_another_version(event: TilePlayed, scores: tuple[int, ...]) -> TilePlayed:
    return TilePlayed(event.seat, event.tile, event.end, (0, 3), 99, 1, scores, event.by)


def test_the_opening_tile_goes_out_at_once_when_it_is_the_last() -> None:
    match = dealt(Ruleset.of("draw", 2), "6-6", "5-5")
    events = accepted(decide(match, play("6-6")))
    assert [type(event) for event in events] == [TilePlayed, RoundEnded]


def test_the_seat_that_played_last_passes_too_before_the_round_is_blocked() -> None:
    match = dealt(Ruleset.of("block", 2), "6-6 1-1", "5-5 4-4")
    events = accepted(decide(match, play("6-6")))
    assert events[1:3] == [Passed(2), Passed(1)]
    assert events[3] == RoundEnded("blocked", (2, 18), 1, 16, (16, 0), 1, False)


def test_a_play_breaks_a_row_of_passes() -> None:
    ruleset = Ruleset.of("party", 3)
    match = dealt(ruleset, "6-4 3-3", "5-5 2-2", "4-1 2-1", opener=1)
    match = play_out(match, play("6-4"), Pass(2), play("4-1", 3), Pass(1), Pass(2))
    assert match.round is not None
    assert (match.round.passes_in_a_row, match.round.to_move) == (2, 3)
    assert [seat for seat, _ in match.round.passes] == [2, 1, 2]
    assert match.round.passes[-1] == (2, (6, 1))


def test_the_match_ends_when_a_round_brings_a_side_to_the_target() -> None:
    match = dealt(Ruleset.of("draw", 2, target=10), "6-6", "5-5")
    events = accepted(decide(match, play("6-6")))
    assert events[-1] == MatchEnded("target", (1,), (10, 0))
    assert play_out(match, play("6-6")).status == "match-ended"


def test_a_decision_leaves_the_match_as_it_was() -> None:
    match = dealt(Ruleset.of("draw", 2), "6-6 6-1", "6-5 5-5", boneyard="1-0")
    before = repr(match)
    decide(match, play("6-6"))
    assert repr(match) == before


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_the_same_choices_give_the_same_events(variant: str) -> None:
    seed = random.Random(variant).randrange(1000)
    assert list(decisions(VARIANTS[variant], seed)) == list(decisions(VARIANTS[variant], seed))


def test_drawn_tiles_come_from_the_front_and_are_appended_to_the_hand() -> None:
    match = dealt(Ruleset.of("draw", 2), "6-6 6-1", "5-5 4-4", boneyard="3-3 6-2 1-0")
    match = play_out(match, play("6-6"))
    assert match.round is not None
    assert match.round.hands == hands("6-1", "5-5 4-4 3-3 6-2")
    assert match.round.boneyard == parse_hand("1-0")


def test_a_deal_makes_a_round_in_which_nothing_has_happened_yet() -> None:
    ruleset = Ruleset.of("draw", 2)
    (event,) = deal(new_match(ruleset), hands("6-5 4-4", "5-5 1-0"), parse_hand("3-3 2-2"), client_seeds=("salt", ""))
    assert event == RoundDealt(
        1, hands("6-5 4-4", "5-5 1-0"), parse_hand("3-3 2-2"), 2, parse_tile("5-5"), ("salt", "")
    )
    dealt_round = position(hands("6-5 4-4", "5-5 1-0"), parse_hand("3-3 2-2"), EMPTY, 2, 2, parse_tile("5-5"))
    assert evolve(new_match(ruleset), event) == Match(ruleset, (0, 0), 1, dealt_round, None, False, None, None)


def test_a_round_remembers_its_opener_every_pass_and_every_draw() -> None:
    match = dealt(Ruleset.of("party", 2, drawing=True), "6-4 3-3 1-1", "4-0 5-5 2-2", boneyard="3-2 6-1 2-1", opener=2)
    match = play_out(match, play("4-0", 2), play("6-4@left"), Draw(2), play("6-1", 2), play("1-1@left"), Draw(2))
    match = play_out(match, play("2-1@left", 2), Pass(1))
    current = match.round
    assert current is not None
    assert (current.opener, current.to_move, current.forced_tile) == (2, 2, None)
    assert current.draws == ((2, 2, (6, 0), 2), (2, 1, (1, 0), 4))
    assert (current.passes, current.passes_in_a_row) == (((1, (2, 0)),), 1)


@pytest.mark.parametrize("event", [TilesDrawn(1, parse_hand("1-0")), Passed(1)])
def test_an_event_changes_nothing_that_it_does_not_speak_of(event: GameEvent) -> None:
    match = dealt(Ruleset.of("draw", 2), "6-6 6-1", "6-5 5-5", boneyard="1-0")
    current = evolve(match, event).round
    assert current is not None
    assert (current.opener, current.forced_tile, current.layout) == (1, parse_tile("6-6"), EMPTY)


def test_while_a_round_is_played_nothing_is_known_of_the_next_opening() -> None:
    for match, _ in decisions(VARIANTS["party-drawing"], 5):
        if match.playing is not None:
            assert (match.next_opener, match.next_forced, match.round_ended) == (None, False, None)


def test_a_lot_decides_before_a_deal_where_no_rule_names_the_opener() -> None:
    fives = Ruleset.of("all-fives", target=500)
    assert new_match(fives).lot_decides
    assert not new_match(Ruleset.of("draw", 2)).lot_decides
    playing = dealt(fives, "6-6", "5-5", opener=1)
    assert not playing.lot_decides
    won = play_out(playing, play("6-6"))
    assert (won.next_opener, won.lot_decides) == (1, False)
    assert play_out(dealt(fives, "6-6 2-0", "1-1", opener=1), play("6-6"), Pass(2), Pass(1)).lot_decides
    assert not play_out(dealt(Ruleset.of("all-fives", target=10), "6-6", "5-5", opener=1), play("6-6")).lot_decides


def test_a_match_that_is_over_keeps_its_last_round_and_how_it_ended() -> None:
    match = play_out(dealt(Ruleset.of("draw", 2, target=10), "6-6", "5-5"), play("6-6"))
    ended = RoundEnded("out", (0, 10), 1, 10, (10, 0), 1, False)
    over = MatchEnded("target", (1,), (10, 0))
    assert match == Match(match.ruleset, (10, 0), 1, match.round, None, False, ended, over)
    assert match.round is not None
    assert match.round.hands == hands("", "5-5")


@pytest.mark.parametrize(
    ("boneyard", "action", "first"),
    [("4-4", Draw(1), [TilesDrawn(1, parse_hand("4-4")), Passed(1)]), ("", Pass(1), [Passed(1)])],
)
def test_what_follows_an_asked_for_draw_or_pass_by_itself_counts_on_from_the_scores(
    boneyard: str, action: Action, first: list[GameEvent]
) -> None:
    current = position(hands("5-5", "3-3"), parse_hand(boneyard), laid("6-6@start"), to_move=1, opener=1)
    match = Match(Ruleset.of("draw", 2), (7, 5), 1, current, None, False, None, None)
    events = accepted(decide(match, action))
    assert events[:-1] == [*first, Passed(2)]
    assert isinstance(events[-1], RoundEnded)
    assert events[-1].scores == (7, 5 + events[-1].points)


def test_nothing_happens_by_itself_while_no_round_is_played() -> None:
    assert forced_events(new_match(Ruleset.of("draw", 2))) == []
    assert forced_events(play_out(dealt(Ruleset.of("draw", 2), "6-6", "5-5"), play("6-6"))) == []
