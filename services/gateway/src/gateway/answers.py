"""Who waits for the outcome of which command."""

import asyncio
from typing import NamedTuple

from contracts.envelope import OutcomeBody


class Asked(NamedTuple):
    """One command: ids are unique per principal and aggregate. `topic` is the event topic of its outcome."""

    topic: str
    aggregate: str
    principal: str
    command_id: str


class Answers:
    """Futures by command. The first outcome of an id answers everybody who waits for it: all its answers are alike."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[str, str], dict[Asked, list[asyncio.Future[OutcomeBody]]]] = {}

    def expect(self, asked: Asked) -> "asyncio.Future[OutcomeBody]":
        """Call before the command is sent; `forget` it when nobody waits any more."""
        future: asyncio.Future[OutcomeBody] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(asked[:2], {}).setdefault(asked, []).append(future)
        return future

    def forget(self, asked: Asked, future: "asyncio.Future[OutcomeBody]") -> None:
        of_aggregate = self._waiting.get(asked[:2], {})
        futures = of_aggregate.get(asked, [])
        if future in futures:
            futures.remove(future)
        if not futures:
            of_aggregate.pop(asked, None)
        if not of_aggregate:
            self._waiting.pop(asked[:2], None)

    def awaited(self, topic: str, aggregate: str) -> bool:
        return (topic, aggregate) in self._waiting

    def settle(self, topic: str, body: OutcomeBody) -> None:
        of_aggregate = self._waiting.get((topic, body.aggregate), {})
        for future in of_aggregate.get(Asked(topic, body.aggregate, body.principal, body.command_id), ()):
            if not future.done():
                future.set_result(body)
