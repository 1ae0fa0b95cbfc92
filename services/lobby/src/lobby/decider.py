"""The lobby's decider. An aggregate named `room-` and a code is a private room, any other one a region."""

from collections.abc import Sequence
from typing import Any, TypeAlias

from pydantic import TypeAdapter

from bus.decider import Context, Deadline, UnknownEvent
from contracts.envelope import Refusal, Retired
from contracts.lobby import LobbyCommand, LobbyEvent
from contracts.message import tags
from contracts.region import RegionCommands, RegionEvents
from contracts.room import RoomCommands, code_of
from lobby.refusals import refusal
from lobby.region import codec as region_codec
from lobby.region import decide as regions
from lobby.region.state import Lobby
from lobby.region.state import evolve as evolve_region
from lobby.room import codec as room_codec
from lobby.room import decide as rooms
from lobby.room.state import RoomState
from lobby.room.state import evolve as evolve_room

State: TypeAlias = Lobby | RoomState
SERVICES = ("lobby", "timer")

_commands: TypeAdapter[LobbyCommand] = TypeAdapter(LobbyCommand)
_events: TypeAdapter[LobbyEvent] = TypeAdapter(LobbyEvent)
_event_tags = tags(LobbyEvent)


class LobbyDecider:
    """`bus.decider.Decider` over the functions of both kinds."""

    name = "lobby"
    rules_version = "lobby-5"
    snapshot_version = 3

    def decode_command(self, payload: dict[str, Any]) -> LobbyCommand:
        return _commands.validate_python(payload)

    def decide(
        self, state: State | None, command: LobbyCommand, context: Context
    ) -> Sequence[LobbyEvent] | Refusal | Retired:
        is_room = code_of(context.aggregate) is not None
        if is_room and isinstance(command, RoomCommands):
            assert not isinstance(state, Lobby)
            return rooms.decide(state, command, context)
        if not is_room and isinstance(command, RegionCommands):
            assert state is None or isinstance(state, Lobby)
            return regions.decide(state, command, context)
        kinds = ("a region", "a private room") if is_room else ("a private room", "a region")
        return refusal("wrong-aggregate", f"{command.type} is for another kind of aggregate", *kinds)

    def evolve(self, state: State | None, event: LobbyEvent) -> State:
        if isinstance(event, RegionEvents):
            assert state is None or isinstance(state, Lobby)
            return evolve_region(state, event)
        assert not isinstance(state, Lobby)
        return evolve_room(state, event)

    def deadline(self, state: State) -> Deadline | None:
        return regions.deadline(state) if isinstance(state, Lobby) else rooms.deadline(state)

    def encode_event(self, event: LobbyEvent) -> dict[str, Any]:
        return event.model_dump()

    def decode_event(self, payload: dict[str, Any]) -> LobbyEvent:
        if payload.get("type") not in _event_tags:
            raise UnknownEvent(str(payload.get("type")))
        return _events.validate_python(payload)

    def state_to_json(self, state: State) -> dict[str, Any]:
        if isinstance(state, Lobby):
            return {"kind": "region", "state": region_codec.to_json(state)}
        return {"kind": "room", "state": room_codec.to_json(state)}

    def state_from_json(self, body: dict[str, Any]) -> State:
        match body["kind"]:
            case "region":
                return region_codec.from_json(body["state"])
            case "room":
                return room_codec.from_json(body["state"])
            case kind:
                raise ValueError(f"kind: expected region or room, got {kind!r}")

    def rests(self, state: State) -> bool:
        """A region never: somebody always comes."""
        return not isinstance(state, Lobby) and rooms.rests(state)

    def state_hash(self, state: State, events: Sequence[LobbyEvent]) -> None:
        """None: a lobby has no rounds and no matches of its own."""

    def remembers(self, state: State, principal: str) -> bool:
        if principal in SERVICES:
            return True
        return regions.remembers(state, principal) if isinstance(state, Lobby) else rooms.remembers(state, principal)
