import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.gateway.matches import START_MS, Match, whole_match

from bus.outages import Outage, Outages
from domino_rules.table import Finished
from gateway.step import Change, Step, Unreadable, fold, follow

ALL_TILES = [f"{high}-{low}" for high in range(7) for low in range(high + 1)]


def test_a_whole_match_folds_and_every_step_goes_on_where_the_one_before_ended() -> None:
    changes = whole_match(seed=1)
    steps = fold(changes)
    assert [step.version for step in steps] == [change.to_version for change in changes]
    assert isinstance(steps[-1].state, Finished)


def test_changes_that_a_step_already_has_are_passed_over() -> None:
    changes = whole_match(seed=2)
    steps = fold(changes)
    assert fold(changes, steps[4]) == steps[5:]


def test_the_code_of_a_private_room_is_told_to_those_alone_who_play_there() -> None:
    match = Match(seed=7, region="room-abc234")
    (step,) = fold(match.changes)
    opened = {seat: step.view(seat, START_MS) for seat in (None, 1, 2)}
    assert [view.view["region"] for view in opened.values()] == ["private", "room-abc234", "room-abc234"]
    assert [view.events[0]["region"] for view in opened.values()] == ["private", "room-abc234", "room-abc234"]
    assert "abc234" not in opened[None].model_dump_json()


def test_a_missing_version_is_unreadable() -> None:
    changes = whole_match(seed=3)
    with pytest.raises(Unreadable, match="a version is missing"):
        fold([changes[0], changes[2]])


def test_an_event_of_a_newer_version_is_unreadable_and_said_without_its_content() -> None:
    first = whole_match(seed=4)[0]
    later = Change(first.to_version, first.to_version + 1, 0, ({"type": "hand-shown", "hand": "6-6"},))
    with pytest.raises(Unreadable) as raised:
        fold([first, later])
    assert str(raised.value) == "an event of a newer version"


def test_an_event_that_does_not_fit_is_unreadable_and_said_without_its_content() -> None:
    first = whole_match(seed=5)[0]
    later = Change(first.to_version, first.to_version + 1, 0, ({"type": "tile-played", "seat": 1, "tile": "6-6"},))
    with pytest.raises(Unreadable) as raised:
        fold([first, later])
    assert "6-6" not in str(raised.value)


def test_a_step_for_who_needs_no_events_has_none() -> None:
    step = fold(whole_match(seed=6)[:3])[-1]
    assert step.since(0).view(1, START_MS).events == ()
    assert (step.since(0).from_version, step.since(7).from_version) == (0, 7)


def test_a_fold_goes_on_from_a_state_out_of_the_cache() -> None:
    changes = whole_match(seed=7)
    steps = fold(changes)
    cached = Step(0, steps[3].version, steps[3].at, (), steps[3].state)
    assert follow(cached, changes[4]) == steps[4]


# ---- what a seat may not know


def tiles(hand: str) -> list[str]:
    return hand.split()


def known(events: list[dict[str, Any]], seat: int | None) -> set[str]:
    """The tiles of this round that `seat` has seen: its own and those on the layout."""
    seen: set[str] = set()
    for event in events:
        if event["type"] == "round-dealt" and seat is not None:
            seen.update(tiles(event["hands"][seat - 1]))
        if event["type"] == "tiles-drawn" and event["seat"] == seat:
            seen.update(tiles(event["tiles"]))
        if event["type"] == "tile-played":
            seen.add(event["tile"])
    return seen


def exchanged(event: dict[str, Any], swap: dict[str, str]) -> dict[str, Any]:
    """The event with every hidden tile exchanged for another one, and another server seed."""

    def of(hand: str) -> str:
        return " ".join(swap[tile] for tile in tiles(hand))

    match event["type"]:
        case "round-dealt":
            forced = event["forced_tile"]
            hands = [of(hand) for hand in event["hands"]]
            boneyard = of(event["boneyard"])
            return {**event, "hands": hands, "boneyard": boneyard, "forced_tile": forced and swap[forced]}
        case "tiles-drawn":
            return {**event, "tiles": of(event["tiles"])}
        case "round-committed":
            return {**event, "server_seed": "ab" * 32}
    return event


def another_deal(changes: list[Change], seat: int | None, chance: random.Random) -> list[Change]:
    """The same match as far as `seat` can tell. Rounds that have ended are known to all and stay as they were."""
    events = [event for change in changes for event in change.events]
    ended = [index for index, event in enumerate(events) if event["type"] == "round-ended"]
    start = ended[-1] + 1 if ended else 0
    hidden = sorted(set(ALL_TILES) - known(events[start:], seat))
    swap = {tile: tile for tile in ALL_TILES} | dict(zip(hidden, chance.sample(hidden, len(hidden)), strict=True))
    other: list[Change] = []
    at = 0
    for change in changes:
        swapped = [event if at + n < start else exchanged(event, swap) for n, event in enumerate(change.events)]
        at += len(change.events)
        other.append(replace(change, events=tuple(swapped)))
    return other


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    seats=st.integers(2, 4),
    preset=st.sampled_from(["draw", "block"]),
    length=st.integers(1, 120),
    data=st.data(),
)
def test_no_view_of_a_seat_tells_apart_two_deals_that_agree_on_what_it_may_know(
    seed: int, seats: int, preset: str, length: int, data: st.DataObject
) -> None:
    match = Match(seed, seats, preset)
    while len(match.changes) < length and match.go_on():
        pass
    seat = data.draw(st.one_of(st.none(), st.integers(1, seats)))
    other = another_deal(match.changes, seat, random.Random(seed))
    if isinstance(match.state, Finished):
        return  # nothing is hidden any more
    steps, others = fold(match.changes), fold(other)
    for step, twin in zip(steps, others, strict=True):
        assert step.view(seat, START_MS).model_dump_json() == twin.view(seat, START_MS).model_dump_json()


def test_the_exchange_of_hidden_tiles_does_change_what_others_see() -> None:
    """Otherwise the property above could not fail."""
    match = Match(seed=11, seats=2)
    for _ in range(4):
        match.go_on()
    other = another_deal(match.changes, 1, random.Random(1))
    assert fold(match.changes)[-1].view(1, START_MS) == fold(other)[-1].view(1, START_MS)
    assert fold(match.changes)[-1].view(2, START_MS) != fold(other)[-1].view(2, START_MS)


def test_a_view_shows_a_deadline_as_outages_have_put_it_off() -> None:
    step = fold(whole_match(seed=8))[3]
    before = step.view(None, START_MS).view["deadline"]
    outage = Outage(before["set_at"], before["set_at"] + 4000)
    after = replace(step, outages=Outages(None, (outage,))).view(None, START_MS).view["deadline"]
    assert after == before | {"due_at": before["due_at"] + 9000, "given_back_ms": 9000}


def test_a_view_says_when_it_was_made() -> None:
    step = fold(whole_match(seed=8))[3]
    assert step.view(1, START_MS + 7).server_time == START_MS + 7


def test_a_step_that_others_followed_is_not_put_off_by_what_came_later() -> None:
    step = fold(whole_match(seed=8))[3]
    due = step.view(None, START_MS).view["deadline"]
    over_at = due["set_at"] + 1000
    outages = Outages(None, (Outage(over_at - 1, over_at + 3999), Outage(over_at, over_at + 3500)))
    assert replace(step, outages=outages).before(over_at).given_back == 9000
    assert step.before(over_at) is step
