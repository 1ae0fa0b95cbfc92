"""How much anybody may ask of us: one table of limits, counted over all gateways together.

Every route says by `within` or `within_address` what it counts against. What is said on sockets `gateway.pace` counts.
"""

import asyncio
import logging
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from fastapi import Depends, Request
from redis.asyncio import Redis
from redis.exceptions import RedisError
from starlette.requests import HTTPConnection

from bus.clock import Clock
from gateway.bucket import Buckets
from gateway.client_address import ClientAddress
from gateway.codes import Code
from gateway.http_identity import Asker
from gateway.problems import problem

log = logging.getLogger(__name__)
ANSWER_SECONDS_MAX = 0.5
AGAIN_SECONDS = 1.0
"""After Valkey did not answer: for so long the gateway's own buckets count, and nobody waits for it."""

# KEYS: one for each bucket; there stands when (ms) it is full again, and it expires then. ARGV: for each the ms that
# one request costs and how many there may be at once. Takes one from all, or from none: 0, or the ms to wait and
# for which (from 0).
_TAKE = """
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
local full = {}
for i, key in ipairs(KEYS) do
  local cost, burst = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
  full[i] = math.max(tonumber(redis.call('GET', key) or '0'), now) + cost
  local wait = full[i] - now - cost * burst
  if wait > 0.01 then return {math.ceil(wait), i - 1} end
end
for i, key in ipairs(KEYS) do
  redis.call('SET', key, string.format('%.3f', full[i]), 'PX', math.ceil(full[i] - now) + 1)
end
return {0, 0}
"""


@dataclass(frozen=True, slots=True)
class Limit:
    """`burst` at once, and `per_second` more for every second that passes. `name` is that of its buckets; a problem
    says that there are too many `what`, and how many are `allowed`."""

    name: str
    what: str
    per_second: float
    burst: int
    allowed: str

    @property
    def cost_ms(self) -> float:
        return 1000 / self.per_second


EVERYTHING = Limit("everything", "requests", 200, 1000, "at most 200 requests a second from an address")
"""Of an address, whatever else a request counts against: many people may stand behind one."""

# ---- of an account
REQUESTS = Limit("requests", "requests", 5, 20, "at most 5 requests a second")
QUESTIONS = Limit("questions", "requests", 20, 60, "at most 20 questions a second")
ROOMS = Limit("rooms", "rooms", 1 / 60, 10, "at most 10 at once, then one a minute")
CHANGES = Limit("changes", "changes", 1, 20, "at most 1 change a second")
MAILS = Limit("mails", "mails", 1 / 120, 5, "at most 5 at once, then one in two minutes")
EXPORTS = Limit("exports", "exports", 1 / 600, 3, "at most 3 at once, then one in ten minutes")
REPORTS = Limit("reports", "reports", 20 / 3600, 20, "at most 20 an hour")

# ---- of an address, for what needs no account, or where another account is soon made
GUESTS = Limit("guests", "guests", 1, 60, "at most 60 at once, then one a second")
RENEWALS = Limit("renewals", "renewals", 5, 100, "at most 5 renewals a second")
SCREENS = Limit("screens", "screens", 1, 20, "at most 1 a second")
MAILS_OF_ADDRESS = Limit("mails-of-address", "mails", 1 / 60, 10, "at most 10 at once, then one a minute")
ROOMS_OF_ADDRESS = Limit("rooms-of-address", "rooms", 1 / 6, 100, "at most 100 at once, then ten a minute")
CHANGES_OF_ADDRESS = Limit("changes-of-address", "changes", 10, 200, "at most 10 changes a second")
EXPORTS_OF_ADDRESS = Limit("exports-of-address", "exports", 1 / 30, 30, "at most 30 at once, then two a minute")
REPORTS_OF_ADDRESS = Limit("reports-of-address", "reports", 1 / 60, 60, "at most 60 at once, then one a minute")
LINKS = Limit("links", "links", 1 / 10, 20, "at most 20 at once, then one in ten seconds")
PICTURES = Limit("pictures", "pictures", 5, 50, "at most 5 pictures a second")
SOCKETS = Limit("sockets", "new sockets", 50, 1000, "at most 1000 at once, then 50 a second")
"""A gateway that has ended sends everybody behind an address to another one."""

BESIDE = {
    ROOMS: ROOMS_OF_ADDRESS,
    CHANGES: CHANGES_OF_ADDRESS,
    EXPORTS: EXPORTS_OF_ADDRESS,
    REPORTS: REPORTS_OF_ADDRESS,
}
"""What is kept or costs is counted of the address too: another guest is soon made."""


class Bucket(NamedTuple):
    """That of somebody (an account or an address) for one limit."""

    limit: Limit
    who: str

    @property
    def key(self) -> str:
        return f"limit:{self.limit.name}:{self.who}"


class Limits:
    """Counts in Valkey, over all gateways; without it in this gateway's own buckets, so that play goes on."""

    def __init__(self, redis: Redis, addresses: ClientAddress, clock: Clock) -> None:
        self.addresses = addresses
        self._clock = clock
        self._take: Any = redis.register_script(_TAKE)
        self._here: dict[Limit, Buckets] = {}
        self._here_until = -math.inf
        self._away = False

    async def check(self, *buckets: Bucket) -> None:
        """Takes one request from every bucket, or from none. Raises the problem `too-many-requests`."""
        wait_ms, refusing = await self._ask(buckets)
        if wait_ms:
            limit, headers = buckets[refusing].limit, {"Retry-After": str(math.ceil(wait_ms / 1000))}
            raise problem(429, Code.TOO_MANY_REQUESTS, limit.what, limit.allowed, "more", headers=headers)

    def of_account(self, account: str, limits: Iterable[Limit]) -> list[Bucket]:
        return [Bucket(limit, account) for limit in limits]

    def of_address(self, connection: HTTPConnection, limits: Iterable[Limit]) -> list[Bucket]:
        """None for who asks from this machine itself, or from nowhere that could be told."""
        address = self.addresses.outside(connection)
        return [Bucket(limit, address) for limit in limits] if address else []

    async def _ask(self, buckets: Sequence[Bucket]) -> tuple[int, int]:
        """For how many ms there is nothing to take, and from which of the buckets."""
        if not buckets:
            return 0, 0
        if self._clock.monotonic() < self._here_until:
            return self._take_here(buckets)
        costs = [part for bucket in buckets for part in (bucket.limit.cost_ms, bucket.limit.burst)]
        try:
            async with asyncio.timeout(ANSWER_SECONDS_MAX):
                wait_ms, refusing = await self._take(keys=[bucket.key for bucket in buckets], args=costs)
        except (RedisError, OSError, TimeoutError) as error:
            self._lost(type(error).__name__)
            return self._take_here(buckets)
        if self._away:
            self._away = False
            log.info("requests are counted over all gateways again")
        return int(wait_ms), int(refusing)

    def _lost(self, error: str) -> None:
        self._here_until = self._clock.monotonic() + AGAIN_SECONDS
        if not self._away:
            self._away = True
            log.warning("requests are counted by this gateway alone", extra={"fields": {"error": error}})

    def _take_here(self, buckets: Sequence[Bucket]) -> tuple[int, int]:
        """From one after the other, up to the one that has nothing left."""
        for number, (limit, who) in enumerate(buckets):
            if limit not in self._here:
                self._here[limit] = Buckets(self._clock, limit.per_second, limit.burst)
            if not self._here[limit].take(who):
                return math.ceil(limit.cost_ms), number
        return 0, 0


def within(*limits: Limit) -> Any:
    """A route's dependency: it counts against these limits of the account that asks, and against its address."""
    of_address = (*(BESIDE[limit] for limit in limits if limit in BESIDE), EVERYTHING)

    async def check(request: Request, asker: Asker) -> None:
        counted: Limits = request.app.state.limits
        of_account = counted.of_account(asker.account, limits)
        await counted.check(*of_account, *counted.of_address(request, of_address))

    return Depends(check)


def within_address(*limits: Limit) -> Any:
    """The same for what may be asked without an account: these are limits of the address."""

    async def check(request: Request) -> None:
        await count_address(request, *limits, EVERYTHING)

    return Depends(check)


async def count_address(connection: HTTPConnection, *limits: Limit) -> None:
    """For a route that knows only then whether it counts, and for sockets. Raises the problem `too-many-requests`."""
    counted: Limits = connection.app.state.limits
    await counted.check(*counted.of_address(connection, limits))


async def count_account(request: Request, account: str, *limits: Limit) -> None:
    """For a route that may be asked without an account too. Raises the problem `too-many-requests`."""
    counted: Limits = request.app.state.limits
    await counted.check(*counted.of_account(account, limits))
