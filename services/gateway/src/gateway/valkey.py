"""Questions to Valkey: answered within a bound of time, or given up."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from redis.asyncio import BlockingConnectionPool, Redis
from redis.exceptions import RedisError

log = logging.getLogger(__name__)
CONNECTIONS_MAX = 24
CONNECTION_SECONDS_MAX = 2.0


class ValkeyAway(Exception):
    """It does not answer, or not in time."""


def connected(url: str) -> Redis:
    """Its connections are few: whoever finds all of them busy waits for one, and is not told that Valkey is away."""
    pool = BlockingConnectionPool.from_url(url, max_connections=CONNECTIONS_MAX, timeout=CONNECTION_SECONDS_MAX)
    return Redis.from_pool(pool)


@asynccontextmanager
async def answering(seconds_max: float, trouble: str, error: type[Exception] = ValkeyAway) -> AsyncIterator[None]:
    """For what is asked inside. Raises `error` where there is no answer, after `trouble` has been logged."""
    try:
        async with asyncio.timeout(seconds_max):
            yield
    except (RedisError, OSError, TimeoutError) as reason:
        log.warning(trouble, extra={"fields": {"error": type(reason).__name__}})
        raise error from None
