"""Mistakes of owners that `planted` plants: about their claims, and about what kills."""

import asyncio
from dataclasses import replace
from typing import Any

from bus.header import Claim, EventHeader
from bus.owner import Owner
from bus.records import Record
from bus.suspicion import Suspicion
from bus.validity import Validity


def claim_kept(claim: Any) -> Any:
    """After a failed send the owner goes on under its old claim, if nobody else has claimed, with a new producer."""

    async def claimed(self: Owner[Any, Any, Any], *arguments: Any, **named: Any) -> None:
        kept, parts, append = self._confirmed.validity.owner, self._parts, self._append

        async def append_no_claim(pipeline: Any, header: EventHeader) -> None:
            if not isinstance(header, Claim):
                await append(pipeline, header)

        if kept and kept == self._shard.fold.validity.owner:
            self._parts = replace(parts, entropy=lambda _: kept)
            setattr(self, "_append", append_no_claim)  # noqa: B010 - of this one owner, for this one claim
        try:
            await claim(self, *arguments, **named)
        finally:
            self._parts = parts
            self.__dict__.pop("_append", None)

    return claimed


def no_court(weigh: Any) -> Any:
    """All suspect partitions of a process are worked at once."""

    async def weighed(self: Suspicion, validity: Validity) -> bool:
        self._court = asyncio.Lock()
        alone: bool = await weigh(self, validity)
        return alone

    return weighed


def no_waiting(_: Any) -> Any:
    """A suspect partition's next command is decided before the first is confirmed."""

    def sent(self: Suspicion) -> None:
        self._sent = False

    return sent


def never_convicted(_: Any) -> Any:
    """What kills is tried again and again."""

    async def weighed(self: Suspicion, validity: Validity) -> bool:
        del validity
        self.poisoned = None
        return False

    return weighed


def blind_to_claims(confirm: Any) -> Any:
    """An owner does not look at what the tail shows: it goes on under a claim that is not the newest."""

    def ignore(self: Owner[Any, Any, Any], record: Record) -> None:
        del record

    return ignore


def skipping_owner(claim: Any) -> Any:
    """A new owner begins with the commands that come after its claim."""

    async def claimed(self: Owner[Any, Any, Any], *arguments: Any, **named: Any) -> None:
        await claim(self, *arguments, **named)
        validity = self._shard.fold.validity
        validity.next_command = max(validity.next_command, validity.commands_end)
        self.command_inbox.seek(validity.next_command)

    return claimed
