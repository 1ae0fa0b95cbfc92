"""Plays a whole match at a table, with any way to choose and any pace: the loop of every bot."""

import logging
from collections.abc import Awaitable, Callable

from capicua.errors import Refused
from capicua.table import Table
from capicua.thinker import Thinker
from capicua.view import TableView

log = logging.getLogger(__name__)
Choose = Callable[[TableView], Awaitable[str]]
Think = Callable[[], Awaitable[None]]


async def at_once() -> None:
    """No pace at all."""


async def play_match(
    table: Table,
    choose: Choose | None = None,
    think: Think = at_once,
    show: Callable[[TableView], None] = lambda _: None,
    turns_max: int | None = None,
) -> TableView:
    """Sits down, plays until the match is over and returns the last view.

    `choose` gives each action, else a `Thinker` does; `think` is awaited before it. `show` gets every view. A refused
    command is passed over: the next view tells what is true. After `turns_max` turns of its own it falls silent and
    only watches.
    """
    choose = choose or Thinker().choose
    turns = 0
    await unless_refused(table.sit())
    ready_after = 0
    last: TableView | None = None
    async for view in table.views():
        last = view
        show(view)
        if turns_max is not None and turns >= turns_max:
            continue
        if view.my_turn:
            turns += 1
            await think()
            await unless_refused(table.play(await choose(view)))
        elif view.round > ready_after and says_ready(view):
            ready_after = view.round
            await unless_refused(table.ready())
    assert last is not None, "views end with the view in which the match is over"
    return last


def says_ready(view: TableView) -> bool:
    """In the pause after a round people say when the next may come, at a party the host alone; among bots alone the
    first that is there does."""
    if view.status != "pausing" or view.my_seat is None or view.my_seat.ready:
        return False
    if view.host is not None:
        return view.you == view.host
    there = [seat for seat in view.seats if seat.seated and not seat.left]
    people = [seat for seat in there if not seat.bot]
    awake = [seat.seat for seat in there if not seat.autopilot]
    return not view.my_seat.bot or (not people and view.you == min(awake, default=None))


async def unless_refused(command: Awaitable[int]) -> bool:
    """Whether the command was accepted; a refusal is noted and no more."""
    try:
        await command
    except Refused as refusal:
        log.info("refused: %s", refusal.code)
        return False
    return True
