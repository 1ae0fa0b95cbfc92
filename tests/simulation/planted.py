"""Mistakes planted into the product, one at a time, to see that the simulation finds them."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from tests.simulation.lobbies import IN_VAIN, ONE_PLACE, SEATS
from tests.simulation.mistaken_clocks import (
    as_measured,
    bots_are_people,
    by_its_wall_clock,
    deaf_to_jumps,
    for_ever,
    forgetful_timer,
    forgets_by_snapshot,
    half_a_second_for_all,
    impatient,
    outages_ignored,
    too_early,
    trusting_timer,
)
from tests.simulation.mistaken_lobbies import any_number_of_places, nobody_is_matched, other_seats
from tests.simulation.mistaken_owners import (
    blind_to_claims,
    claim_kept,
    never_convicted,
    no_court,
    no_waiting,
    skipping_owner,
)
from tests.simulation.replacing import replacement

import bus.judging
import bus.shard
import domino_rules.table.deadlines
import domino_rules.table.draft
import gateway.step
import lobby.handlers
import lobby.region.joining
import lobby.region.offers_decide
from bus.answers import Answers
from bus.header import HEADER, MalformedHeader, OutcomeHeader, unpack
from bus.hearing import Hearing
from bus.outcomes import Outcome, PartitionFold
from bus.owner import Owner
from bus.records import Record, TopicPartition
from bus.sender import LetterSender, SendUnknown
from bus.shard import Shard
from bus.snapshots import SnapshotWriter
from bus.snapshots.records import StateCodec
from bus.suspicion import Suspicion
from bus.tail import Tail
from bus.validity import Judgement, Validity
from contracts.envelope import OutcomeBody
from domino_rules.events import RoundDealt
from gateway.commands import Command, Commands
from table.decider import TableDecider
from timer.alarms import Alarms
from timer.clockwork import Clockwork
from timer.snapshots import SnapshotLoader

STALE, LEAVES = "nothing valid from a stale claim", "nothing leaves but what is valid"
VOID, HURRY, FORGOTTEN = "no void outcome arms", "timers are no hurry", "no deadline is forgotten"
FOLD, GAP = "fold = live state", "versions without gap"


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
                return Outcome(self.source, record.offset, record.key.decode(), header, record.value, record.log_time)
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


def _versions_skipped(header: Any) -> Any:
    """Now and then a version is left out."""

    def made(self: Shard[Any, Any, Any], key: str, command_offset: int, *arguments: Any) -> OutcomeHeader:
        found: OutcomeHeader = header(self, key, command_offset, *arguments)
        left_out = int(command_offset % 50 == 49)
        return replace(found, from_version=found.from_version + left_out, to_version=found.to_version + left_out)

    return made


def _no_answers(remember: Any) -> Any:
    """First answers are not remembered."""

    def forget(self: Answers, *_: Any) -> None:
        return None

    return forget


def _open_hands(view: Any) -> Any:
    """Everybody gets the events as the first seat sees them."""

    def shown(event: Any, seat: Any) -> Any:
        return view(event, 1)

    return shown


def _snapshot_of_hopes(confirmed: Any) -> Any:
    """Snapshots are taken from the state that runs ahead of the log."""

    async def unconfirmed(self: SnapshotWriter[Any, Any, Any], name: str) -> Any:
        return self._owned.aggregates.get(name)

    return unconfirmed


def _as_of_ignored(apply: Any) -> Any:
    """A restored state is changed again by what its snapshot has already seen."""

    def applied(self: Shard[Any, Any, Any], outcome: Outcome, body: Any) -> None:
        if (known := self.aggregates.get(outcome.aggregate)) is not None:
            known.as_of = -1
        apply(self, outcome, body)

    return applied


def _answers_left_out(encode: Any) -> Any:
    """Snapshots hold states without the first answers."""

    def encoded(self: StateCodec[Any, Any, Any], aggregate: Any) -> bytes:
        answers, aggregate._answers = aggregate.answers, Answers()
        try:
            content: bytes = encode(self, aggregate)
        finally:
            aggregate._answers = answers
        return content

    return encoded


def _unknown_is_sent(send: Any) -> Any:
    """A send whose result is unknown is taken for done."""

    async def sent(self: LetterSender, letter: Any) -> None:
        with suppress(SendUnknown):
            await send(self, letter)

    return sent


def _answered_at_once(ask: Any) -> Any:
    """People are told that a command is done as soon as it is in the log, before anybody has decided it."""

    async def asked(self: Commands, command: Command, seconds_max: float | None = None) -> OutcomeBody:
        await self._senders[command.decider].send(command.envelope())
        return OutcomeBody.model_construct(
            command_id=command.command_id,
            principal=command.identity.account,
            aggregate=command.aggregate,
            version=1,
            at=0,
            decided_at=0,
            rules_version="1",
            refusal=None,
            fault=None,
        )

    return asked


def _begun_anywhere(gain: Any) -> Any:
    """A reader begins in the middle of a partition without knowing what came before."""

    async def gained(self: Any, partition: TopicPartition, *arguments: Any) -> None:
        await gain(self, partition, *arguments)
        self._reader.seek(partition, min(4, self._ends.get(partition, 0)))

    return gained


def _tiles_twice(evolve: Any) -> Any:
    """The second seat is dealt what the first one has."""

    def dealt(self: TableDecider, state: Any, event: Any) -> Any:
        if isinstance(event, RoundDealt):
            hands = (event.hands[0], *event.hands[:1], *event.hands[2:])
            event = RoundDealt(event.round, hands, event.boneyard, event.opener, event.forced_tile, event.client_seeds)
        return evolve(self, state, event)

    return dealt


PLANTED: dict[str, tuple[tuple[str, ...], Callable[[], Any]]] = {
    "greater than": (
        ("one outcome per command", "two readers agree"),
        replacement(Validity, "_judge_outcome", _any_later_command),
    ),
    "owner ids alone": ((STALE,), replacement(Validity, "_judge_outcome", _owner_ids_alone)),
    "any claim": ((STALE,), replacement(Validity, "_judge_outcome", _any_claim)),
    "begun anywhere": (("two readers agree",), replacement(Tail, "gain", _begun_anywhere)),
    "void ones too": ((LEAVES,), replacement(PartitionFold, "take", _void_ones_too)),
    "answered at once": (("acknowledged is never missing",), replacement(Commands, "ask", _answered_at_once)),
    "optimistic state kept": ((FOLD, GAP), replacement(Owner, "_fresh_shard", _same_shard)),
    "versions skipped": ((GAP,), replacement(Shard, "_header", _versions_skipped)),
    "snapshot of hopes": ((FOLD, GAP), replacement(SnapshotWriter, "_confirmed", _snapshot_of_hopes)),
    "as-of ignored": ((FOLD, GAP), replacement(Shard, "_apply_logged", _as_of_ignored)),
    "no answers": (("nothing twice",), replacement(Answers, "remember", _no_answers)),
    "answers left out": (("nothing twice",), replacement(StateCodec, "encode", _answers_left_out)),
    "blind to claims": (("processes go on",), replacement(Owner, "_confirm", blind_to_claims)),
    "skipping owner": (("processes go on", FORGOTTEN), replacement(Owner, "_claim", skipping_owner)),
    "claim kept": (
        (FOLD, GAP, "processes go on", "one outcome per command", "timeouts", FORGOTTEN),
        replacement(Owner, "_claim", claim_kept),
    ),
    "no court": (("poison",), replacement(Suspicion, "weigh", no_court)),
    "no waiting": (("poison",), replacement(Suspicion, "sent", no_waiting)),
    "never convicted": (("processes go on",), replacement(Suspicion, "weigh", never_convicted)),
    "too early": (("timeouts",), replacement(bus.judging, "_refuse_timeout", too_early)),
    "forgetful timer": (("timeouts", FORGOTTEN), replacement(Alarms, "ready", forgetful_timer)),
    "deaf to jumps": (("timeouts",), replacement(Hearing, "read", deaf_to_jumps)),
    "trusting timer": ((VOID, HURRY, FORGOTTEN, "timeouts", LEAVES), replacement(Tail, "_take", trusting_timer)),
    "by its wall clock": ((HURRY, FORGOTTEN, "timeouts"), replacement(Clockwork, "_now", by_its_wall_clock)),
    "forgets by snapshot": ((FORGOTTEN, "timeouts"), replacement(SnapshotLoader, "take", forgets_by_snapshot)),
    "outages ignored": (("timeouts",), replacement(bus.shard, "judge", outages_ignored)),
    "bots are people": (("expiry", "a match verifies"), replacement(bus.shard, "context_of", bots_are_people)),
    "impatient": (("expiry",), replacement(domino_rules.table.deadlines, "EXPIRY_MS", impatient)),
    "credit as measured": (("credit",), replacement(domino_rules.table.draft, "credit_ms", as_measured)),
    "credit for all": (("credit",), replacement(domino_rules.table.draft, "credit_ms", half_a_second_for_all)),
    "credit for ever": (("credit",), replacement(domino_rules.table.draft, "credit_ms", for_ever)),
    "unknown is sent": (
        ("timeouts", "processes go on", FORGOTTEN),
        replacement(LetterSender, "send", _unknown_is_sent),
    ),
    "tiles twice": (("28 tiles",), replacement(TableDecider, "evolve", _tiles_twice)),
    "any number of places": (
        (ONE_PLACE,),
        replacement(lobby.region.offers_decide, "refuse_busy", any_number_of_places),
    ),
    "nobody is matched": ((IN_VAIN,), replacement(lobby.region.joining, "match_of", nobody_is_matched)),
    "other seats": ((SEATS,), replacement(lobby.handlers, "on_match_made", other_seats)),
    "open hands": (("no seat sees another's",), replacement(gateway.step, "event_view", _open_hands)),
}
"""By name: the invariants of which one must be found broken, and the context that plants it."""
