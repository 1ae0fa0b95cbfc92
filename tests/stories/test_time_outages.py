"""Time in which nobody decides.

Outages of the service give time back:
    `test_a_turn_is_longer_by_the_outage`, `test_after_what_was_given_back_a_play_is_too_late`,
    `test_the_timer_waits_for_what_was_given_back`
Clocks are not charged for them:
    `test_a_match_clock_is_not_charged_for_an_outage`
What was sent meanwhile waits with its own time, and the next turn counts from when it was really dealt with:
    `test_a_play_that_was_sent_meanwhile_is_in_time_and_costs_the_next_seat_nothing`
"""

from tests.stories.story import Story, event, refused, tags
from tests.stories.town import envelope

OUTAGE_MS = 60_000
GIVEN_BACK_MS = OUTAGE_MS + 5_000


async def outage(story: Story) -> None:
    await story.outage(after_ms=5_000, length_ms=OUTAGE_MS)


async def test_a_turn_is_longer_by_the_outage(story: Story) -> None:
    await story.begin("draw")
    due, mover = story.deadline, story.mover
    await outage(story)
    assert story.deadline == due
    assert story.effective_due_at == due.due_at + GIVEN_BACK_MS
    early = await story.time_out(story.effective_due_at)
    assert refused(early) == "too-early"
    assert "tile-played" in tags(await story.play(at=story.effective_due_at))
    assert not story.player(mover).autopilot
    assert story.due_at - story.deadline.set_at == story.effective_due_at - story.deadline.set_at == 20_000


async def test_after_what_was_given_back_a_play_is_too_late(story: Story) -> None:
    await story.begin("draw")
    await outage(story)
    late = await story.says(story.mover, story.move(), story.effective_due_at + 1)
    assert refused(late) == "too-late"
    assert tags(late)[:2] == ["turn-timed-out", "autopilot-started"]


async def test_the_timer_waits_for_what_was_given_back(story: Story) -> None:
    await story.begin("draw")
    due = story.deadline
    await outage(story)
    timed_out = await story.run_out()
    assert tags(timed_out)[0] == "turn-timed-out"
    assert timed_out.at == due.due_at + GIVEN_BACK_MS + 1
    accepted = [body for body in story.bodies if body.principal == "timer" and body.refusal is None]
    assert accepted == [timed_out]


async def test_a_match_clock_is_not_charged_for_an_outage(story: Story) -> None:
    await story.begin("duel-draw")
    await story.draw_what_must_be()
    began, left = story.deadline.set_at, story.clock(story.mover)
    await outage(story)
    at = began + GIVEN_BACK_MS + 30_000
    ended = event(await story.play(at=at), "clock-stopped")
    assert ended["left_ms"] == left - 30_000


async def test_a_play_that_was_sent_meanwhile_is_in_time_and_costs_the_next_seat_nothing(story: Story) -> None:
    await story.begin("block")
    due, mover = story.deadline, story.mover
    await story.let_pass(due.due_at)
    await story.town.stop_table()
    await story.town.send(envelope(story.table_id, mover, story.move(), id="meanwhile"))
    story.town.stand_still(OUTAGE_MS)
    await story.town.start_table()
    played = await story.town.watch.until(lambda: story.town.answer(story.table_id, mover, "meanwhile"))
    assert (played.refusal, played.at) == (None, due.due_at)
    assert not story.player(mover).autopilot
    assert story.deadline.set_at == played.decided_at == due.due_at + OUTAGE_MS
    assert story.effective_due_at == story.due_at == due.due_at + OUTAGE_MS + 20_000
