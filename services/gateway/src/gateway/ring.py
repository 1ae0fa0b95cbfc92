"""The last versions of one table, so that who was away for a moment gets what is missing."""

import zlib
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from pydantic_core import from_json, to_json

from domino_rules.table import TableEvent, event_from_json, evolve
from gateway.step import Step

STEPS_MAX = 64
BLOCK = 16
"""Of so many steps only the first has its state: the others' come of it by their events, whenever somebody asks. A
gateway keeps many rings, and states take most of one's memory."""
PACKED = 5
"""So many steps without state are compressed together."""
FAST = 1
"""Level of compression: much less is kept, and higher levels find little more."""


@dataclass(frozen=True, slots=True)
class _Events:
    """A step without its state."""

    from_version: int
    version: int
    at: int
    events: tuple[TableEvent, ...]

    @classmethod
    def of(cls, step: Step) -> "_Events":
        return cls(step.from_version, step.version, step.at, step.events)

    def after(self, before: Step) -> Step:
        """The whole step, which follows on `before`."""
        state = before.state
        for event in self.events:
            state = evolve(state, event)
        return Step(self.from_version, self.version, self.at, self.events, state, before.outages)


@dataclass(slots=True)
class _Block:
    """Steps that go on from the first of them, with the same outages. All others but the newest few are kept
    compressed: few people come back, and events are what most of a ring consists of."""

    first: Step
    later: list[_Events] = field(default_factory=list)
    packed: list[bytes] = field(default_factory=list)

    def __len__(self) -> int:
        return 1 + PACKED * len(self.packed) + len(self.later)

    def takes(self, step: Step) -> bool:
        return len(self) < BLOCK and step.outages is self.first.outages

    def push(self, step: Step) -> None:
        self.later.append(_Events.of(step))
        if len(self.later) == PACKED:
            self._pack()

    def _pack(self) -> None:
        rows = [(e.from_version, e.version, e.at, [event.to_json() for event in e.events]) for e in self.later]
        self.packed.append(zlib.compress(to_json(rows), FAST))
        self.later.clear()

    def steps(self) -> Iterator[Step]:
        step = self.first
        yield step
        for events in (*self._unpacked(), *self.later):
            step = events.after(step)
            yield step

    def _unpacked(self) -> Iterator[_Events]:
        rows = [row for packed in self.packed for row in from_json(zlib.decompress(packed))]
        for from_version, version, at, events in rows:
            yield _Events(from_version, version, at, tuple(event_from_json(event) for event in events))


class Ring:
    """The newest steps in order, each going on where the one before ended. Never empty."""

    def __init__(self, first: Step, steps_max: int = STEPS_MAX) -> None:
        self._steps_max = steps_max
        self._blocks = deque([_Block(first)])
        self._size = 1
        self._newest = first

    def push(self, step: Step) -> None:
        if self._blocks[-1].takes(step):
            self._blocks[-1].push(step)
        else:
            self._blocks.append(_Block(step))
        self._newest = step
        self._size += 1
        while self._size - len(self._blocks[0]) >= self._steps_max:
            self._size -= len(self._blocks.popleft())

    @property
    def newest(self) -> Step:
        return self._newest

    def since(self, version: int) -> Iterable[Step]:
        """What somebody needs who has `version`: the steps after it, or the whole table when they are gone.

        At least one step comes back: who misses nothing gets the table as it is, without events.
        """
        if version == self._newest.version:
            return [self._newest.since(version)]
        missing = self._missing(version) if version > 0 else []
        if missing and missing[0].from_version == version:
            return [*(step.before(later.at) for step, later in pairwise(missing)), missing[-1]]
        return [self._newest.since(0)]

    def _missing(self, version: int) -> list[Step]:
        """The steps that begin at `version` or later, of the newest ones that a ring has to have."""
        begin = next(
            (n for n, block in reversed(list(enumerate(self._blocks))) if block.first.from_version <= version), 0
        )
        wanted = list(self._blocks)[begin:]
        steps = [step for block in wanted for step in block.steps()][-self._steps_max :]
        return [step for step in steps if step.from_version >= version]
