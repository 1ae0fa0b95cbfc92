"""What a decider remembers of the commands it has answered, so that a repeated id gets the first answer."""

from collections import OrderedDict
from dataclasses import dataclass

from contracts.envelope import Fault, Refusal

ANSWERS_PER_PRINCIPAL = 64
STRANGERS_MAX = 32


@dataclass(frozen=True, slots=True)
class FirstAnswer:
    """The answer to the command at `offset`: the version then, and the refusal or fault if there was one."""

    offset: int
    version: int
    refusal: Refusal | None
    fault: Fault | None


class Answers:
    """The last answers per principal: 64 for everyone at the aggregate, and for the 32 strangers who asked last.

    Folded from valid outcomes only, so that every owner remembers the same.
    """

    __slots__ = ("_kept", "_strangers")

    def __init__(self) -> None:
        self._kept: dict[str, OrderedDict[str, FirstAnswer]] = {}
        self._strangers: OrderedDict[str, None] = OrderedDict()

    def find(self, principal: str, command_id: str) -> FirstAnswer | None:
        answers = self._kept.get(principal)
        return answers.get(command_id) if answers is not None else None

    def remember(self, principal: str, command_id: str, answer: FirstAnswer, *, stranger: bool) -> None:
        answers = self._kept.setdefault(principal, OrderedDict())
        answers[command_id] = answer
        if len(answers) > ANSWERS_PER_PRINCIPAL:
            answers.popitem(last=False)
        if not stranger:
            self._strangers.pop(principal, None)
            return
        self._strangers[principal] = None
        self._strangers.move_to_end(principal)
        if len(self._strangers) > STRANGERS_MAX:
            forgotten, _ = self._strangers.popitem(last=False)
            del self._kept[forgotten]
