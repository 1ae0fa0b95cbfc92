"""The lobby's decider: each of its aggregates is a region."""

from collections.abc import Sequence
from typing import Any

from pydantic import TypeAdapter

from bus.decider import Context, Deadline, UnknownEvent
from contracts.envelope import Refusal
from contracts.lobby import LobbyCommand, LobbyEvent
from contracts.message import tags
from lobby.region import codec
from lobby.region.decide import deadline, decide, remembers
from lobby.region.state import Lobby, evolve

SERVICES = ("lobby", "timer")

_commands: TypeAdapter[LobbyCommand] = TypeAdapter(LobbyCommand)
_events: TypeAdapter[LobbyEvent] = TypeAdapter(LobbyEvent)
_event_tags = tags(LobbyEvent)


class LobbyDecider:
    """`bus.decider.Decider` over the functions above."""

    name = "lobby"
    rules_version = "lobby-3"
    snapshot_version = 3

    def decode_command(self, payload: dict[str, Any]) -> LobbyCommand:
        return _commands.validate_python(payload)

    def decide(self, state: Lobby | None, command: LobbyCommand, context: Context) -> Sequence[LobbyEvent] | Refusal:
        return decide(state, command, context)

    def evolve(self, state: Lobby | None, event: LobbyEvent) -> Lobby:
        return evolve(state, event)

    def deadline(self, state: Lobby) -> Deadline | None:
        return deadline(state)

    def encode_event(self, event: LobbyEvent) -> dict[str, Any]:
        return event.model_dump()

    def decode_event(self, payload: dict[str, Any]) -> LobbyEvent:
        if payload.get("type") not in _event_tags:
            raise UnknownEvent(str(payload.get("type")))
        return _events.validate_python(payload)

    def state_to_json(self, state: Lobby) -> dict[str, Any]:
        return codec.to_json(state)

    def state_from_json(self, body: dict[str, Any]) -> Lobby:
        return codec.from_json(body)

    def rests(self, state: Lobby) -> bool:  # noqa: ARG002 - it is the same for all
        """Never: somebody always comes."""
        return False

    def state_hash(self, state: Lobby, events: Sequence[LobbyEvent]) -> None:
        """None: a lobby has no rounds and no matches of its own."""

    def remembers(self, state: Lobby, principal: str) -> bool:
        return principal in SERVICES or remembers(state, principal)
