"""A whole match of every preset, played by programs over the public API as fast as they can."""

import asyncio
from dataclasses import dataclass
from itertools import pairwise

import pytest

from capicua import Client, TableView
from capicua.player import play_match
from capicua.replay import Verification
from capicua.server.stack import Stack
from contracts.api import Replay
from contracts.region import Pool

POOLS = {
    "draw": Pool(preset="draw", seats=2, target=50),
    "block": Pool(preset="block", seats=3, target=50),
    "duel-draw": Pool(preset="duel-draw", seats=2, target=100),
    "all-fives": Pool(preset="all-fives", seats=2, target=100),
    "four-ends": Pool(preset="all-fives", seats=2, target=250, spinner=True),
    "party": Pool(preset="party", seats=3, target=100, drawing=True),
    "pairs": Pool(preset="party", seats=4, target=100, pairs=True),
}


@dataclass(frozen=True)
class Played:
    """One match: every view of each seat, seat 1 first, and its replay."""

    views: list[list[TableView]]
    replay: Replay

    @property
    def last(self) -> TableView:
        return self.views[0][-1]

    @property
    def events(self) -> list[dict[str, object]]:
        return [event for outcome in self.replay.outcomes for event in outcome.events]

    def count(self, kind: str) -> int:
        return sum(event["type"] == kind for event in self.events)


async def play(url: str, pool: Pool) -> Played:
    clients = [Client(url) for _ in range(pool.seats)]
    views = await asyncio.gather(*(seat(client, pool) for client in clients))
    replay = await clients[0].replay(views[0][-1].table_id)
    await asyncio.gather(*(client.close() for client in clients))
    return Played(sorted(views, key=lambda seen: seen[-1].you or 0), replay)


async def seat(client: Client, pool: Pool) -> list[TableView]:
    await client.guest(bot=True)
    await client.queue(**pool.model_dump())
    seen: list[TableView] = []
    await play_match(await client.next_table(), arm_first, show=seen.append)
    return seen


async def arm_first(view: TableView) -> str:
    """Arms wherever there are some, so that matches have all four ends."""
    return next((action for action in view.legal if action.endswith(("@up", "@down"))), view.legal[0])


@pytest.fixture(scope="module")
async def matches(stack: Stack) -> dict[str, Played]:
    played = await asyncio.gather(*(play(stack.gateway_url, pool) for pool in POOLS.values()))
    return dict(zip(POOLS, played, strict=True))


@pytest.mark.parametrize("name", POOLS)
async def test_a_match_is_played_to_its_end_and_everybody_sees_the_same(matches: dict[str, Played], name: str) -> None:
    played = matches[name]
    result = played.last.result
    assert result is not None
    assert [seen[-1].result for seen in played.views] == [result] * POOLS[name].seats
    assert max(result.scores) >= POOLS[name].target or result.reason == "round-cap"
    assert [seen[-1].ruleset for seen in played.views] == [played.replay.ruleset] * POOLS[name].seats
    assert not any(view.missed for seen in played.views for view in seen[1:])


@pytest.mark.parametrize("name", POOLS)
async def test_its_replay_agrees_with_every_recorded_hash_and_deal(matches: dict[str, Played], name: str) -> None:
    verification = Verification(matches[name].replay).run()
    assert verification.first_wrong is None
    assert verification.deals_checked == matches[name].count("round-dealt") > 0


async def test_tiles_lie_on_four_ends(matches: dict[str, Played]) -> None:
    def ends(name: str) -> set[object]:
        return {event["end"] for event in matches[name].events if event["type"] == "tile-played"}

    assert ends("four-ends") & {"up", "down"}
    assert ends("all-fives") == {"start", "left", "right"}


async def test_pairs_score_and_win_together(matches: dict[str, Played]) -> None:
    result = matches["pairs"].last.result
    assert result is not None
    assert result.winner in ((1, 3), (2, 4))
    assert len(result.scores) == 2


@pytest.mark.parametrize("name", ["duel-draw", "all-fives", "four-ends"])
async def test_match_clocks_run_only_down(matches: dict[str, Played], name: str) -> None:
    clocks = [view.clocks for view in matches[name].views[0]]
    assert clocks[0] == (600_000, 600_000)
    for before, after in pairwise(clocks):
        assert before is not None
        assert after is not None
        assert all(left >= later for left, later in zip(before, after, strict=True))


async def test_the_game_itself_opens_every_round_of_a_duel(matches: dict[str, Played]) -> None:
    duel = matches["duel-draw"]
    by_house = [event for event in duel.events if event.get("by") == "house"]
    assert len(by_house) == duel.count("round-dealt")
    assert {event["end"] for event in by_house} == {"start"}


@pytest.mark.parametrize(
    ("name", "kind"), [("duel-draw", "tiles-drawn"), ("party", "tiles-drawn"), ("pairs", "passed")]
)
async def test_draws_and_passes_are_asked_for(matches: dict[str, Played], name: str, kind: str) -> None:
    asked = [view for seen in matches[name].views for view in seen if view.legal in (("draw",), ("pass",))]
    assert asked
    assert matches[name].count(kind) > 0
