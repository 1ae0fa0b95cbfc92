"""The two record bodies of every decider: a command going in, its one outcome coming out."""

from typing import Annotated, Any, Literal

from pydantic import Field

from contracts.message import Message, Milliseconds

Payload = Annotated[dict[str, Any], Field(description="the message itself; its tag is the field `type`")]
DELAY_MS_MAX = 60_000
"""What took longer is said to have taken so long."""


class CommandEnvelope(Message):
    """The body of a record in a `*.commands` topic; the record's key is `aggregate`.

    `id` is unique per `principal` (the account, or the service that sends): the same pair has one effect and one
    answer, however often it is sent. `human` is true when a person, not a program of ours, asked for it. `delay_ms` is
    the round trip of the sender's connection as the gateway measured it, none when it has not; a client never says it.
    `asked_by` is the aggregate from whose event a policy made the command, none for any other command.
    """

    id: Annotated[str, Field(min_length=1, max_length=200)]
    principal: Annotated[str, Field(min_length=1, max_length=64)]
    aggregate: Annotated[str, Field(min_length=1, max_length=128)]
    command: Payload
    human: bool = False
    delay_ms: Annotated[int, Field(ge=0, le=DELAY_MS_MAX)] | None = None
    asked_by: Annotated[str, Field(min_length=1, max_length=128)] | None = None


class TimeOut(Message):
    """A deadline fell due. Sent by the timer; accepted only if `ref` is the aggregate's current deadline."""

    type: Literal["time-out"] = "time-out"
    kind: str
    ref: str


class Retired(Message):
    """The aggregate leaves the memory of its decider and of all who read it. The one event whose outcome leads to
    version 0."""

    type: Literal["retired"] = "retired"


class Refusal(Message):
    """An answer: the command was understood and not done. Nothing changed by it."""

    code: Annotated[str, Field(pattern=r"^[a-z0-9-]+$")]
    message: str
    expected: str = ""
    got: str = ""


class Fault(Message):
    """A final outcome for a command that cannot be decided (undecodable, too large, a bug in `decide`)."""

    code: Annotated[str, Field(pattern=r"^[a-z0-9-]+$")]
    message: str


class OutcomeBody(Message):
    """The body of an outcome record; its protocol fields stand in the packed header (`bus.header`).

    `duplicate_of` is the command offset of the first command with this principal and id; then `refusal` and `version`
    repeat the first answer. `version` is the aggregate's version that answers the command. `at` is the command's log
    time, `decided_at` that of the decision by the owner's clock. `asked_by` is the command's, repeated with a refusal
    or a fault alone: who hears of it.
    """

    command_id: str
    principal: str
    aggregate: str
    version: int
    at: Milliseconds
    decided_at: Milliseconds
    rules_version: str
    events: tuple[Payload, ...] = ()
    refusal: Refusal | None = None
    fault: Fault | None = None
    duplicate_of: int | None = None
    state_hash: str | None = None
    asked_by: str | None = None


class DeadLetter(Message):
    """A record of a `<consumer>.dead` topic: where the source lies and why it could not be used."""

    topic: str
    partition: int
    offset: int
    code: str
    message: str
    command_id: str = ""
    principal: str = ""
