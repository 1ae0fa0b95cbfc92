"""Plays a whole match at a table, with any way to choose and any pace: the loop of every bot."""

import logging
from collections.abc import Awaitable, Callable

from capicua.errors import Refused
from capicua.strategy import heaviest
from capicua.table import Table
from capicua.view import TableView

log = logging.getLogger(__name__)
Choose = Callable[[TableView], str]
Think = Callable[[], Awaitable[None]]


async def at_once() -> None:
    """No pace at all."""


async def play_match(
    table: Table, choose: Choose = heaviest, think: Think = at_once, client_seed: str = ""
) -> TableView:
    """Sits down, plays until the match is over and returns the last view.

    `think` is awaited before each action. A refused command is passed over: the next view tells what is true.
    """
    await unless_refused(table.sit(client_seed))
    ready_after = 0
    last: TableView | None = None
    async for view in table.views():
        last = view
        if view.my_turn:
            await think()
            await unless_refused(table.play(choose(view)))
        elif view.status == "pausing" and view.round > ready_after:
            ready_after = view.round
            await unless_refused(table.ready())
    assert last is not None, "views end with the view in which the match is over"
    return last


async def unless_refused(command: Awaitable[int]) -> bool:
    """Whether the command was accepted; a refusal is noted and no more."""
    try:
        await command
    except Refused as refusal:
        log.info("refused: %s", refusal.code)
        return False
    return True
