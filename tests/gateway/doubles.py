"""What stands in for the world in pure tests: a clock that is set by hand, and a socket that keeps what it is told."""

import json
from dataclasses import dataclass, field
from typing import Any


@dataclass
class HandClock:
    seconds: float = 1000.0

    def log_time(self, record_timestamp: int) -> int:
        return record_timestamp

    def monotonic(self) -> float:
        return self.seconds

    def wall(self) -> int:
        return int(self.seconds * 1000)


@dataclass(eq=False)
class Listener:
    """A watcher."""

    account: str
    told: list[dict[str, Any]] = field(default_factory=list)

    def push(self, text: str) -> None:
        self.told.append(json.loads(text))

    @property
    def versions(self) -> list[tuple[int, int]]:
        return [(view["from_version"], view["version"]) for view in self.told if view["type"] == "view"]
