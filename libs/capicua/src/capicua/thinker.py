"""Chooses for a seat as one of the three strengths of `domino_bots` does."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from time import perf_counter

from capicua.view import TableView
from domino_bots import SeatView, Strength, choose
from domino_rules.notation import action_text

BUDGET_MS = 15.0


class Thinker:
    """One for all seats of a process. The expert thinks in a thread of its own, so that connections are served
    meanwhile; the others need no time worth a thread.

    Experts' moves wait for each other: a process finds about 1000 / `budget_ms` of them a second, however many seats
    ask. While one is thought of, everything else may be late by the interpreter's switch interval (5 ms). Whoever wants
    more of them starts more processes.

    `strength` none: each seat's own, as its view says, `normal` where it says nothing. `clock`, in seconds, is what an
    expert's budget is held by on a machine that is slower than expected.
    """

    def __init__(
        self,
        strength: Strength | None = None,
        budget_ms: float = BUDGET_MS,
        randomness: Random | None = None,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        self._strength = strength
        self._budget_ms = budget_ms
        self._randomness = randomness or Random()
        self._clock = clock
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="thinker")

    async def choose(self, view: TableView) -> str:
        """A legal action of the own turn that the view shows, as a text such as `6-3@left`, `draw` or `pass`."""
        if len(view.legal) == 1:
            return view.legal[0]
        strength = self._strength or _strength_of_seat(view)
        seen = SeatView.from_json(view.model_dump())
        seed = self._randomness.getrandbits(64)
        if strength is Strength.EXPERT:
            thinking = self._thread.submit(choose, seen, strength, seed, self._budget_ms, self._clock)
            action = await asyncio.wrap_future(thinking)
        else:
            action = choose(seen, strength, seed)
        return action_text(action).partition(" ")[2]


def _strength_of_seat(view: TableView) -> Strength:
    own = view.my_seat.strength if view.my_seat is not None else None
    return Strength(own) if own is not None else Strength.NORMAL
