import pytest
from tests.domino_rules.matches import dealt, play, play_out

from domino_rules import Draw, Flag, Match, Pass, Reason, Refusal, Ruleset, Timeout, decide
from domino_rules.actions import Action

DRAW = Ruleset.of("draw", 2, forced="manual")


def reason_of(match: Match, action: Action) -> str:
    decided = decide(match, action)
    assert isinstance(decided, Refusal), decided
    assert decided.message == f"expected {decided.expected}, got {decided.got}"
    return str(decided.reason)


@pytest.fixture
def bound() -> Match:
    """Seat 2 must open with 6-6."""
    return dealt(DRAW, "6-5 5-4 3-1", "6-6 6-4 2-1", boneyard="1-1")


@pytest.fixture
def opened() -> Match:
    """6-4 lies; seat 1 holds what fits left, right and nowhere."""
    match = dealt(DRAW, "6-5 4-1 2-2", "6-4 3-3", boneyard="1-1", opener=2)
    return play_out(match, play("6-4@start", 2))


def test_a_seat_that_does_not_exist_is_an_unknown_action(bound: Match) -> None:
    assert reason_of(bound, play("6-6", 3)) == "unknown-action"


def test_a_turn_timer_or_a_match_clock_that_the_ruleset_has_not_is_an_unknown_action(bound: Match) -> None:
    assert reason_of(bound, Flag(2)) == "unknown-action"
    duel = dealt(Ruleset.of("duel-draw"), "6-6 1-0", "6-1 5-5")
    assert reason_of(duel, Timeout(2)) == "unknown-action"


def test_unknown_comes_before_everything_else() -> None:
    over = play_out(dealt(DRAW, "6-6", "1-1"), play("6-6"))
    assert reason_of(over, Flag(1)) == "unknown-action"
    assert reason_of(over, play("1-1", 2)) == "round-over"


def test_after_the_match_nothing_goes() -> None:
    over = play_out(dealt(Ruleset.of("draw", 2, target=1), "6-6", "1-1"), play("6-6"))
    assert reason_of(over, Pass(1)) == "match-over"


def test_the_other_seat_waits(bound: Match) -> None:
    assert reason_of(bound, play("6-6", 1)) == "not-your-turn"
    assert reason_of(bound, Timeout(1)) == "not-your-turn"


@pytest.mark.parametrize("action", [play("6-4", 2), play("0-0", 2), Draw(2), Pass(2)])
def test_a_bound_opening_goes_before_the_hand_and_before_drawing(bound: Match, action: Action) -> None:
    assert reason_of(bound, action) == "must-open-with"


def test_the_bound_tile_still_needs_the_right_place(bound: Match) -> None:
    assert reason_of(bound, play("6-6@left", 2)) == "end-not-open"


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (play("0-0@up"), "tile-not-in-hand"),
        (play("6-5@up"), "end-not-open"),
        (play("6-5@start"), "end-not-open"),
        (play("2-2@down"), "end-not-open"),
        (play("6-5@right"), "does-not-fit"),
        (play("2-2"), "does-not-fit"),
        (play("2-2@left"), "does-not-fit"),
        (Draw(1), "must-play"),
        (Pass(1), "must-play"),
    ],
)
def test_the_first_reason_in_rule_book_order_is_given(opened: Match, action: Action, reason: str) -> None:
    assert reason_of(opened, action) == reason


def test_a_tile_that_fits_several_ends_needs_one_named() -> None:
    match = dealt(DRAW, "6-1 2-2", "6-6 3-3", opener=2)
    match = play_out(match, play("6-6", 2))
    assert reason_of(match, play("6-1")) == "end-needed"


def test_who_can_draw_may_not_pass_and_who_cannot_may_not_draw() -> None:
    full = play_out(dealt(DRAW, "2-2", "6-4 3-3", boneyard="1-1", opener=2), play("6-4", 2))
    assert reason_of(full, Pass(1)) == "must-draw"
    empty = play_out(dealt(DRAW, "2-2", "6-4 3-3", opener=2), play("6-4", 2))
    assert reason_of(empty, Draw(1)) == "cannot-draw"


TWO_SIXES = dealt(DRAW, "6-6 1-1", "6-1 3-3", boneyard="4-4")
LYING = play_out(TWO_SIXES, play("6-6"))
STUCK = play_out(dealt(DRAW, "6-6 1-1", "3-3 2-2", boneyard="4-4"), play("6-6"))
STUCK_WITHOUT_TILES = play_out(dealt(DRAW, "6-6 1-1", "3-3 2-2"), play("6-6"))
FOUR_ENDS = play_out(
    dealt(Ruleset.of("all-fives", spinner=True), "5-5 6-5 0-0", "5-0 5-4 3-3", opener=1),
    play("5-5"),
    play("5-0@right", 2),
    play("6-5@left"),
)
ROUND_OVER = play_out(dealt(DRAW, "6-6", "1-1"), play("6-6"))
MATCH_OVER = play_out(dealt(Ruleset.of("draw", 2, target=1), "6-6", "1-1"), play("6-6"))


@pytest.mark.parametrize(
    ("match", "action", "message"),
    [
        (TWO_SIXES, play("6-6", 3), "expected a seat from 1 to 2, got seat 3"),
        (TWO_SIXES, play("6-6", 0), "expected a seat from 1 to 2, got seat 0"),
        (TWO_SIXES, Flag(1), "expected an action of a ruleset without match clock, got flag"),
        (FOUR_ENDS, Timeout(2), "expected an action of a ruleset without turn timer, got timeout"),
        (MATCH_OVER, play("1-1@left", 2), "expected no action, the match has ended, got 1-1@left"),
        (ROUND_OVER, Draw(2), "expected no action before the next deal, got draw"),
        (LYING, play("1-1"), "expected seat 2, got seat 1"),
        (TWO_SIXES, play("1-1@start"), "expected the opening tile 6-6, got 1-1@start"),
        (TWO_SIXES, Pass(1), "expected the opening tile 6-6, got pass"),
        (TWO_SIXES, play("6-6@left"), "expected one of start, got left"),
        (LYING, play("0-0@left", 2), "expected a tile of the own hand, got 0-0"),
        (LYING, play("6-1@up", 2), "expected one of left, right, got up"),
        (LYING, play("6-1@start", 2), "expected one of left, right, got start"),
        (LYING, play("3-3@right", 2), "expected a 6 for right, got 3-3"),
        (FOUR_ENDS, play("3-3", 2), "expected a tile with one of 6 (left), 0 (right), 5 (up), 5 (down), got 3-3"),
        (FOUR_ENDS, play("5-4@start", 2), "expected one of left, right, up, down, got start"),
        (FOUR_ENDS, play("5-4", 2), "expected one of 5-4@up, 5-4@down, got 5-4"),
        (LYING, Draw(2), "expected a play, a tile of the hand fits, got draw"),
        (LYING, Pass(2), "expected a play, a tile of the hand fits, got pass"),
        (STUCK, Pass(2), "expected a draw, the boneyard has tiles, got pass"),
        (STUCK_WITHOUT_TILES, Draw(2), "expected a pass, nothing may be drawn, got draw"),
    ],
)
def test_every_refusal_says_what_was_expected_and_what_came(match: Match, action: Action, message: str) -> None:
    decided = decide(match, action)
    assert isinstance(decided, Refusal)
    assert decided.message == message


def test_every_reason_has_a_stable_code() -> None:
    assert [reason.value for reason in Reason] == [
        "unknown-action",
        "match-over",
        "round-over",
        "not-your-turn",
        "must-open-with",
        "tile-not-in-hand",
        "end-not-open",
        "does-not-fit",
        "end-needed",
        "must-play",
        "must-draw",
        "cannot-draw",
    ]


def test_a_refusal_tells_the_mover_nothing_about_other_hands(opened: Match) -> None:
    for action in (play("0-0"), play("3-3"), play("6-5@right"), Draw(1)):
        refusal = decide(opened, action)
        assert isinstance(refusal, Refusal)
        assert "3-3" not in refusal.message.replace("got 3-3", "")
        assert "1-1" not in refusal.message
