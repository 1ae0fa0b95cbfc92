"""What stands in for the world in pure tests: a socket that keeps what it is told."""

import json
from dataclasses import dataclass, field
from typing import Any


@dataclass(eq=False)
class Listener:
    """A watcher."""

    account: str
    told: list[dict[str, Any]] = field(default_factory=list)

    @property
    def accounts(self) -> tuple[str, ...]:
        return (self.account,)

    def push(self, text: str) -> None:
        self.told.append(json.loads(text))

    @property
    def versions(self) -> list[tuple[int, int]]:
        return [(view["from_version"], view["version"]) for view in self.told if view["type"] == "view"]
