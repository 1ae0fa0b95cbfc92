"""The autopilot, and coming back from it.

The legal tile with most pips; among equals the higher larger half; then the first of left, right, up, down; nothing
legal: draw until one fits, play that one, else pass:
    `test_the_autopilot_plays_what_the_rules_say`
A forced opening tile is played:
    `test_a_forced_opening_tile_is_played`
The seat stays on autopilot, which acts 2 s after its turn begins:
    `test_it_stays_on_and_acts_two_seconds_after_its_turn_began`
Until its person does anything at the table, or says return-to-seat:
    `test_until_its_person_does_anything_at_the_table`, `test_until_its_person_plays`,
    `test_until_its_person_tries_to_play`, `test_until_its_person_wants_the_next_round`
A return in the own turn gives a fresh turn timer, once per absence:
    `test_a_return_in_the_own_turn_gives_a_fresh_timer`, `test_a_fresh_timer_is_given_once_per_absence`
In party the same choice, for that turn alone:
    `test_the_autopilot_plays_what_the_rules_say`, `test_in_party_it_acts_for_that_turn_alone`
"""

from typing import Any

import pytest
from tests.stories.story import Story, event, refused, tags

from contracts.envelope import OutcomeBody
from contracts.message import Message
from contracts.table import LeaveTable, NextRound, PassTurn, ReturnToSeat, SitDown
from domino_rules.table import Pausing, Playing, view_for

STAYS_ON = pytest.mark.parametrize("preset", ["draw", "block"])
ENDS = ("left", "right", "up", "down")


def weight(tile: str) -> tuple[int, int]:
    halves = [int(half) for half in tile.split("-")]
    return sum(halves), max(halves)


def fits(tile: str, ends: dict[str, int]) -> list[str]:
    return [end for end in ENDS if end in ends and str(ends[end]) in tile.split("-")]


def choice(hand: list[str], ends: dict[str, int]) -> tuple[str, str] | None:
    """The rules' own words, once more."""
    legal = [tile for tile in hand if fits(tile, ends)]
    if not legal:
        return None
    best = max(legal, key=weight)
    return best, fits(best, ends)[0]


def check(before: dict[str, Any], outcome: OutcomeBody) -> str:
    """What the server did for the seat to move follows from what that seat saw; what it was in one word."""
    hand, ends = list(before["hand"]), dict(before["ends"])
    played, drawn, passed = (
        next((event for event in outcome.events if (event["type"], event.get("seat")) == (tag, before["you"])), None)
        for tag in ("tile-played", "tiles-drawn", "passed")
    )
    if not ends:
        assert played is not None
        assert played["tile"] == (before["forced_tile"] or max(hand, key=weight))
        return "opened"
    expected = choice(hand, ends)
    if expected is not None:
        assert played is not None
        assert (played["tile"], played["end"]) == expected
        return "played"
    for tile in () if drawn is None else drawn["tiles"].split():
        assert expected is None, "drew on though a tile fitted"
        expected = choice([tile], ends)
    assert (played is None) == (expected is None) == (passed is not None)
    if played is not None:
        assert (played["tile"], played["end"]) == expected
        return "drew"
    return "passed"


@pytest.mark.parametrize(
    ("preset", "seats", "options", "wanted"),
    [
        ("draw", 2, {}, {"opened", "played"}),
        ("block", 3, {}, {"opened", "played"}),
        ("party", 2, {"drawing": True}, {"opened", "played", "drew"}),
        ("party", 3, {}, {"opened", "played", "passed"}),
    ],
)
async def test_the_autopilot_plays_what_the_rules_say(
    story: Story, preset: str, seats: int, options: dict[str, Any], wanted: set[str]
) -> None:
    """Rounds that the timer alone plays, until all has happened that may."""
    await story.begin(preset, seats, **options)
    done: set[str] = set()
    while not wanted <= done or isinstance(story.state, Playing):
        if isinstance(story.state, Pausing):
            await story.run_out()
            continue
        before = view_for(story.state, story.seat)
        done.add(check(before, await story.run_out()))


@STAYS_ON
async def test_a_forced_opening_tile_is_played(story: Story, preset: str) -> None:
    await story.begin(preset)
    forced = view_for(story.state, story.seat)["forced_tile"]
    assert forced is not None
    assert event(await story.run_out(), "tile-played")["tile"] == forced


async def on_autopilot(story: Story, preset: str) -> str:
    """Whoever opens is out of time, the other one plays; the next turn is the autopilot's. For whom."""
    await story.begin(preset)
    person = story.mover
    assert {"turn-timed-out", "autopilot-started"} < set(tags(await story.run_out()))
    while story.mover != person:
        await story.play()
    return person


@STAYS_ON
async def test_it_stays_on_and_acts_two_seconds_after_its_turn_began(story: Story, preset: str) -> None:
    person = await on_autopilot(story, preset)
    for _ in range(2):
        due = story.deadline
        assert (due.kind, due.due_at - due.set_at) == ("autopilot", 2_000)
        acted = await story.run_out()
        assert "turn-timed-out" not in tags(acted)
        assert story.player(person).autopilot
        await story.play_until(lambda: isinstance(story.state, Playing) and story.mover == person)


@STAYS_ON
@pytest.mark.parametrize("command", [SitDown(), ReturnToSeat()])
async def test_until_its_person_does_anything_at_the_table(story: Story, preset: str, command: Message) -> None:
    person = await on_autopilot(story, preset)
    await story.run_out()
    assert tags(await story.done(person, command)) == ["autopilot-stopped"]
    await its_timer_is_the_turns_again(story, person)


@STAYS_ON
async def test_until_its_person_plays(story: Story, preset: str) -> None:
    person = await on_autopilot(story, preset)
    played = await story.play(at=story.due_at)
    assert tags(played)[:2] == ["autopilot-stopped", "tile-played"]
    await its_timer_is_the_turns_again(story, person)


@STAYS_ON
async def test_until_its_person_tries_to_play(story: Story, preset: str) -> None:
    person = await on_autopilot(story, preset)
    tried = await story.says(person, PassTurn(turn=story.turn))
    assert refused(tried) == "must-play"
    assert tags(tried) == ["autopilot-stopped", "turn-started"]
    await its_timer_is_the_turns_again(story, person)


@STAYS_ON
async def test_until_its_person_wants_the_next_round(story: Story, preset: str) -> None:
    person = await on_autopilot(story, preset)
    await story.play_until(lambda: isinstance(story.state, Pausing), away=person)
    assert story.player(person).autopilot
    assert tags(await story.done(person, NextRound(round=1))) == ["autopilot-stopped", "player-ready"]
    await its_timer_is_the_turns_again(story, person)


async def its_timer_is_the_turns_again(story: Story, person: str) -> None:
    assert not story.player(person).autopilot
    await story.play_until(lambda: isinstance(story.state, Playing) and story.mover == person)
    assert story.deadline.kind == "turn"


@STAYS_ON
async def test_a_return_in_the_own_turn_gives_a_fresh_timer(story: Story, preset: str) -> None:
    person = await on_autopilot(story, preset)
    turn, at = story.turn, story.due_at
    back = await story.done(person, ReturnToSeat(), at)
    assert tags(back) == ["autopilot-stopped", "turn-started"]
    due = story.deadline
    assert (due.kind, due.set_at, due.due_at, story.turn) == ("turn", at, at + 20_000, turn)
    await story.play(at=due.due_at)
    assert not story.player(person).autopilot


@STAYS_ON
async def test_a_fresh_timer_is_given_once_per_absence(story: Story, preset: str) -> None:
    """Who goes and comes within a turn gains nothing by it; a later absence has its own."""
    person = await on_autopilot(story, preset)
    await story.done(person, ReturnToSeat(), story.now + 1_000)
    fresh = story.due_at
    for _ in range(2):
        await story.done(person, LeaveTable(), story.now + 5_000)
        assert story.deadline.kind == "autopilot"
        await story.done(person, ReturnToSeat(), story.now + 1_000)
        assert (story.deadline.kind, story.due_at) == ("turn", fresh)
    again = await story.done(person, ReturnToSeat(), story.now + 1_000)
    assert tags(again) == []
    assert event(await story.run_out(), "turn-timed-out")
    await story.play_until(lambda: isinstance(story.state, Playing) and story.mover == person)
    at = story.now + 1_000
    await story.done(person, ReturnToSeat(), at)
    assert (story.deadline.set_at, story.due_at) == (at, at + 20_000)


async def test_in_party_it_acts_for_that_turn_alone(story: Story) -> None:
    await story.begin("party")
    person = story.mover
    timed_out = await story.run_out()
    assert tags(timed_out)[0] == "turn-timed-out"
    assert "autopilot-started" not in tags(timed_out)
    await story.play_until(lambda: isinstance(story.state, Playing) and story.mover == person)
    assert not story.player(person).autopilot
    due = story.deadline
    assert (due.kind, due.due_at - due.set_at) == ("turn", 15_000)
