"""Match clocks, in `duel-draw` and `all-fives`.

3, 5, 10, 15 or 20 minutes a seat, 10 unless chosen:
    `test_minutes_on_the_clock`
It runs only in the own turn, draws and lost connections included:
    `test_it_runs_in_the_own_turn_draws_included`, `test_it_runs_on_while_its_person_is_away`,
    `test_who_stays_away_loses_by_the_clock`
It stands still between rounds, in the opponent's turn and during the house opening:
    `test_it_stands_still_in_the_opponents_turn`, `test_it_stands_still_between_rounds`,
    `test_it_stands_still_during_the_house_opening`
At zero the match is lost, whatever the score; drawn tiles stay drawn:
    `test_the_leader_draws_and_flags_and_loses`, `test_a_clock_used_up_to_the_last_millisecond_flags_in_its_next_turn`
"""

from functools import partial
from typing import Any

import pytest
from tests.stories.story import Story, event, refused, tags

from contracts.table import LeaveTable, NextRound, ReturnToSeat
from domino_rules.table import Finished, Pausing, Playing

MINUTE = 60_000
CLOCKED = pytest.mark.parametrize("preset", ["duel-draw", "all-fives"])


@CLOCKED
@pytest.mark.parametrize("minutes", [None, 3, 5, 10, 15, 20])
async def test_minutes_on_the_clock(story: Story, preset: str, minutes: int | None) -> None:
    options: dict[str, Any] = {} if minutes is None else {"clock_ms": minutes * MINUTE}
    await story.begin(preset, **options)
    due, full = story.deadline, (minutes or 10) * MINUTE
    assert (due.kind, due.due_at - due.set_at) == ("clock", full)
    assert story.state.table.clocks == (full, full)


@CLOCKED
async def test_it_runs_in_the_own_turn_draws_included(story: Story, preset: str) -> None:
    await story.begin(preset)
    await story.play_until(lambda: isinstance(story.state, Playing) and story.legal == ["draw"])
    person, before, began = story.mover, story.clock(story.mover), story.deadline.set_at
    await story.play("draw", at=story.now + 30_000)
    assert story.clock(person) == before
    await story.draw_what_must_be()
    ended = await story.play(at=story.now + 15_000)
    assert event(ended, "clock-stopped")["left_ms"] == story.clock(person) == before - (story.now - began)
    assert story.now - began >= 45_000


@CLOCKED
async def test_it_stands_still_in_the_opponents_turn(story: Story, preset: str) -> None:
    await story.begin(preset)
    for spent in (7_000, 2_500, 11_000, 400):
        person, other = story.mover, story.others[0]
        before = {who: story.clock(who) for who in story.people}
        await story.draw_what_must_be()
        await story.play(at=story.now + spent)
        assert story.clock(person) == before[person] - spent
        assert story.clock(other) == before[other]
        assert story.due_at == story.now + before[other]


@CLOCKED
async def test_it_stands_still_between_rounds(story: Story, preset: str) -> None:
    await story.begin(preset, target=500)
    await story.play(story.legal[0], at=story.now + 3_000)
    await story.play_until(lambda: isinstance(story.state, Pausing))
    clocks = story.state.table.clocks
    assert min(clocks) < 10 * MINUTE
    first, second = story.people
    await story.done(first, NextRound(round=1), story.now + 2_000)
    await story.done(second, NextRound(round=1), story.now + 3_000)
    assert isinstance(story.state, Playing)
    assert story.state.table.clocks == clocks
    assert (story.deadline.set_at, story.due_at) == (story.now, story.now + story.clock(story.mover))


async def test_it_stands_still_during_the_house_opening(story: Story) -> None:
    await story.begin("duel-draw", target=500)
    for _ in range(2):
        played = story.state.match.round_number
        opened = next(body for body in reversed(story.bodies) if "round-dealt" in tags(body))
        house = event(opened, "tile-played")
        assert (house["by"], house["seat"]) == ("house", 3 - story.seat)
        assert "clock-stopped" not in tags(opened)
        assert story.deadline.set_at == story.now
        assert story.due_at == story.now + story.clock(story.mover)
        await story.play_until(partial(later_round, story, played))


def later_round(story: Story, played: int) -> bool:
    return story.state.match.round_number > played


@CLOCKED
async def test_it_runs_on_while_its_person_is_away(story: Story, preset: str) -> None:
    await story.begin(preset)
    await story.draw_what_must_be()
    person, due = story.mover, story.deadline
    await story.done(person, LeaveTable(), story.now + 1_000)
    assert story.deadline == due
    assert refused(await story.says(person, story.move(), story.now + 1_000)) == "not-seated"
    await story.done(person, ReturnToSeat(), story.now + 60_000)
    assert story.deadline == due
    ended = await story.play(at=story.now + 1_000)
    assert event(ended, "clock-stopped")["left_ms"] == 10 * MINUTE - 63_000


@CLOCKED
async def test_who_stays_away_loses_by_the_clock(story: Story, preset: str) -> None:
    await story.begin(preset)
    away, other = story.others[0], story.mover
    await story.done(away, LeaveTable())
    await story.draw_what_must_be()
    await story.play()
    assert story.mover == away
    ended = event(await story.run_out(), "match-ended")
    assert (ended["reason"], ended["winner"]) == ("clock", [story.people.index(other) + 1])


@CLOCKED
async def test_the_leader_draws_and_flags_and_loses(story: Story, preset: str) -> None:
    await story.begin(preset, target=500)

    def leads_and_must_draw() -> bool:
        return (
            isinstance(story.state, Playing)
            and max(story.scores) == story.scores[story.seat - 1] > min(story.scores)
            and story.legal == ["draw"]
        )

    await story.play_until(leads_and_must_draw)
    person, scores, before = story.mover, story.scores, len(story.hand(story.mover))
    await story.play("draw")
    hand = story.hand(person)
    assert len(hand) > before
    lost = await story.run_out()
    assert tags(lost) == ["turn-timed-out", "clock-stopped", "match-ended", "seed-revealed"]
    ended = event(lost, "match-ended")
    assert (ended["reason"], ended["winner"], ended["scores"]) == (
        "clock",
        [2 if person == story.people[0] else 1],
        scores,
    )
    assert (story.hand(person), story.clock(person)) == (hand, 0)


@CLOCKED
async def test_a_clock_used_up_to_the_last_millisecond_flags_in_its_next_turn(story: Story, preset: str) -> None:
    await story.begin(preset)
    await story.draw_what_must_be()
    person = story.mover
    await story.play(at=story.due_at)
    assert story.clock(person) == 0
    await story.play_until(lambda: not isinstance(story.state, Playing) or story.mover == person)
    assert story.due_at == story.deadline.set_at
    assert event(await story.run_out(), "match-ended")["reason"] == "clock"
    assert isinstance(story.state, Finished)
