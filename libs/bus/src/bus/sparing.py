"""Keeps a client library that repeats itself from drowning the log: while a broker is away aiokafka says so many times
a second for every connection that it tries."""

import logging
import time
from collections.abc import Callable

QUIET_SECONDS = 10.0


class Sparing(logging.Filter):
    """Lets a message of `logger` (and of those below it) through once in ten seconds, and counts what it held back.

    Messages are alike when they come from the same place and differ in their arguments only.
    """

    def __init__(self, logger: str, monotonic: Callable[[], float] = time.monotonic) -> None:
        super().__init__(logger)
        self._monotonic = monotonic
        self._places: dict[tuple[str, int], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if not super().filter(record):
            return True
        place = record.pathname, record.lineno
        now = self._monotonic()
        until, held_back = self._places.get(place, (now, 0))
        if now < until:
            self._places[place] = until, held_back + 1
            return False
        self._places[place] = now + QUIET_SECONDS, 0
        if held_back:
            record.msg, record.args = f"{record.getMessage()} (and {held_back} like it before)", ()
        return True
