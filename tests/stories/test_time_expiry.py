"""Tables that people have left to themselves.

A table without a human command for 24 hours expires:
    `test_a_table_expires_a_day_after_the_last_human_command`, `test_a_human_command_gives_it_another_day`
Timers, autopilot, bots and heartbeats are not activity:
    `test_bots_are_no_activity`, `test_timers_autopilot_and_heartbeats_are_no_activity`
"""

from typing import Any

from tests.stories.story import Story, refused, tags

from contracts.table import LeaveTable, ReturnToSeat, SitDown
from domino_rules.table import Expired

HOUR = 60 * 60 * 1000
DAY = 24 * HOUR
NOTED_MS = 60_000
"""What people do is noted once a minute: a table may live for so much longer."""
LONG_TURNS: dict[str, Any] = {"turn_ms": 100 * HOUR}


def within_a_minute(due_at: int, since: int) -> bool:
    return since + DAY <= due_at <= since + DAY + NOTED_MS


async def test_a_table_expires_a_day_after_the_last_human_command(story: Story) -> None:
    await story.begin("block", **LONG_TURNS)
    await story.play()
    due = story.deadline
    assert within_a_minute(due.due_at, story.now)
    assert refused(await story.time_out(due.due_at)) == "too-early"
    expired = await story.run_out()
    assert tags(expired) == ["table-expired"]
    assert isinstance(story.state, Expired)
    for person in story.people:
        assert refused(await story.says(person, SitDown())) == "table-over"
    assert story.deadline.kind == "retire"


async def test_a_human_command_gives_it_another_day(story: Story) -> None:
    await story.begin("block", **LONG_TURNS)
    for _ in range(2):
        await story.play(at=story.due_at)
        assert within_a_minute(story.due_at, story.now)
    late = await story.says(story.mover, story.move(), story.due_at + 1)
    assert (refused(late), tags(late)) == ("table-over", ["table-expired"])


async def test_bots_are_no_activity(story: Story) -> None:
    await story.open("block", bots=("bob",), **LONG_TURNS)
    await story.done("ann", SitDown())
    await story.done("bob", SitDown(), human=False)
    await story.play_until(lambda: story.mover == "bob")
    due = story.deadline
    await story.play(at=story.now + 12 * HOUR, human=False)
    await story.done("bob", ReturnToSeat(), story.now + HOUR, human=False)
    assert story.deadline == due
    assert tags(await story.run_out()) == ["table-expired"]


async def test_timers_autopilot_and_heartbeats_are_no_activity(story: Story) -> None:
    """The autopilot plays for who has left, and for the other one when half a day has passed, twice."""
    await story.begin("party", turn_ms=11 * HOUR)
    since, gone = story.now, story.mover
    await story.done(gone, LeaveTable())
    while story.deadline.kind != "expiry":
        assert "tile-played" in tags(await story.run_out())
    assert [event["type"] for event in story.events].count("turn-timed-out") == 2
    assert within_a_minute(story.due_at, since)
    assert tags(await story.run_out()) == ["table-expired"]
