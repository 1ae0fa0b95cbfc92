"""Holds everything that leaves a process against the truth of the logs, at the moment at which it leaves."""

import json
import re
from typing import Any

from tests.simulation.told import Aggregate, Told, Violation
from tests.simulation.truth import Truth

from bus.decider import Deadline
from bus.header import HEADER, OutcomeHeader, unpack
from bus.outcomes import PartitionFold
from bus.records import NewRecord, Record, TopicPartition
from bus.validity import Judgement, Validity, Verdict
from contracts.api import Replay
from contracts.envelope import OutcomeBody
from domino_rules.notation import tile_name
from domino_rules.table import view_for
from table.projector.live_cache import Entry

TILE = re.compile(r"(?<![0-9a-z-])[0-6]-[0-6](?![0-9-])")


class Witness:
    def __init__(self, truth: Truth) -> None:
        self.truth = truth
        self.views = 0
        self.acknowledged = 0
        self.replays = 0
        self._expected: dict[tuple[str, int, int | None], Any] = {}

    # ---- readers

    def judged(self, validity: Validity, record: Record, judgement: Judgement) -> None:
        """A reader has judged a record: it must come to what the truth came to, whoever it is."""
        ledger = self.truth.ledgers[TopicPartition(record.topic, record.partition)]
        standing = ledger.standings[record.offset]
        counts = judgement.verdict in (Verdict.VALID, Verdict.PROTOCOL)
        where = f"{record.topic}:{record.partition}:{record.offset}"
        if counts and not standing.counts:
            current = judged_under(record) == (standing.claim_offset, standing.owner)
            invariant = "one outcome per command" if current else "nothing valid from a stale claim"
            raise Violation(f"{invariant}: a reader believes {where}, which does not count")
        same = (validity.claim_offset, validity.owner, validity.next_command) == standing[1:4]
        if counts != standing.counts or not same:
            stands = validity.claim_offset, validity.next_command
            raise Violation(
                f"two readers agree: one stands at claim {stands[0]}, command {stands[1]} behind {where}, "
                f"expected {standing.claim_offset} and {standing.next_command}"
            )
        known, expected = validity.outages.known, standing.outages
        if known != expected:
            raise Violation(f"two readers agree: one knows the outages {known} behind {where}, expected {expected}")

    def taken(self, fold: PartitionFold, record: Record, outcome: object) -> None:
        """What a fold hands on must be valid."""
        ledger = self.truth.ledgers[fold.source]
        if (outcome is not None) != (record.offset in ledger.by_offset):
            where = f"{record.topic}:{record.partition}:{record.offset}"
            raise Violation(f"nothing leaves but what is valid: {where} is handed on, or held back, wrongly")

    # ---- timers

    def rings(self, record: NewRecord) -> None:
        """A timer sends a timeout. It goes by the broker's clock, which it knows as slower than it is, never as faster,
        if nobody has set it back."""
        command = json.loads(record.value or b"")
        decider, key, ref = record.topic.removesuffix(".commands"), command["aggregate"], command["command"]["ref"]
        deadline = self.truth.of(decider, key).known(key).deadlines.get(ref)
        if deadline is None:
            raise Violation(f"no void outcome arms: a timer rings for {key} at {ref}, which nobody set")
        now = self.truth.broker.log_now()
        if now <= deadline.due_at and not self.truth.broker.went_back:
            raise Violation(f"timers are no hurry: one rings for {key} at {now}, {deadline} is not due")

    # ---- people

    def answer(self, decider: str, principal: str, body: OutcomeBody) -> None:
        """Somebody was told the outcome of a command."""
        trouble = body.refusal or body.fault
        self._answered(
            decider, body.aggregate, principal, body.command_id, body.version, trouble.code if trouble else None
        )

    def _answered(self, decider: str, key: str, who: str, command: str, version: int, code: str | None) -> None:
        self.acknowledged += 1
        for told in self.truth.of(decider, key).by_id.get((key, who, command), ()):
            if (told.body["version"], told.code) == (version, code):
                return
        raise Violation(f"acknowledged is never missing: {who} was told {code} of {command} of {key}")

    def heard(self, account: str, text: str) -> dict[str, Any]:
        """A text that came out of a socket."""
        message: dict[str, Any] = json.loads(text)
        match message["type"]:
            case "view":
                self._viewed(account, message, text)
            case "answer":
                self._answered(
                    "table", message["table_id"], account, message["id"], message["version"], message["code"]
                )
            case "your-table":
                self._seated(account, message["table_id"], message["region"])
        return message

    def _viewed(self, account: str, message: dict[str, Any], text: str) -> None:
        self.views += 1
        table_id, version = message["table_id"], message["version"]
        state, told = self._state(table_id, version, "a view")
        seat = state.table.seat_of(account)
        stray = set(TILE.findall(text)) - _visible(state, seat)
        if stray:
            raise Violation(f"no seat sees another's: {account} sees {sorted(stray)} of {table_id} at {version}")
        committed = state.table.committed
        if committed is not None and committed.server_seed in text:
            raise Violation(f"no seat sees another's: {account} sees the seed of {table_id} at {version}")
        expected = self._expected.get((table_id, version, seat))
        if expected is None:
            expected = json.loads(json.dumps(view_for(state, seat)))
            self._expected[table_id, version, seat] = expected
        view = dict(message["view"])
        self._check_deadline(table_id, view.pop("deadline"), expected.get("deadline"))
        same = view == {name: value for name, value in expected.items() if name != "deadline"}
        if not same or message["at"] != told.body["at"]:
            raise Violation(f"nothing leaves but what is valid: another view of {table_id} at {version} for {account}")

    def _check_deadline(self, table_id: str, shown: dict[str, Any] | None, expected: dict[str, Any] | None) -> None:
        """Outages that ended since may have given time back, as many of them as the gateway has read of."""
        if shown is None or expected is None:
            if shown != expected:
                raise Violation(f"timeouts: {table_id} is shown with the deadline {shown}")
            return
        ledger = self.truth.of("table", table_id)
        deadline = Deadline(expected["kind"], "", expected["set_at"], expected["due_at"])
        possible = {ledger.due(deadline, outages) for outages in ledger.outages}
        if shown["due_at"] not in possible or shown["due_at"] - shown.get("given_back_ms", 0) != deadline.due_at:
            raise Violation(f"timeouts: {table_id} is shown with the deadline {shown}, expected one of {possible}")

    def _state(self, table_id: str, version: int, what: str) -> tuple[Any, Told]:
        known = self.truth.of("table", table_id).known(table_id)
        if version not in known.states:
            raise Violation(f"nothing leaves but what is valid: {what} of {table_id} at version {version}")
        state, told, _ = known.states[version]
        return state, told

    def _seated(self, account: str, table_id: str, region: str) -> None:
        lobby = self.truth.of("lobby", region).aggregates.get(region, Aggregate()).state
        opened = self.truth.of("table", table_id).known(table_id).states
        if not opened or lobby is None:
            raise Violation(f"nothing leaves but what is valid: {account} is told of table {table_id}")

    def replayed(self, replay: Replay) -> None:
        """Somebody was given a whole match."""
        self.replays += 1
        outcomes = self.truth.of("table", replay.table_id).outcomes
        logged = [told for told in outcomes if told.body["aggregate"] == replay.table_id and told.body["events"]]
        said = [(outcome.version, outcome.at, list(outcome.events)) for outcome in replay.outcomes]
        if said != [(told.header.to_version, told.body["at"], told.body["events"]) for told in logged][: len(said)]:
            raise Violation(f"nothing leaves but what is valid: another replay of {replay.table_id}")
        self._fold_replay(replay)
        self._check_given_back(replay, logged)

    def _fold_replay(self, replay: Replay) -> None:
        """What anybody makes of a replay is what the table was."""
        ledger = self.truth.of("table", replay.table_id)
        state = None
        for outcome in replay.outcomes:
            for payload in outcome.events:
                if payload["type"] != "retired":
                    state = ledger.decider.evolve(state, ledger.decider.decode_event(payload))
        last = ledger.known(replay.table_id).states.get(replay.outcomes[-1].version)
        if last is not None and state != last[0]:
            raise Violation(f"fold = live state: a replay of {replay.table_id} leads elsewhere")

    def _check_given_back(self, replay: Replay, logged: list[Told]) -> None:
        """By how much outages had put off what stood before each outcome."""
        ledger, stood = self.truth.of("table", replay.table_id), None
        for outcome, told in zip(replay.outcomes, logged, strict=False):
            known = ledger.standings[told.offset].outages
            expected = 0 if stood is None else ledger.due(stood, known) - stood.due_at
            if outcome.given_back_ms != expected:
                raise Violation(
                    f"timeouts: a replay of {replay.table_id} tells of {outcome.given_back_ms} ms given back by "
                    f"{told.offset}, expected {expected}"
                )
            stood = told.header.deadline

    # ---- other services

    def cached(self, entry: Entry) -> None:
        """The projector writes an entry of the live cache."""
        projected = entry.projected
        state, told = self._state(entry.table_id, projected.version, "a cache entry")
        ledger = self.truth.of("table", entry.table_id)
        if told.offset != projected.offset or entry.log_id != ledger.log_id.hex() or state != projected.state:
            raise Violation(f"nothing leaves but what is valid: the cache gets another {entry.table_id}")

    def appended(self, record: Record) -> None:
        """A record that is no event: what services tell one another must follow from valid outcomes."""
        if record.topic.endswith(".commands"):
            self._commanded(record)
        elif record.topic == "table.lifecycle":
            source = json.loads(record.value or b"")["source"]
            self._follows(TopicPartition("table.events", source["partition"]), source["offset"], "a fact")
        elif record.topic.endswith(".dead"):
            self._dead(record)

    def _commanded(self, record: Record) -> None:
        try:
            command = json.loads(record.value or b"")
            principal, command_id = command["principal"], command["id"]
        except (ValueError, KeyError, TypeError):
            return
        if principal == "lobby":
            topic, partition, offset, _ = command_id.split(":")
            if topic == "lobby.events":
                self._follows(TopicPartition(topic, int(partition)), int(offset), "a match's table")
        elif principal == "timer":
            decider, key = record.topic.removesuffix(".commands"), command["aggregate"]
            known = self.truth.of(decider, key).known(key)
            if command["command"]["ref"] not in known.deadlines:
                raise Violation(f"nothing leaves but what is valid: a timeout of {key} that nobody set: {command_id}")

    def _follows(self, source: TopicPartition, offset: int, what: str) -> None:
        if offset not in self.truth.ledgers[source].by_offset:
            raise Violation(f"nothing leaves but what is valid: {what} of {source}:{offset}")

    def _dead(self, record: Record) -> None:
        dead = json.loads(record.value or b"")
        events = TopicPartition(dead["topic"].replace(".commands", ".events"), dead["partition"])
        ledger = self.truth.ledgers[events]
        told = ledger.by_command.get(dead["offset"])
        if told is None or told.code != dead["code"]:
            raise Violation(f"nothing leaves but what is valid: a dead letter of {events}, command {dead['offset']}")


def judged_under(record: Record) -> tuple[int, bytes] | None:
    """The claim that an outcome names; None of any other record."""
    header = unpack(record.header(HEADER))
    return (header.claim_offset, header.owner) if isinstance(header, OutcomeHeader) else None


def _visible(state: Any, seat: int | None) -> set[str]:
    """The tiles that may stand in a view: the seat's own, and those that lie or lay open."""
    match = state.match
    tiles: set[int] = set()
    if match.round is not None:
        tiles.update(play.tile for play in match.round.layout.plays)
        if seat is not None:
            tiles.update(match.round.dealt[seat - 1])
    if state.table.last_round is not None:
        tiles.update(tile for hand in state.table.last_round.hands for tile in hand)
        if match.round is not None and match.round_ended is not None:
            tiles.update(tile for hand in match.round.hands for tile in hand)
    return {tile_name(tile) for tile in tiles}
