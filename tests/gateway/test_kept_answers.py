"""Answers are kept on a real server, where nobody can read them."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from redis.asyncio import Redis
from tests.memory_log import HandClock

from gateway.kept_answers import (
    KEPT_SECONDS,
    UNDER_WAY_SECONDS,
    KeepingUnavailable,
    KeptAnswer,
    KeptAnswers,
    OtherRequest,
    Question,
    UnderWay,
)

SECRET = "the-secret-of-a-session"
ANSWER = f'{{"secret":"{SECRET}"}}'.encode()


class Keeping:
    def __init__(self, redis: Redis, test: str) -> None:
        self.redis = redis
        self.clock = HandClock()
        self.kept = KeptAnswers(redis, b"ours", self.clock)
        self._test = test

    def question(self, body: bytes = b"{}", /, **other: str) -> Question:
        said = {"asker": "address 192.0.2.7", "where": "POST /v1/guests", "key": self._test} | other
        return Question(said["asker"], said["where"], said["key"], body)

    async def answered(self, question: Question) -> KeptAnswer | None:
        await self.kept.begin(question)
        await self.kept.keep(question, 201, "application/json", ANSWER)
        return await self.kept.begin(question)

    async def stored(self) -> dict[bytes, bytes]:
        redis: Any = self.redis
        return {key: await redis.get(key) async for key in redis.scan_iter("kept:*")}


@pytest.fixture
async def keeping(redis_url: str, request: pytest.FixtureRequest) -> AsyncIterator[Keeping]:
    redis = Redis.from_url(redis_url)
    async for key in redis.scan_iter("kept:*"):
        await redis.delete(key)
    yield Keeping(redis, request.node.name)
    await redis.aclose()


async def test_an_answer_is_given_again_as_it_was(keeping: Keeping) -> None:
    question = keeping.question()
    given = await keeping.answered(question)
    assert given == KeptAnswer(
        status=201, content_type="application/json", body=ANSWER.decode(), at=keeping.clock.wall()
    )
    keeping.clock.now += 90_500
    assert keeping.kept.age(given) == 90
    [name] = await keeping.stored()
    assert 0 < await keeping.redis.ttl(name) <= KEPT_SECONDS


async def test_while_the_first_is_at_work_others_are_told_so_for_a_minute_at_most(keeping: Keeping) -> None:
    question = keeping.question()
    assert await keeping.kept.begin(question) is None
    with pytest.raises(UnderWay):
        await keeping.kept.begin(question)
    [name] = await keeping.stored()
    assert 0 < await keeping.redis.ttl(name) <= UNDER_WAY_SECONDS
    await keeping.kept.forget(question)
    assert await keeping.kept.begin(question) is None


async def test_another_body_under_the_same_key_is_another_request(keeping: Keeping) -> None:
    assert await keeping.kept.begin(keeping.question(b'{"bot":true}')) is None
    with pytest.raises(OtherRequest):
        await keeping.kept.begin(keeping.question())
    assert await keeping.answered(keeping.question(b'{"bot":true}', key="another")) is not None
    with pytest.raises(OtherRequest):
        await keeping.kept.begin(keeping.question(key="another"))


@pytest.mark.parametrize(
    "other", [{"asker": "address 192.0.2.8"}, {"where": "POST /v1/screens"}, {"key": "another-key"}]
)
async def test_nobody_elsewhere_and_nothing_else_meets_it(keeping: Keeping, other: dict[str, str]) -> None:
    assert await keeping.answered(keeping.question()) is not None
    assert await keeping.kept.begin(keeping.question(**other)) is None


async def test_parts_of_a_question_do_not_run_into_each_other(keeping: Keeping) -> None:
    assert await keeping.answered(keeping.question(asker="account a", where="b")) is not None
    assert await keeping.kept.begin(keeping.question(asker="account ", where="ab")) is None


async def test_who_reads_the_cache_learns_nothing(keeping: Keeping) -> None:
    await keeping.answered(keeping.question(b'{"address":"ann@example.org"}'))
    text = b"".join(part for pair in (await keeping.stored()).items() for part in pair)
    for secret in (SECRET.encode(), b"ann@", b"192.0.2.7", b"guests", b"learns_nothing", b"application/json"):
        assert secret not in text
    [value] = (await keeping.stored()).values()
    await keeping.kept.forget(keeping.question())
    another = keeping.question(b'{"address":"ann@example.org"}', key="another")
    await keeping.answered(another)
    [name] = await keeping.stored()
    await keeping.redis.set(name, value)
    with pytest.raises(KeepingUnavailable):  # it is sealed for one question, and opens for no other
        await keeping.kept.begin(another)


async def test_with_another_secret_nothing_is_found(keeping: Keeping) -> None:
    await keeping.answered(keeping.question())
    assert await KeptAnswers(keeping.redis, b"theirs", keeping.clock).begin(keeping.question()) is None


async def test_without_valkey_nobody_can_say_whether_it_was_asked_before() -> None:
    redis = Redis.from_url("redis://127.0.0.1:1/0")
    kept = KeptAnswers(redis, b"ours", HandClock())
    with pytest.raises(KeepingUnavailable):
        await kept.begin(Question("a", "b", "c", b""))
    await redis.aclose()
