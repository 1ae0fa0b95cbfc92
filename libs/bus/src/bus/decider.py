"""What a decider is: pure functions over one aggregate, run by `bus.runtime`.

After Jérémie Chassaing's decider: `decide` judges, `evolve` only trusts, and nothing here knows a clock, a source of
randomness or a log.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from contracts.envelope import Refusal, Retired

S = TypeVar("S")
C = TypeVar("C")
E = TypeVar("E")


@dataclass(slots=True, unsafe_hash=True)  # never changed; a frozen one takes longer to make: see `bus.header`
class Deadline:
    """The one deadline of an aggregate. `ref` is unique among the aggregate's deadlines; times are log milliseconds."""

    kind: str
    ref: str
    set_at: int
    due_at: int


@dataclass(frozen=True, slots=True)
class Context:
    """What the log and the runtime know of a command.

    `at` is the command's log time in ms; `deadlines_from` is what new deadlines count from: `at`, or the later moment
    of the decision when the command waited over a second for an owner. `timed_out` is the deadline that the runtime
    applied in this same outcome before the command was looked at. `entropy` is 32 fresh random bytes. `given_back` is
    by how many ms outages have put off the standing deadline: no clock is charged for them. `delay_ms` is the round
    trip of the sender's connection as the gateway measured it, none when it has not.
    """

    aggregate: str
    principal: str
    command_id: str
    human: bool
    at: int
    deadlines_from: int
    entropy: bytes
    timed_out: Deadline | None = None
    given_back: int = 0
    delay_ms: int | None = None

    def draw(self, label: str) -> bytes:
        """32 random bytes for one use, named by `label`; the caller records what it needs of them in an event."""
        return hashlib.blake2b(label.encode(), key=self.entropy, digest_size=32).digest()


@dataclass(frozen=True, slots=True)
class RefusedAfter(Generic[E]):
    """What was asked for is refused, and by asking something has happened all the same."""

    events: tuple[E, ...]
    refusal: Refusal


class Decider(Protocol[S, C, E]):
    """The pure heart of a service. `state` is None for an aggregate that does not exist."""

    name: str
    rules_version: str
    snapshot_version: int
    """Of what `state_to_json` gives: counted up when an older or newer version's cannot be read."""

    def decode_command(self, payload: dict[str, Any]) -> C:
        """The command of a payload. Raises ValueError (pydantic's included) when it cannot be understood."""
        ...

    def decide(
        self, state: S | None, command: C, context: Context
    ) -> Sequence[E] | Refusal | RefusedAfter[E] | Retired:
        """The events that follow, maybe none, or why not, or both. A `TimeOut` that reaches it is current and due.

        `Retired` lets go of the state with all answers to its commands. The very command that finds it retired must not
        make it anew.
        """
        ...

    def evolve(self, state: S | None, event: E) -> S:
        """The state after `event`: a new value, `state` stays as it was. Never judges."""
        ...

    def deadline(self, state: S) -> Deadline | None: ...

    def encode_event(self, event: E) -> dict[str, Any]: ...

    def decode_event(self, payload: dict[str, Any]) -> E:
        """Raises `UnknownEvent` for a tag that this version does not know."""
        ...

    def state_to_json(self, state: S) -> dict[str, Any]:
        """The whole state for a snapshot."""
        ...

    def state_from_json(self, body: dict[str, Any]) -> S:
        """The state of such an object, equal to the one it was made from. Raises whatever it likes for another one."""
        ...

    def rests(self, state: S) -> bool:
        """Whether nothing more is expected of it for long: it is kept small, and takes a moment to be asked."""
        ...

    def state_hash(self, state: S, events: Sequence[E]) -> str | None:
        """The state's hash where `events` end a round or a match, else None."""
        ...

    def remembers(self, state: S, principal: str) -> bool:
        """Whether the answers of this principal are kept safe from being pushed out by strangers'."""
        ...


class UnknownEvent(Exception):
    """An event's tag is not known to this version. Carries the tag only."""
