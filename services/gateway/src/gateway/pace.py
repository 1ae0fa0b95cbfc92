"""How much an account may say here over all its sockets together: a gateway's own protection, so it counts alone."""

from bus.clock import Clock
from gateway.bucket import Buckets

MESSAGES_PER_SECOND = 20
MESSAGES_BURST = 40
LISTS_PER_SECOND = 1
LISTS_BURST = 10


class Pace:
    """`lists` are those of public rooms: a whole one goes out each time."""

    def __init__(self, clock: Clock) -> None:
        self.messages = Buckets(clock, MESSAGES_PER_SECOND, MESSAGES_BURST)
        self.lists = Buckets(clock, LISTS_PER_SECOND, LISTS_BURST)
