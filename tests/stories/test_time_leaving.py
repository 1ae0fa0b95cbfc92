"""Leaving, coming back, resigning.

A person may leave at any time:
    `test_a_person_may_leave_at_any_time`
The seat is then played on by the autopilot (by clock in clock games: `test_time_clocks.py`), keeps its score and can be
taken again by the same person until the match ends:
    `test_the_seat_is_played_on_keeps_its_score_and_is_taken_again`,
    `test_the_autopilot_of_who_left_acts_two_seconds_after_its_turn_began`,
    `test_nobody_else_takes_a_seat_that_was_left`, `test_a_seat_is_taken_again_until_the_match_ends`
Resigning ends a two-seat match at once for the opponent:
    `test_resigning_ends_a_match_of_two_at_once`
With more seats it is leaving:
    `test_with_more_seats_resigning_is_leaving`

What leaving and resigning cost in rated matches is told where ratings are kept; there are none yet.
"""

import pytest
from tests.stories.story import Story, event, refused, tags

from contracts.table import LeaveTable, Resign, ReturnToSeat, SitDown
from domino_rules.ruleset import PRESETS
from domino_rules.table import Finished, Pausing, Playing


async def test_a_person_may_leave_at_any_time(story: Story) -> None:
    await story.open("draw")
    await story.done("bob", LeaveTable())
    await story.done("bob", ReturnToSeat())
    for person in story.people:
        await story.done(person, SitDown())
    other, mover = story.others[0], story.mover
    assert tags(await story.done(other, LeaveTable())) == ["player-left", "autopilot-started"]
    assert tags(await story.done(mover, LeaveTable())) == ["player-left", "autopilot-started", "turn-started"]
    for person in story.people:
        await story.done(person, ReturnToSeat())
    await story.play_until(lambda: isinstance(story.state, Pausing))
    assert tags(await story.done("ann", LeaveTable())) == ["player-left", "autopilot-started"]


@pytest.mark.parametrize("preset", ["draw", "block", "party"])
async def test_the_seat_is_played_on_keeps_its_score_and_is_taken_again(story: Story, preset: str) -> None:
    await story.begin(preset, target={"party": 200}.get(preset, 150))
    await story.play_until(lambda: isinstance(story.state, Playing) and max(story.scores) > 0)
    leader = story.people[story.scores.index(max(story.scores))]
    scores, turn = story.scores, story.turn
    await story.done(leader, LeaveTable())
    await story.play_until(lambda: story.turn > turn + 4, away=leader)
    acted = [body for body in story.bodies if body.principal == "timer" and "tile-played" in tags(body)]
    assert acted
    assert not any("turn-timed-out" in tags(body) for body in acted)
    assert all(after >= before for before, after in zip(scores, story.scores, strict=True))
    await story.done(leader, ReturnToSeat())
    player = story.player(leader)
    assert (player.left, player.autopilot) == (False, False)
    await story.play_until(lambda: isinstance(story.state, Playing) and story.mover == leader)
    assert story.deadline.kind == "turn"


@pytest.mark.parametrize("preset", ["draw", "block", "party"])
async def test_the_autopilot_of_who_left_acts_two_seconds_after_its_turn_began(story: Story, preset: str) -> None:
    await story.begin(preset)
    await story.done(story.others[0], LeaveTable())
    await story.play()
    due = story.deadline
    assert (due.kind, due.due_at - due.set_at) == ("autopilot", 2_000)


async def test_nobody_else_takes_a_seat_that_was_left(story: Story) -> None:
    await story.begin("draw")
    await story.done("bob", LeaveTable())
    for command in (SitDown(), ReturnToSeat()):
        assert refused(await story.says("mallory", command)) == "not-seated"
    assert story.player("bob").left


@pytest.mark.parametrize("preset", ["draw", "block", "party"])
async def test_a_seat_is_taken_again_until_the_match_ends(story: Story, preset: str) -> None:
    """All have left: the autopilots play the match to its end, and in the middle of it one comes back for a turn."""
    await story.begin(preset, target=20)
    for person in story.people:
        await story.done(person, LeaveTable())
    for _ in range(4):
        await story.run_out()
    await story.done("ann", ReturnToSeat())
    await story.done("ann", LeaveTable())
    while not isinstance(story.state, Finished):
        await story.run_out()
    assert story.state.match.match_ended is not None
    assert story.state.match.match_ended.reason == "target"
    assert refused(await story.says("ann", ReturnToSeat())) == "table-over"


@pytest.mark.parametrize("preset", PRESETS)
async def test_resigning_ends_a_match_of_two_at_once(story: Story, preset: str) -> None:
    await story.open(preset)
    assert refused(await story.says("ann", Resign())) == "not-started"
    for person in story.people:
        await story.done(person, SitDown())
    quitter = story.others[0]
    resigned = await story.done(quitter, Resign(), story.now + 1_000)
    ended = event(resigned, "match-ended")
    assert (ended["reason"], ended["winner"]) == ("resigned", [2 - story.people.index(quitter)])
    assert "seed-revealed" in tags(resigned)
    assert isinstance(story.state, Finished)
    assert refused(await story.says(quitter, Resign())) == "table-over"


@pytest.mark.parametrize("preset", ["draw", "block", "party"])
async def test_with_more_seats_resigning_is_leaving(story: Story, preset: str) -> None:
    await story.begin(preset, 3)
    quitter = story.others[0]
    assert tags(await story.done(quitter, Resign())) == ["player-left", "autopilot-started"]
    await story.done(quitter, ReturnToSeat())
    assert not story.player(quitter).left
