"""One aggregate in its owner's memory."""

from collections.abc import Callable
from typing import Any, Generic, NamedTuple

from bus.answers import Answers, FirstAnswer
from bus.decider import S


class Thawed(NamedTuple, Generic[S]):
    """What a snapshot's record of an aggregate holds once it is decoded."""

    state: S | None
    answers: Answers


class Frozen(Generic[S]):
    """An aggregate as its snapshot has it. Most tables of a restored partition are not asked anything for a while, and
    bytes are small and come back at once."""

    __slots__ = ("_thaw", "payload")

    def __init__(self, payload: bytes, thaw: Callable[[bytes], Thawed[S]]) -> None:
        self.payload = payload
        self._thaw = thaw

    def thawed(self) -> Thawed[S]:
        """Raises what the decoding raises (`bus.snapshots.records.UnreadableSnapshot`)."""
        return self._thaw(self.payload)


class Aggregate(Generic[S]):
    """`quarantined` says why this aggregate takes no more commands; its state is then the last one that folded.

    `as_of` is the event offset of its last change that the log has confirmed; `unconfirmed` is the command offset of a
    later one that it has not, or -1.
    """

    __slots__ = ("_answers", "_frozen", "_state", "as_of", "quarantined", "unconfirmed", "version")

    def __init__(self, version: int = 0, as_of: int = -1, frozen: Frozen[S] | None = None) -> None:
        self.version = version
        self.as_of = as_of
        self.unconfirmed = -1
        self.quarantined: str | None = None
        self._frozen = frozen
        self._state: S | None = None
        self._answers: Answers | None = None

    @property
    def frozen(self) -> bytes | None:
        """The snapshot's own bytes while nobody has asked for more."""
        return self._frozen.payload if self._frozen is not None else None

    def freeze(self, frozen: Frozen[S]) -> None:
        """Keeps nothing but the bytes, which must be those of what it holds now."""
        self._frozen, self._state, self._answers = frozen, None, None

    @property
    def state(self) -> S | None:
        if self._frozen is not None:
            self._thaw(self._frozen)
        return self._state

    @state.setter
    def state(self, state: S | None) -> None:
        if self._frozen is not None:
            self._thaw(self._frozen)
        self._state = state

    @property
    def answers(self) -> Answers:
        if self._frozen is not None:
            self._thaw(self._frozen)
        if self._answers is None:
            self._answers = Answers()
        return self._answers

    def remember(self, body: dict[str, Any], offset: int, remembers: Callable[[S, str], bool]) -> None:
        """Keeps the first answer, given in `body` to the command at `offset`. `too-early` is no answer, the timer comes
        again; a command without id has none. `remembers` is the decider's."""
        refusal, command_id = body.get("refusal"), body["command_id"]
        early = refusal is not None and refusal.code == "too-early"
        if early or body.get("duplicate_of") is not None or not command_id:
            return
        state = self.state

        def resident(principal: str) -> bool:
            return state is not None and remembers(state, principal)

        answer = FirstAnswer(offset, body["version"], refusal, body.get("fault"))
        self.answers.remember(body["principal"], command_id, answer, resident)

    def _thaw(self, frozen: Frozen[S]) -> None:
        self._state, self._answers = frozen.thawed()
        self._frozen = None
