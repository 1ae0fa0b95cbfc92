"""Mistakes planted into the product, one at a time, to see that the simulation finds them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import bus.judging
import gateway.step
from bus.answers import Answers
from bus.header import HEADER, MalformedHeader, OutcomeHeader, unpack
from bus.outcomes import Outcome, PartitionFold
from bus.owner import Owner
from bus.records import Record
from bus.shard import Shard
from bus.validity import Judgement, Validity
from timer.alarms import Alarms


def _replaced(holder: Any, name: str, instead: Callable[[Any], Any]) -> Callable[[], Any]:
    """A context in which `holder`'s attribute is what `instead` makes of it."""

    @contextmanager
    def planted() -> Iterator[None]:
        before = getattr(holder, name)
        setattr(holder, name, instead(before))
        try:
            yield
        finally:
            setattr(holder, name, before)

    return planted


def _any_later_command(judge: Any) -> Any:
    """ "Greater than" in place of "exactly the next": a lost record no longer voids what follows it."""

    def judge_outcome(self: Validity, header: OutcomeHeader, record: Record) -> Judgement:
        if header.command_offset > self.next_command:
            self.next_command = header.command_offset
        result: Judgement = judge(self, header, record)
        return result

    return judge_outcome


def _owner_ids_alone(judge: Any) -> Any:
    """The claim's offset is not looked at, only its owner's id."""

    def judge_outcome(self: Validity, header: OutcomeHeader, record: Record) -> Judgement:
        if header.owner == self.owner:
            header = replace(header, claim_offset=self.claim_offset)
        result: Judgement = judge(self, header, record)
        return result

    return judge_outcome


def _any_claim(judge: Any) -> Any:
    """Claims are not looked at: whoever writes the next outcome is believed."""

    def judge_outcome(self: Validity, header: OutcomeHeader, record: Record) -> Judgement:
        result: Judgement = judge(self, replace(header, claim_offset=self.claim_offset, owner=self.owner), record)
        return result

    return judge_outcome


def _void_ones_too(take: Any) -> Any:
    """Readers hand on outcomes that do not count."""

    def taken(self: PartitionFold, record: Record) -> Outcome | None:
        outcome: Outcome | None = take(self, record)
        if outcome is None and record.key is not None and record.value and record.key != b"stranger":
            try:
                header = unpack(record.header(HEADER))
            except MalformedHeader:
                return None
            if isinstance(header, OutcomeHeader):
                return Outcome(self.source, record.offset, record.key.decode(), header, record.value)
        return outcome

    return taken


def _same_shard(fresh: Any) -> Any:
    """The optimistic state is kept when the claim is dropped, and folded on."""

    def kept(self: Owner[Any, Any, Any]) -> Shard[Any, Any, Any]:
        shard = getattr(self, "_shard", None)
        if shard is None:
            made: Shard[Any, Any, Any] = fresh(self)
            return made
        anew: Shard[Any, Any, Any] = fresh(self)
        anew.aggregates, anew.digest = shard.aggregates, shard.digest
        return anew

    return kept


def _no_answers(remember: Any) -> Any:
    """First answers are not remembered."""

    def forget(self: Answers, *_: Any) -> None:
        return None

    return forget


def _blind_to_claims(confirm: Any) -> Any:
    """An owner does not look at what the tail shows: it goes on under a claim that is not the newest."""

    def ignore(self: Owner[Any, Any, Any], record: Record) -> None:
        del record

    return ignore


def _too_early(refuse: Any) -> Any:
    """A timeout is taken whenever it comes, if only its reference is current."""

    def refused(command: Any, deadline: Any, at: int) -> Any:
        return refuse(command, deadline, at if deadline is None else deadline.due_at + 1)

    return refused


def _forgetful_timer(ready: Any) -> Any:
    """Deadlines that were set before the timer came are not armed."""

    def armed(self: Alarms, source: Any) -> None:
        self._ready.add(source)

    return armed


def _open_hands(view: Any) -> Any:
    """Everybody gets the events as the first seat sees them."""

    def shown(event: Any, seat: Any) -> Any:
        return view(event, 1)

    return shown


def _skipping_owner(claim: Any) -> Any:
    """A new owner begins with the commands that come after its claim."""

    async def claimed(self: Owner[Any, Any, Any], *arguments: Any, **named: Any) -> None:
        await claim(self, *arguments, **named)
        validity = self._shard.fold.validity
        validity.next_command = max(validity.next_command, validity.commands_end)
        self.command_inbox.seek(validity.next_command)

    return claimed


PLANTED: dict[str, tuple[str, Callable[[], Any]]] = {
    "greater than": ("one outcome per command", _replaced(Validity, "_judge_outcome", _any_later_command)),
    "owner ids alone": ("nothing valid from a stale claim", _replaced(Validity, "_judge_outcome", _owner_ids_alone)),
    "any claim": ("nothing valid from a stale claim", _replaced(Validity, "_judge_outcome", _any_claim)),
    "void ones too": ("nothing leaves but what is valid", _replaced(PartitionFold, "take", _void_ones_too)),
    "optimistic state kept": ("versions without gap", _replaced(Owner, "_fresh_shard", _same_shard)),
    "no answers": ("nothing twice", _replaced(Answers, "remember", _no_answers)),
    "blind to claims": ("processes go on", _replaced(Owner, "_confirm", _blind_to_claims)),
    "too early": ("timeouts", _replaced(bus.judging, "_refuse_timeout", _too_early)),
    "forgetful timer": ("timeouts", _replaced(Alarms, "ready", _forgetful_timer)),
    "open hands": ("no seat sees another's", _replaced(gateway.step, "event_view", _open_hands)),
    "skipping owner": ("processes go on", _replaced(Owner, "_claim", _skipping_owner)),
}
"""By name: the invariant that must be found broken, and the context that plants it."""
