"""Whose seats a table's are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self, TypeAlias

from domino_rules.events import Json

Strength: TypeAlias = Literal["beginner", "normal", "expert"]
"""How well a house bot plays."""


@dataclass(frozen=True, slots=True)
class Reservation:
    """Whose seat it is; a bot is a program and always labelled. `strength` is a house bot's, none for all others."""

    account: str
    bot: bool = False
    strength: Strength | None = None

    def to_json(self) -> Json:
        body: Json = {"account": self.account, "bot": self.bot}
        return body if self.strength is None else {**body, "strength": self.strength}

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        return cls(body["account"], body["bot"], body.get("strength"))
