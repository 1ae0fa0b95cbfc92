"""What a decider remembers of the commands it has answered, so that a repeated id gets the first answer."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from contracts.envelope import Fault, Refusal

ANSWERS_PER_PRINCIPAL = 64
STRANGERS_MAX = 32
REVIEWED = 2


@dataclass(frozen=True, slots=True)
class FirstAnswer:
    """The answer to the command at `offset`: the version then, and the refusal or fault if there was one."""

    offset: int
    version: int
    refusal: Refusal | None
    fault: Fault | None


class Answers:
    """The last answers per principal: 64 for everyone at the aggregate, and for the 32 strangers who asked last.

    Folded from valid outcomes only, so that every owner remembers the same. Who has gone is noticed while others are
    answered, two at a time, so that what is kept stays in proportion to those who are there.
    """

    __slots__ = ("_kept", "_residents", "_strangers")

    def __init__(self) -> None:
        self._kept: dict[str, OrderedDict[str, FirstAnswer]] = {}
        self._residents: OrderedDict[str, None] = OrderedDict()
        self._strangers: OrderedDict[str, None] = OrderedDict()

    def __len__(self) -> int:
        """Of how many principals answers are kept."""
        return len(self._kept)

    def find(self, principal: str, command_id: str) -> FirstAnswer | None:
        answers = self._kept.get(principal)
        return answers.get(command_id) if answers is not None else None

    def remember(self, principal: str, command_id: str, answer: FirstAnswer, resident: Callable[[str], bool]) -> None:
        """Keeps an answer; `resident` tells who is at the aggregate now."""
        answers = self._kept.setdefault(principal, OrderedDict())
        answers[command_id] = answer
        if len(answers) > ANSWERS_PER_PRINCIPAL:
            answers.popitem(last=False)
        self._place(principal, resident)
        for _ in range(min(REVIEWED, len(self._residents))):
            self._place(next(iter(self._residents)), resident)

    def _place(self, principal: str, resident: Callable[[str], bool]) -> None:
        to, other = self._residents, self._strangers
        if not resident(principal):
            to, other = other, to
        other.pop(principal, None)
        to[principal] = None
        to.move_to_end(principal)
        if len(self._strangers) > STRANGERS_MAX:
            forgotten, _ = self._strangers.popitem(last=False)
            del self._kept[forgotten]
