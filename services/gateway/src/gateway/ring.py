"""The last versions of one table, so that who was away for a moment gets what is missing."""

from collections import deque
from collections.abc import Iterable
from itertools import pairwise

from gateway.step import Step

STEPS_MAX = 64


class Ring:
    """The newest steps in order, each going on where the one before ended. Never empty."""

    def __init__(self, first: Step, steps_max: int = STEPS_MAX) -> None:
        self._steps = deque([first], maxlen=steps_max)

    def push(self, step: Step) -> None:
        self._steps.append(step)

    @property
    def newest(self) -> Step:
        return self._steps[-1]

    def since(self, version: int) -> Iterable[Step]:
        """What somebody needs who has `version`: the steps after it, or the whole table when they are gone.

        At least one step comes back: who misses nothing gets the table as it is, without events.
        """
        if version == self.newest.version:
            return [self.newest.since(version)]
        missing = [step for step in self._steps if step.from_version >= version]
        if version > 0 and missing and missing[0].from_version == version:
            return [*(step.before(later.at) for step, later in pairwise(missing)), missing[-1]]
        return [self.newest.since(0)]
