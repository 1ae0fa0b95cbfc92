"""What comes in from the logs and who is told of it: decided by header, bodies are decoded only for somebody."""

import logging
from collections.abc import Iterable

from pydantic import ValidationError

from bus import telemetry
from bus.outages import NO_OUTAGES, Outage, Outages
from bus.outcomes import MalformedBody, Outcome
from bus.records import TopicPartition
from contracts.api import MatchCalledOff, YourTable
from contracts.envelope import OutcomeBody
from contracts.region import MatchMade, TableReleased
from contracts.room import MatchStarted, RoomReleased, code_of
from gateway.answers import Answers
from gateway.hub import Hub
from gateway.private_rooms import PrivateRooms
from gateway.reading import TABLE_EVENTS
from gateway.region import RegionHere
from gateway.tables import Tables
from gateway.whereabouts import Whereabouts

log = logging.getLogger(__name__)


class Feed:
    """The handler of the gateway's tail over all partitions of `table.events` and `lobby.events`."""

    def __init__(
        self,
        tables: Tables,
        whereabouts: Whereabouts,
        answers: Answers,
        hub: Hub,
        region: RegionHere,
        rooms: PrivateRooms,
    ) -> None:
        self._tables = tables
        self._whereabouts = whereabouts
        self._answers = answers
        self._hub = hub
        self._region = region
        self._rooms = rooms
        self._outages: dict[TopicPartition, Outages] = {}
        self._newest: dict[TopicPartition, Outage] = {}

    def outcome(self, outcome: Outcome) -> None:
        if outcome.source.topic == TABLE_EVENTS:
            self._of_table(outcome)
        else:
            self._of_lobby(outcome)

    async def flush(self, partition: TopicPartition, _: int) -> None:
        self._tables.evict()
        outages = self._outages.get(partition, NO_OUTAGES)
        if outages.known and outages.known[-1] != self._newest.get(partition):
            self._newest[partition] = outages.known[-1]
            await self._tables.outage_ended(outages)

    async def gained(self, _: TopicPartition) -> None:
        """Nothing: all partitions are read from the start, once."""

    async def caught_up(self, _: TopicPartition) -> None:
        """Nothing: the tail itself knows when all is read."""

    async def lost(self, _: TopicPartition) -> None:
        """Nothing: no partition is ever lost without a group."""

    def _of_table(self, outcome: Outcome) -> None:
        table_id = outcome.aggregate
        self._outages[outcome.source] = outcome.outages
        if self._tables.note(outcome):
            self._tell(table_id, self._whereabouts.opened(table_id))
            self._rooms.opened(table_id)
        wanted = self._tables.wants(table_id)
        awaited = self._answers.awaited(TABLE_EVENTS, table_id)
        if not wanted and not awaited:
            return
        body = _body(outcome)
        if body is None:
            if wanted:
                self._tables.cannot_read(table_id)
            return
        if wanted:
            self._tables.take(outcome, body)
        if awaited:
            self._answers.settle(TABLE_EVENTS, body)

    def _of_lobby(self, outcome: Outcome) -> None:
        if not outcome.changes and not self._answers.awaited(outcome.source.topic, outcome.aggregate):
            return
        body = _body(outcome)
        if body is None:
            return
        try:
            for event in body.events:
                self._lobby_event(body.aggregate, event, body.at)
                self._region.take(body.aggregate, event, body.at)
            self._region.answer(body)
        except ValidationError:
            _alarm("malformed-event", f"the lobby's outcome at {outcome.source}:{outcome.offset}")
        if (code := code_of(body.aggregate)) is not None and outcome.changes:
            self._room_changed(code, outcome.header.to_version, body)
        self._answers.settle(outcome.source.topic, body)

    def _room_changed(self, code: str, version: int, body: OutcomeBody) -> None:
        self._rooms.take(body.aggregate, version, body.events)
        room = self._rooms.find(code)
        if room is not None and room.table_id is not None and room.table_id in self._tables:
            self._rooms.opened(room.table_id)

    def _lobby_event(self, region: str, event: dict[str, object], at: int) -> None:
        match event.get("type"):
            case "match-made" | "match-started" as kind:
                match = (MatchMade if kind == "match-made" else MatchStarted).model_validate(event)
                known = match.table_id in self._tables
                self._tell(match.table_id, self._whereabouts.match_made(region, match, at, is_open=known))
            case "table-released":
                released = TableReleased.model_validate(event)
                self._whereabouts.released(released)
                self._call_off(released, released.accounts)
            case "room-released":
                self._release_room(RoomReleased.model_validate(event))

    def _release_room(self, event: RoomReleased) -> None:
        """The house bots of its match are told by their region's release."""
        running = self._whereabouts.released(event)
        seats = running.match.seats if running is not None else ()
        self._call_off(event, [seat.account for seat in seats if seat.strength is None])

    def _call_off(self, event: TableReleased | RoomReleased, accounts: Iterable[str]) -> None:
        if event.not_opened is not None:
            self._hub.tell(accounts, MatchCalledOff(table_id=event.table_id, code=event.not_opened))

    def _tell(self, table_id: str, accounts: tuple[str, ...]) -> None:
        if accounts:
            seated = self._whereabouts.seat_at(table_id)
            self._hub.tell(accounts, YourTable(table_id=seated.table_id, region=seated.region))


def _body(outcome: Outcome) -> OutcomeBody | None:
    try:
        return outcome.body()
    except MalformedBody as error:
        _alarm("malformed-body", str(error))
        return None


def _alarm(kind: str, what: str) -> None:
    log.error("an outcome cannot be read", extra={"fields": {"kind": kind, "what": what}})
    telemetry.alarms.add(1, {"kind": kind})
