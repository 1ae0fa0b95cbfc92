"""What an owner counts of its decisions, handed to telemetry once for each slice of work: at thousands of commands a
second its bookkeeping would cost a fifth of the process."""

from collections import Counter

from bus import telemetry


class SliceMetrics:
    """Codes are counted, and of the waiting times of a slice the longest is kept."""

    def __init__(self, decider: str) -> None:
        self._decider = decider
        self._codes: Counter[str] = Counter()
        self._longest_ms = 0

    def decided(self, code: str, waited_ms: int) -> None:
        self._codes[code] += 1
        self._longest_ms = max(self._longest_ms, waited_ms)

    def hand_over(self) -> None:
        if not self._codes:
            return
        for code, count in self._codes.items():
            telemetry.commands_decided.add(count, {"decider": self._decider, "code": code})
        telemetry.command_wait_ms.record(self._longest_ms, {"decider": self._decider})
        self._codes.clear()
        self._longest_ms = 0
