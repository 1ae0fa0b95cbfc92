"""The race of a play and its timeout, in both orders, in every preset, through the real log.

A play logged at or before the deadline is in time, the log's own time decides, whatever the timer does:
    `test_a_play_at_the_very_deadline_is_in_time`
The first command logged after it first applies the timeout; a play of the ended turn is too late in the same outcome:
    `test_a_play_after_the_deadline_is_too_late_in_the_outcome_of_the_timeout`
A play that is logged after the timeout of its turn is refused, the hand is unchanged:
    `test_a_play_after_the_timeout_is_too_late_and_changes_nothing`
A timeout logged at or before the deadline is refused as too early and may come again:
    `test_a_timeout_at_the_very_deadline_is_too_early_and_comes_again`
"""

import pytest
from tests.stories.story import Story, refused, tags

from domino_rules.ruleset import PRESETS
from domino_rules.table import Finished, Playing

pytestmark = pytest.mark.parametrize("preset", PRESETS)


async def in_the_second_turn(story: Story, preset: str) -> None:
    """Whoever is to move can end the turn by what is legal first."""
    await story.begin(preset)
    await story.draw_what_must_be()
    await story.play()
    await story.draw_what_must_be()
    assert story.turn == 2


def begins_as_timed_out(found: list[str], preset: str) -> bool:
    """What a timeout does about a turn that its person could have ended, up to the next one."""
    if preset in ("duel-draw", "all-fives"):
        return found == ["turn-timed-out", "clock-stopped", "match-ended", "seed-revealed"]
    stays = [] if preset == "party" else ["autopilot-started"]
    expected = ["turn-timed-out", *stays, "tile-played"]
    return found[: len(expected)] == expected


async def test_a_play_at_the_very_deadline_is_in_time(story: Story, preset: str) -> None:
    await in_the_second_turn(story, preset)
    due, mover = story.deadline, story.mover
    played = await story.play(at=due.due_at)
    assert played.at == due.due_at
    assert {"tile-played", "passed"} & set(tags(played))
    assert not story.player(mover).autopilot
    late = await story.time_out(due.due_at + 1, due)
    assert (refused(late), tags(late)) == ("not-current", [])


async def test_a_play_after_the_deadline_is_too_late_in_the_outcome_of_the_timeout(story: Story, preset: str) -> None:
    await in_the_second_turn(story, preset)
    due = story.deadline
    late = await story.says(story.mover, story.move(), due.due_at + 1)
    assert refused(late) == "too-late"
    assert begins_as_timed_out(tags(late), preset)
    assert isinstance(story.state, Finished if story.state.table.clocks else Playing)
    again = await story.time_out(story.now, due)
    assert (refused(again), tags(again)) == ("not-current", [])


async def test_a_play_after_the_timeout_is_too_late_and_changes_nothing(story: Story, preset: str) -> None:
    await in_the_second_turn(story, preset)
    mover, move = story.mover, story.move()
    assert begins_as_timed_out(tags(await story.run_out()), preset)
    hand, version = story.hand(mover), story.version
    late = await story.says(mover, move)
    assert (refused(late), tags(late)) == ("too-late", [])
    assert (story.hand(mover), story.version) == (hand, version)


async def test_a_timeout_at_the_very_deadline_is_too_early_and_comes_again(story: Story, preset: str) -> None:
    await in_the_second_turn(story, preset)
    due = story.deadline
    for at in (story.now, due.due_at):
        early = await story.time_out(at)
        assert (refused(early), tags(early)) == ("too-early", [])
        assert story.deadline == due
    again = await story.time_out(due.due_at + 1)
    assert begins_as_timed_out(tags(again), preset)
