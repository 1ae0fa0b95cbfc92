"""What a decider remembers of the commands it has answered, so that a repeated id gets the first answer."""

import base64
import hashlib
import re
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from contracts.envelope import Fault, Refusal

ANSWERS_PER_PRINCIPAL = 16
STRANGERS_MAX = 32
REVIEWED = 2
REVIEW_FROM = 8
"""Fewer are not worth the looking: a table's few seats never change hands."""

_ANSWER = struct.Struct(">8sQQ")
_BYTES_MAX = ANSWERS_PER_PRINCIPAL * _ANSWER.size
_POLICY_ID = re.compile(r"(.+\.events:\d+):(\d+):(\d+)")
"""As `bus.policies.letter_id` makes them: source partition, offset, number."""
_Trouble = tuple[Refusal | None, Fault | None]


@dataclass(frozen=True, slots=True)
class FirstAnswer:
    """The answer to the command at `offset`: the version then, and the refusal or fault if there was one."""

    offset: int
    version: int
    refusal: Refusal | None
    fault: Fault | None


class _Watermark(NamedTuple):
    """The newest command of a policy from one source partition, where it came from and how it was answered."""

    source_offset: int
    number: int
    offset: int
    version: int


@dataclass(slots=True)
class _Remembered:
    """One principal's answers, oldest first: 24 bytes each, because a hundred thousand tables hold them. `troubles` are
    the few that were refusals or faults, by command offset.

    A policy sends in order, one at a time for each target, and after a crash again from far back: whatever does not lie
    above the watermark of its source partition has been answered, if not lately.
    """

    packed: bytes = b""
    troubles: dict[int, _Trouble] = field(default_factory=dict)
    watermarks: dict[str, _Watermark] | None = None

    def find(self, command_id: str) -> FirstAnswer | None:
        command = _shortened(command_id)
        for known, offset, version in _ANSWER.iter_unpack(self.packed):
            if known == command:
                return FirstAnswer(offset, version, *self.troubles.get(offset, (None, None)))
        if self.watermarks is None or (found := _POLICY_ID.fullmatch(command_id)) is None:
            return None
        mark = self.watermarks.get(found[1])
        if mark is None or (int(found[2]), int(found[3])) > mark[:2]:
            return None
        return FirstAnswer(mark.offset, mark.version, None, None)

    def keep(self, command_id: str, answer: FirstAnswer) -> None:
        if ".events:" in command_id and (found := _POLICY_ID.fullmatch(command_id)) is not None:
            mark = _Watermark(int(found[2]), int(found[3]), answer.offset, answer.version)
            self.watermarks = {**(self.watermarks or {}), found[1]: mark}
        command = _shortened(command_id)
        packed = self.packed + _ANSWER.pack(command, answer.offset, answer.version)
        if len(packed) > _BYTES_MAX:
            _, forgotten, _ = _ANSWER.unpack_from(packed)
            self.troubles.pop(forgotten, None)
            packed = packed[_ANSWER.size :]
        self.packed = packed
        if answer.refusal is not None or answer.fault is not None:
            self.troubles[answer.offset] = answer.refusal, answer.fault


class Answers:
    """The last answers per principal: 16 for everyone at the aggregate, and for the 32 strangers who asked last.

    Folded from valid outcomes only, so that every owner remembers the same. Who has gone is noticed while others are
    answered, two at a time, so that what is kept stays in proportion to those who are there.
    """

    __slots__ = ("_kept", "_residents", "_strangers")

    def __init__(self) -> None:
        self._kept: dict[str, _Remembered] = {}
        self._residents: dict[str, None] = {}
        self._strangers: dict[str, None] = {}

    def __len__(self) -> int:
        """Of how many principals answers are kept."""
        return len(self._kept)

    def find(self, principal: str, command_id: str) -> FirstAnswer | None:
        answers = self._kept.get(principal)
        return answers.find(command_id) if answers is not None else None

    def remember(self, principal: str, command_id: str, answer: FirstAnswer, resident: Callable[[str], bool]) -> None:
        """Keeps an answer; `resident` tells who is at the aggregate now."""
        answers = self._kept.get(principal)
        if answers is None:
            answers = self._kept[principal] = _Remembered()
        answers.keep(command_id, answer)
        self._place(principal, resident)
        if len(self._residents) >= REVIEW_FROM:
            for _ in range(REVIEWED):
                self._place(next(iter(self._residents)), resident)

    def _place(self, principal: str, resident: Callable[[str], bool]) -> None:
        to, other = self._residents, self._strangers
        if not resident(principal):
            to, other = other, to
        other.pop(principal, None)
        to.pop(principal, None)
        to[principal] = None
        if len(self._strangers) > STRANGERS_MAX:
            forgotten = next(iter(self._strangers))
            del self._strangers[forgotten], self._kept[forgotten]

    # ---- for snapshots

    def to_json(self) -> dict[str, Any]:
        return {
            "residents": {principal: _to_json(self._kept[principal]) for principal in self._residents},
            "strangers": {principal: _to_json(self._kept[principal]) for principal in self._strangers},
        }

    @classmethod
    def from_json(cls, body: dict[str, Any]) -> "Answers":
        """Raises `KeyError`, `TypeError` or `ValueError` for anything but what `to_json` gives."""
        answers = cls()
        for name, places in (("residents", answers._residents), ("strangers", answers._strangers)):
            for principal, remembered in body[name].items():
                answers._kept[principal] = _from_json(remembered)
                places[principal] = None
        return answers


def _shortened(command_id: str) -> bytes:
    """64 bits of the id: ids are compared with the same principal's last few only."""
    return hashlib.blake2b(command_id.encode(), digest_size=8).digest()


def _to_json(remembered: _Remembered) -> list[Any]:
    troubles = [
        [offset, refusal and refusal.model_dump(), fault and fault.model_dump()]
        for offset, (refusal, fault) in remembered.troubles.items()
    ]
    return [base64.b64encode(remembered.packed).decode(), troubles, remembered.watermarks]


def _from_json(body: list[Any]) -> _Remembered:
    packed, troubles, watermarks = body
    return _Remembered(
        base64.b64decode(packed, validate=True),
        {
            offset: (refusal and Refusal.model_validate(refusal), fault and Fault.model_validate(fault))
            for offset, refusal, fault in troubles
        },
        None if watermarks is None else {source: _Watermark(*mark) for source, mark in watermarks.items()},
    )
