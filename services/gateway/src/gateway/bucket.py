"""Token buckets in this process: of a socket, and of whoever asks while Valkey cannot count."""

from collections import OrderedDict

from bus.clock import Clock


class TokenBucket:
    """`burst` requests at once, and `per_second` more for every second that passes."""

    __slots__ = ("_burst", "_clock", "_filled_at", "_per_second", "_tokens")

    def __init__(self, clock: Clock, per_second: float, burst: float) -> None:
        self._clock = clock
        self._per_second = per_second
        self._burst = burst
        self._tokens = burst
        self._filled_at = clock.monotonic()

    def take(self) -> bool:
        """Whether one more request is all right now."""
        now = self._clock.monotonic()
        self._tokens = min(self._burst, self._tokens + (now - self._filled_at) * self._per_second)
        self._filled_at = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


class Buckets:
    """One bucket for each account or address, of those that asked last."""

    def __init__(self, clock: Clock, per_second: float, burst: float, accounts_max: int = 10_000) -> None:
        self._clock = clock
        self._per_second = per_second
        self._burst = burst
        self._accounts_max = accounts_max
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, account: str) -> bool:
        bucket = self._buckets.get(account)
        if bucket is None:
            bucket = self._buckets[account] = TokenBucket(self._clock, self._per_second, self._burst)
        self._buckets.move_to_end(account)
        if len(self._buckets) > self._accounts_max:
            self._buckets.popitem(last=False)
        return bucket.take()
