"""Credit for the way between a person and the table.

Measured network delay is credited:
    `test_a_turn_is_longer_by_the_measured_delay`, `test_without_a_measure_there_is_no_credit`,
    `test_the_newest_measure_counts`, `test_a_match_clock_is_not_charged_for_what_is_credited`
Up to 500 ms a turn:
    `test_no_more_than_half_a_second_a_turn`, `test_a_fresh_timer_of_the_same_turn_brings_no_second_credit`
And 5 s a match:
    `test_no_more_than_five_seconds_a_match`
"""

from typing import Any

import pytest
from tests.stories.story import Story, event, refused

from contracts.table import LeaveTable, ReturnToSeat, SitDown
from domino_rules.ruleset import PRESETS
from domino_rules.table import Playing

MINUTES_10 = 600_000
TIMES = {"draw": 20_000, "block": 20_000, "party": 15_000, "duel-draw": MINUTES_10, "all-fives": MINUTES_10}


async def begin(story: Story, preset: str, delay_ms: int | None, **options: Any) -> dict[str, Any]:
    """All sit at that distance; the event by which the first turn started."""
    await story.open(preset, **options)
    for person in story.people:
        await story.done(person, SitDown(), delay_ms=delay_ms)
    return started(story)


def started(story: Story) -> dict[str, Any]:
    """By which the newest turn started."""
    return next(event for event in reversed(story.events) if event["type"] == "turn-started")


@pytest.mark.parametrize("preset", PRESETS)
async def test_a_turn_is_longer_by_the_measured_delay(story: Story, preset: str) -> None:
    turn = await begin(story, preset, 83)
    assert turn["credit_ms"] == 83
    assert turn["due_at"] - turn["set_at"] == TIMES[preset] + 83
    await story.draw_what_must_be()
    assert refused(await story.time_out(turn["due_at"])) == "too-early"
    await story.play(at=turn["due_at"])
    await story.draw_what_must_be()
    late = await story.says(story.mover, story.move(), story.due_at + 1)
    assert refused(late) == "too-late"


@pytest.mark.parametrize("preset", PRESETS)
async def test_without_a_measure_there_is_no_credit(story: Story, preset: str) -> None:
    turn = await begin(story, preset, None)
    assert "credit_ms" not in turn
    assert turn["due_at"] - turn["set_at"] == TIMES[preset]


@pytest.mark.parametrize("preset", ["block", "all-fives"])
async def test_the_newest_measure_counts(story: Story, preset: str) -> None:
    await begin(story, preset, 40)
    person = story.mover
    for delay_ms in (310, 120, 0):
        await story.play_until(lambda: isinstance(story.state, Playing) and story.mover == person)
        await story.draw_what_must_be()
        await story.play(delay_ms=delay_ms)
        await story.play_until(lambda: isinstance(story.state, Playing) and story.mover == person)
        assert started(story).get("credit_ms", 0) == delay_ms


@pytest.mark.parametrize("preset", ["duel-draw", "all-fives"])
async def test_a_match_clock_is_not_charged_for_what_is_credited(story: Story, preset: str) -> None:
    await begin(story, preset, 300)
    for spent, charged in ((1_000, 700), (200, 0), (300, 0), (301, 1)):
        await story.draw_what_must_be()
        before = story.clock(story.mover)
        ended = await story.play(at=story.deadline.set_at + spent)
        assert event(ended, "clock-stopped")["left_ms"] == before - charged


@pytest.mark.parametrize("preset", PRESETS)
async def test_no_more_than_half_a_second_a_turn(story: Story, preset: str) -> None:
    turn = await begin(story, preset, 2_000)
    assert turn["credit_ms"] == 500
    assert turn["due_at"] - turn["set_at"] == TIMES[preset] + 500


async def test_a_fresh_timer_of_the_same_turn_brings_no_second_credit(story: Story) -> None:
    first = await begin(story, "draw", 400)
    assert first["credit_ms"] == 400
    person = story.mover
    await story.done(person, LeaveTable(), delay_ms=2_000)
    assert "credit_ms" not in started(story)
    await story.done(person, ReturnToSeat(), delay_ms=2_000)
    again = started(story)
    assert again["turn"] == first["turn"]
    assert again["credit_ms"] == 100
    assert again["due_at"] - again["set_at"] == 20_100


@pytest.mark.parametrize("preset", ["draw", "all-fives"])
async def test_no_more_than_five_seconds_a_match(story: Story, preset: str) -> None:
    await begin(story, preset, 450, target=500)
    await story.play_until(lambda: story.turn > 30)
    credits = [event for event in story.events if event["type"] == "turn-started"]
    for seat in (1, 2):
        given = [turn.get("credit_ms", 0) for turn in credits if turn["seat"] == seat]
        assert given[:12] == [450] * 11 + [50]
        assert set(given[12:]) <= {0}
        assert sum(given) == 5_000
