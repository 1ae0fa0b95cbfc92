"""A tally with a command that kills whoever decides it, as a bug in an extension of Python would."""

import asyncio
from collections.abc import Callable
from typing import Any, Literal

from tests.bus.tally import Command, TallyDecider

from contracts.message import Message


class Poison(Message):
    type: Literal["poison"] = "poison"


class DeadlyTally(TallyDecider):
    """`die` ends the process."""

    def __init__(self, die: Callable[[], None]) -> None:
        super().__init__()
        self._die = die

    def decode_command(self, payload: dict[str, Any]) -> Command:
        if payload.get("type") == Poison.model_fields["type"].default:
            self._die()
            raise asyncio.CancelledError  # nothing of the process runs any more
        return super().decode_command(payload)
