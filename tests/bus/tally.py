"""The smallest decider that uses everything: a sum per aggregate, with an alarm that adds a thousand."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from bus.decider import Context, Deadline, UnknownEvent
from contracts.envelope import Refusal, Retired, TimeOut
from contracts.message import Message


class Add(Message):
    type: Literal["add"] = "add"
    number: int


class Arm(Message):
    type: Literal["arm"] = "arm"
    milliseconds: int


class Explode(Message):
    type: Literal["explode"] = "explode"


class Retire(Message):
    type: Literal["retire"] = "retire"


class Added(Message):
    type: Literal["added"] = "added"
    number: int


class Armed(Message):
    type: Literal["armed"] = "armed"
    set_at: int
    due_at: int


class Rang(Message):
    type: Literal["rang"] = "rang"


Command = Add | Arm | Explode | Retire | TimeOut
Event = Added | Armed | Rang
COMMANDS: TypeAdapter[Command] = TypeAdapter(Annotated[Command, Field(discriminator="type")])
EVENTS: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="type")])


@dataclass(frozen=True, slots=True)
class Tally:
    total: int = 0
    rung: int = 0
    armed: Armed | None = None


class TallyDecider:
    rules_version = "1"
    snapshot_version = 1

    def __init__(self, name: str = "tally") -> None:
        self.name = name

    def decode_command(self, payload: dict[str, Any]) -> Command:
        return COMMANDS.validate_python(payload)

    def decide(self, state: Tally | None, command: Command, context: Context) -> Sequence[Event] | Refusal | Retired:
        match command:
            case Add(number=number) if number < 0:
                return Refusal(code="negative", message="expected a number from 0", expected="0", got=str(number))
            case Add(number=number):
                return [Added(number=number)]
            case Arm(milliseconds=length):
                return [Armed(set_at=context.deadlines_from, due_at=context.deadlines_from + length)]
            case Explode():
                raise ZeroDivisionError
            case Retire():
                return Retired()
        return [Rang(), Added(number=1000)]

    def evolve(self, state: Tally | None, event: Event) -> Tally:
        state = state or Tally()
        match event:
            case Added(number=number):
                return Tally(state.total + number, state.rung, state.armed)
            case Armed():
                return Tally(state.total, state.rung, event)
        return Tally(state.total, state.rung + 1)

    def deadline(self, state: Tally) -> Deadline | None:
        if state.armed is None:
            return None
        return Deadline("alarm", f"alarm-{state.rung}", state.armed.set_at, state.armed.due_at)

    def encode_event(self, event: Event) -> dict[str, Any]:
        return event.model_dump()

    def decode_event(self, payload: dict[str, Any]) -> Event:
        if payload.get("type") not in ("added", "armed", "rang"):
            raise UnknownEvent(str(payload.get("type")))
        return EVENTS.validate_python(payload)

    def state_to_json(self, state: Tally) -> dict[str, Any]:
        armed = None if state.armed is None else state.armed.model_dump()
        return {"total": state.total, "rung": state.rung, "armed": armed}

    def state_from_json(self, body: dict[str, Any]) -> Tally:
        armed = None if body["armed"] is None else Armed.model_validate(body["armed"])
        return Tally(body["total"], body["rung"], armed)

    def rests(self, state: Tally) -> bool:
        return state.total >= 1000

    def state_hash(self, state: Tally, events: Sequence[Event]) -> str | None:
        return f"{state.total:x}" if any(isinstance(event, Rang) for event in events) else None

    def remembers(self, state: Tally, principal: str) -> bool:
        return principal == "tester"
