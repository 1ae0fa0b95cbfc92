"""What becomes of a question to a Valkey that is broken, gone, or silent."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

import pytest
from redis.exceptions import RedisError

from gateway.valkey import CONNECTIONS_MAX, ValkeyAway, answering, connected


class NamesAway(Exception):
    """What a part calls it."""


async def broken() -> None:
    raise RedisError("secret")


async def gone() -> None:
    raise OSError("secret")


async def silent() -> None:
    await asyncio.Event().wait()


@pytest.mark.parametrize("asked", [broken, gone, silent])
@pytest.mark.parametrize("error", [ValkeyAway, NamesAway])
async def test_without_an_answer_it_is_noted_and_given_up(
    asked: Callable[[], Awaitable[None]], error: type[Exception], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING), pytest.raises(error):
        async with asyncio.timeout(5), answering(0.01, "names cannot be read", error):
            await asked()
    assert [record.message for record in caplog.records] == ["names cannot be read"]
    assert "secret" not in str(vars(caplog.records[0]))


async def test_what_an_answer_leads_to_is_not_taken_for_none() -> None:
    with pytest.raises(KeyError):
        async with answering(5, "names cannot be read"):
            raise KeyError


async def test_many_questions_at_once_wait_for_few_connections(redis_url: str) -> None:
    redis = connected(redis_url)

    async def ask() -> None:
        async with answering(5, "nothing can be read"):
            await redis.get("nothing")

    await asyncio.gather(*(ask() for _ in range(20 * CONNECTIONS_MAX)))
    await redis.aclose()
