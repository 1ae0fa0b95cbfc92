"""What the next release decides, beside all that this one does: people may cheer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bus.decider import Context
from contracts.message import Message
from domino_rules.table import TableState
from table.decider import TableDecider

TAG = "cheered"
FIELD = "of-the-next-release"


class Cheer(Message):
    type: str = "cheer"


@dataclass(frozen=True, slots=True)
class Cheered:
    account: str


class NextTableDecider(TableDecider):
    """Its log is this release's log but for what nobody has done yet."""

    rules_version = f"{TableDecider.rules_version}-next"

    def decode_command(self, payload: dict[str, Any]) -> Any:
        return Cheer() if payload.get("type") == Cheer().type else super().decode_command(payload)

    def decide(self, state: TableState | None, command: Any, context: Context) -> Any:
        if isinstance(command, Cheer):
            return [Cheered(context.principal)]
        return super().decide(state, command, context)

    def evolve(self, state: TableState | None, event: Any) -> TableState:
        if isinstance(event, Cheered):
            assert state is not None
            return state
        return super().evolve(state, event)

    def encode_event(self, event: Any) -> dict[str, Any]:
        if isinstance(event, Cheered):
            return {"type": TAG, "account": event.account}
        return {**super().encode_event(event), FIELD: True}

    def decode_event(self, payload: dict[str, Any]) -> Any:
        return Cheered(payload["account"]) if payload.get("type") == TAG else super().decode_event(payload)

    def state_hash(self, state: TableState, events: Sequence[Any]) -> str | None:
        return super().state_hash(state, [event for event in events if not isinstance(event, Cheered)])
