"""A turn and its one deadline.

One deadline a turn; drawing does not renew it:
    `test_drawing_does_not_renew_the_deadline`
The first command logged after the deadline, whatever it is, first applies the timeout and is then decided on the
resulting state:
    `test_whatever_is_logged_first_after_the_deadline_finds_the_turn_timed_out`,
    `test_a_strangers_command_after_the_deadline_finds_the_turn_timed_out_too`,
    `test_the_next_seats_play_is_decided_on_what_the_timeout_leaves`
The log's own time decides, whatever the timer does:
    `test_the_timer_rings_when_the_deadline_is_past_and_not_before`
A command for an older turn number is refused without effect:
    `test_a_command_for_an_older_turn_is_refused_without_effect`
The same command id twice has one effect and one answer:
    `test_the_same_command_id_twice_has_one_effect_and_one_answer`, `test_a_repeated_command_is_no_news_to_the_deadline`
Turn timers of 20 s, and of 15, 30 or 60 s; no other values in public play:
    `test_turn_timers`, `test_times_of_public_play`,
    `test_public_play_takes_only_the_presets_own_targets_and_times`
Public play takes targets only from the preset's row; the library takes any:
    `test_public_play_takes_only_the_presets_own_targets_and_times`,
    `test_a_table_of_ones_own_takes_any_target_and_time`
"""

from typing import Any

import pytest
from tests.stories.story import Story, event, refused, tags

from contracts.message import Message
from contracts.region import JoinQueue, Pool
from contracts.table import DrawTiles, LeaveTable, NextRound, PassTurn, ReturnToSeat, SitDown
from domino_rules import table
from domino_rules.table import Playing
from domino_rules.table.view import view_for

DRAWING = [("duel-draw", {}), ("all-fives", {}), ("party", {"drawing": True})]


@pytest.mark.parametrize(("preset", "options"), DRAWING)
async def test_drawing_does_not_renew_the_deadline(story: Story, preset: str, options: dict[str, Any]) -> None:
    await story.begin(preset, **options)
    await story.play_until(lambda: isinstance(story.state, Playing) and story.legal == ["draw"])
    due = story.deadline
    drawn = await story.play("draw", at=due.due_at - 1_000)
    assert tags(drawn) == ["tiles-drawn"]
    assert story.deadline == due


@pytest.mark.parametrize(
    ("by_mover", "command", "after"),
    [
        (True, ReturnToSeat(), ["autopilot-stopped"]),
        (True, SitDown(), ["autopilot-stopped"]),
        (True, LeaveTable(), ["player-left"]),
        (False, LeaveTable(), ["player-left", "autopilot-started"]),
        (False, SitDown(), []),
        (False, NextRound(round=1), None),
        (False, DrawTiles(turn=2), None),
    ],
)
async def test_whatever_is_logged_first_after_the_deadline_finds_the_turn_timed_out(
    story: Story, by_mover: bool, command: Message, after: list[str] | None
) -> None:
    await story.begin("block")
    who = story.mover if by_mover else story.others[0]
    answer = await story.says(who, command, story.due_at + 1)
    assert tags(answer)[:3] == ["turn-timed-out", "autopilot-started", "tile-played"]
    assert set(after or []) <= set(tags(answer)[3:])
    assert (answer.refusal is not None) == (after is None)


async def test_a_strangers_command_after_the_deadline_finds_the_turn_timed_out_too(story: Story) -> None:
    await story.begin("block")
    answer = await story.says("mallory", LeaveTable(), story.due_at + 1)
    assert refused(answer) == "not-seated"
    assert tags(answer)[0] == "turn-timed-out"


async def test_the_next_seats_play_is_decided_on_what_the_timeout_leaves(story: Story) -> None:
    """It was meant for a turn that had not begun when it was sent, and for a tile that did not lie there yet."""
    await story.begin("block")
    at, state = story.due_at + 1, story.state
    foreseen = table.time_out(state, table.Moment(at, lambda label: bytes(32)))
    assert isinstance(foreseen, list)
    for happens in foreseen:
        state = table.evolve(state, happens)
    seat = view_for(state, None)["to_move"]
    (move, *_) = view_for(state, seat)["legal"]
    early = await story.says(story.people[seat - 1], story.move(move).model_copy(update={"turn": 2}), at)
    assert early.refusal is None
    assert tags(early)[:5] == ["turn-timed-out", "autopilot-started", "tile-played", "turn-started", "tile-played"]
    assert story.turn == 3


async def test_the_timer_rings_when_the_deadline_is_past_and_not_before(story: Story) -> None:
    await story.begin("draw")
    due = story.deadline
    await story.let_pass(due.due_at)
    assert story.deadline == due
    timed_out = await story.run_out()
    assert timed_out.at == due.due_at + 1
    assert [body.command_id for body in story.bodies if body.principal == "timer"] == [timed_out.command_id]
    assert timed_out.command_id == f"timeout:{story.table_id}:{due.ref}:1"


@pytest.mark.parametrize("preset", ["draw", "duel-draw", "party"])
async def test_a_command_for_an_older_turn_is_refused_without_effect(story: Story, preset: str) -> None:
    await story.begin(preset)
    await story.draw_what_must_be()
    mover, move = story.mover, story.move()
    await story.play()
    due, version = story.deadline, story.version
    for command in (move, DrawTiles(turn=1), PassTurn(turn=1)):
        stale = await story.says(mover, command)
        assert (refused(stale), tags(stale)) == ("stale-turn", [])
    assert (story.deadline, story.version) == (due, version)


async def test_the_same_command_id_twice_has_one_effect_and_one_answer(story: Story) -> None:
    await story.begin("block")
    mover, move = story.mover, story.move()
    first = await story.says(mover, move, id="once")
    second = await story.says(mover, move, id="once")
    assert (second.refusal, second.version, tags(second)) == (None, first.version, [])
    assert second.duplicate_of is not None
    assert story.turn == 2
    refusal = await story.says(mover, move, id="again")
    assert (await story.says(mover, move, id="again")).refusal == refusal.refusal is not None


async def test_a_repeated_command_is_no_news_to_the_deadline(story: Story) -> None:
    """What is answered a second time does not time the turn out, though it is logged after the deadline."""
    await story.begin("block")
    mover, move = story.mover, story.move()
    await story.says(mover, move, id="once")
    due = story.deadline
    again = await story.says(mover, move, due.due_at + 1, id="once")
    assert (again.refusal, tags(again)) == (None, [])
    assert story.deadline == due


@pytest.mark.parametrize(
    ("preset", "options", "seconds"),
    [
        ("draw", {}, 20),
        ("block", {}, 20),
        ("party", {}, 15),
        ("party", {"turn_ms": 30_000}, 30),
        ("party", {"turn_ms": 60_000}, 60),
    ],
)
async def test_turn_timers(story: Story, preset: str, options: dict[str, Any], seconds: int) -> None:
    await story.begin(preset, **options)
    for _ in range(3):
        due = story.deadline
        assert (due.kind, due.due_at - due.set_at) == ("turn", 1_000 * seconds)
        started = await story.play()
        assert event(started, "turn-started")["kind"] == "turn"


@pytest.mark.parametrize(
    ("pool", "seconds"),
    [
        (Pool(preset="draw", seats=2, target=50), 20),
        (Pool(preset="block", seats=2, target=150), 20),
        (Pool(preset="party", seats=2, target=100), 15),
        (Pool(preset="party", seats=2, target=200, turn_seconds=60), 60),
        (Pool(preset="duel-draw", seats=2, target=250), 600),
        (Pool(preset="all-fives", seats=2, target=500, clock_minutes=3), 180),
    ],
    ids=lambda value: value.preset if isinstance(value, Pool) else str(value),
)
async def test_times_of_public_play(story: Story, pool: Pool, seconds: int) -> None:
    await story.queue(pool)
    assert story.due_at - story.deadline.set_at == 1_000 * seconds


@pytest.mark.parametrize(
    "pool",
    [
        Pool(preset="draw", seats=2, target=75),
        Pool(preset="block", seats=2, target=200),
        Pool(preset="duel-draw", seats=2, target=50),
        Pool(preset="all-fives", seats=2, target=150),
        Pool(preset="party", seats=3, target=50),
        Pool(preset="draw", seats=2, target=50, turn_seconds=30),
        Pool(preset="block", seats=2, target=50, clock_minutes=3),
        Pool(preset="party", seats=2, target=100, turn_seconds=20),
        Pool(preset="duel-draw", seats=2, target=100, clock_minutes=7),
        Pool(preset="all-fives", seats=2, target=100, turn_seconds=15),
    ],
    ids=lambda pool: pool.preset,
)
async def test_public_play_takes_only_the_presets_own_targets_and_times(story: Story, pool: Pool) -> None:
    answer = await story.town.ask("lobby", "eu-public", "ann", JoinQueue(pool=pool))
    assert refused(answer) == "bad-pool"


async def test_a_table_of_ones_own_takes_any_target_and_time(story: Story) -> None:
    await story.begin("draw", target=75, turn_ms=31_000)
    assert story.due_at - story.deadline.set_at == 31_000
