"""Between two rounds.

Next round: in party after 15 s or when the host says so:
    `test_the_next_round_comes_by_itself`, `test_at_a_party_the_host_alone_says_so`,
    `test_at_a_party_all_guests_together_do_not_say_so`, `test_a_party_without_its_host_goes_on_when_all_say_so`
The others after 8 s or when all seated people say so:
    `test_the_next_round_comes_by_itself`, `test_all_seated_people_say_so`,
    `test_who_has_left_and_bots_are_not_waited_for`
"""

import pytest
from tests.stories.story import Story, refused, tags

from contracts.table import LeaveTable, NextRound, SitDown
from domino_rules.ruleset import PRESETS
from domino_rules.table import Pausing, Playing

TARGETS = {"draw": 150, "block": 150, "duel-draw": 500, "all-fives": 500, "party": 200}
NEXT = NextRound(round=1)


async def after_the_first_round(story: Story, preset: str, seats: int = 2) -> None:
    await story.begin(preset, seats, target=TARGETS[preset])
    await story.play_until(lambda: isinstance(story.state, Pausing))


@pytest.mark.parametrize("preset", PRESETS)
async def test_the_next_round_comes_by_itself(story: Story, preset: str) -> None:
    await after_the_first_round(story, preset)
    due = story.deadline
    assert (due.kind, due.due_at - due.set_at) == ("pause", 15_000 if preset == "party" else 8_000)
    early = await story.time_out(due.due_at)
    assert refused(early) == "too-early"
    dealt = await story.run_out()
    assert tags(dealt)[0] == "round-dealt"
    assert story.deadline.set_at == dealt.at


@pytest.mark.parametrize("preset", ["draw", "block", "duel-draw", "all-fives"])
async def test_all_seated_people_say_so(story: Story, preset: str) -> None:
    await after_the_first_round(story, preset)
    first, second = story.people
    due = story.deadline
    for _ in range(2):
        await story.done(first, NEXT, story.now + 500)
        assert isinstance(story.state, Pausing)
        assert story.deadline == due
    dealt = await story.done(second, NEXT, due.due_at)
    assert tags(dealt)[:2] == ["player-ready", "round-dealt"]


async def test_who_has_left_and_bots_are_not_waited_for(story: Story) -> None:
    await story.open("block", 3, bots=("cid",), target=150)
    for person in story.people:
        await story.done(person, SitDown())
    await story.play_until(lambda: isinstance(story.state, Pausing))
    await story.done("ann", LeaveTable())
    assert isinstance(story.state, Pausing)
    assert tags(await story.done("bob", NEXT))[:2] == ["player-ready", "round-dealt"]


async def test_at_a_party_the_host_alone_says_so(story: Story) -> None:
    await after_the_first_round(story, "party", 3)
    await story.done("cid", NEXT)
    assert isinstance(story.state, Pausing)
    assert "round-dealt" in tags(await story.done("ann", NEXT))
    assert isinstance(story.state, Playing)


async def test_at_a_party_all_guests_together_do_not_say_so(story: Story) -> None:
    await after_the_first_round(story, "party", 3)
    due = story.deadline
    for guest in ("bob", "cid"):
        await story.done(guest, NEXT)
    assert isinstance(story.state, Pausing)
    assert story.deadline == due


async def test_a_party_without_its_host_goes_on_when_all_say_so(story: Story) -> None:
    await after_the_first_round(story, "party", 3)
    await story.done("ann", LeaveTable())
    await story.done("bob", NEXT)
    assert isinstance(story.state, Pausing)
    assert "round-dealt" in tags(await story.done("cid", NEXT))
