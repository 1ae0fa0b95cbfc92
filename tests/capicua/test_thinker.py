"""How a bot's mind chooses."""

import asyncio
from random import Random
from typing import get_args

import pytest
from tests.capicua.matches import match

from capicua import Strength, TableView, Thinker
from capicua.view import DrawView
from contracts import table
from domino_bots import DrawnTiles, SeatView, choose
from domino_rules.notation import action_text
from domino_rules.table import reservation

GAMES: tuple[tuple[str, int, dict[str, bool]], ...] = (
    ("draw", 3, {}),
    ("block", 2, {}),
    ("duel-draw", 2, {}),
    ("all-fives", 2, {"spinner": True}),
    ("party", 4, {"pairs": True}),
)


def turns(preset: str, seats: int, **options: bool) -> list[TableView]:
    """What each seat saw in its own turns, where there was something to choose."""
    views = (outcome.view(outcome.view(None).to_move) for outcome in match(preset, seats, 100, "", **options))
    return [view for view in views if view.my_turn and len(view.legal) > 1]


@pytest.fixture(scope="module")
def view() -> TableView:
    return max(turns("draw", 2), key=lambda view: len(view.legal))


@pytest.mark.parametrize(("preset", "seats", "options"), GAMES)
@pytest.mark.parametrize("strength", Strength)
async def test_what_it_chooses_is_legal_in_every_preset(
    preset: str, seats: int, options: dict[str, bool], strength: Strength
) -> None:
    thinker = Thinker(strength, budget_ms=1)
    for view in turns(preset, seats, **options)[:12]:
        assert await thinker.choose(view) in view.legal


def test_a_seat_can_ask_for_every_strength_and_no_other() -> None:
    for asked in (reservation.Strength, get_args(table.Strength)[0]):
        assert get_args(asked) == tuple(Strength)


async def test_the_only_legal_action_needs_no_thought(view: TableView) -> None:
    assert await Thinker(Strength.EXPERT).choose(view.model_copy(update={"legal": ("draw",)})) == "draw"


def stopped_clock() -> float:
    """Never stops a search early, so that equal seeds give equal choices however busy the machine is."""
    return 0.0


@pytest.mark.parametrize("strength", [None, *Strength])
async def test_a_seat_is_played_as_strongly_as_it_says(view: TableView, strength: Strength | None) -> None:
    me = view.my_seat
    assert me is not None
    seats = tuple(seat.model_copy(update={"strength": strength}) if seat == me else seat for seat in view.seats)
    seated = view.model_copy(update={"seats": seats})
    seed = Random(5).getrandbits(64)
    expected = choose(SeatView.from_json(seated.model_dump()), strength or Strength.NORMAL, seed, 5.0, stopped_clock)
    chosen = await Thinker(budget_ms=5.0, randomness=Random(5), clock=stopped_clock).choose(seated)
    assert chosen == action_text(expected).partition(" ")[2]


async def test_while_an_expert_thinks_the_loop_goes_on(view: TableView) -> None:
    thinking = asyncio.create_task(Thinker(Strength.EXPERT, budget_ms=1_000).choose(view))
    steps = 0
    while not thinking.done():
        await asyncio.sleep(0)
        steps += 1
    assert thinking.result() in view.legal
    assert steps > 2, "thought in the loop itself takes one step, however long it lasts"


async def test_it_knows_who_drew_and_what_was_open_then(view: TableView) -> None:
    drew = DrawView(seat=view.you or 1, count=2, ends=(3, 5), plays=1)
    seen = SeatView.from_json(view.model_copy(update={"draws": (drew,)}).model_dump())
    assert seen.draws == (DrawnTiles(drew.seat, 2, (3, 5), 1),)
