"""How much may be asked is counted on a real server, and here while there is none."""

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator

import httpx
import pytest
from redis.asyncio import Redis
from starlette.requests import HTTPConnection
from tests.gateway.running import from_somewhere
from tests.gateway.signed import access_token
from tests.memory_log import HandClock
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from gateway import limits
from gateway.client_address import ClientAddress
from gateway.limits import (
    AGAIN_SECONDS,
    CHANGES_OF_ADDRESS,
    GUESTS,
    REPORTS_OF_ADDRESS,
    REQUESTS,
    ROOMS_OF_ADDRESS,
    SCREENS,
    SOCKETS,
    Bucket,
    Limit,
    Limits,
)
from gateway.problems import ProblemError

FEW = Limit("few", "things", 1 / 1000, 3, "at most 3 at once, then one in a thousand seconds")
WAIT = "too-many-requests 1000"
ONE = Limit("one", "things", 1 / 6000, 1, "at most one at once")


class Counted:
    """Limits with a server of which `took` asks, for people of this test alone."""

    def __init__(self, redis: Redis, test: str) -> None:
        self.clock = HandClock()
        self.redis = redis
        self.limits = Limits(redis, ClientAddress(0), self.clock)
        self._test = test

    def bucket(self, who: str, limit: Limit = FEW) -> Bucket:
        return Bucket(limit, f"{self._test}-{who}")

    async def refused(self, *buckets: Bucket) -> str | None:
        """The problem's code and `Retry-After` in full hundreds, None when all is right."""
        try:
            await self.limits.check(*buckets)
        except ProblemError as error:
            seconds = int((error.headers or {})["Retry-After"])
            return f"{error.problem.code} {round(seconds, -2)}"
        return None


@pytest.fixture
async def counted(redis_url: str, request: pytest.FixtureRequest) -> AsyncIterator[Counted]:
    redis = Redis.from_url(redis_url)
    yield Counted(redis, request.node.name)
    await redis.aclose()


@pytest.fixture
async def alone(request: pytest.FixtureRequest) -> AsyncIterator[Counted]:
    """Nobody answers there."""
    redis = Redis.from_url("redis://127.0.0.1:1/0")
    yield Counted(redis, request.node.name)
    await redis.aclose()


# ---- with Valkey


async def test_a_burst_is_all_right_and_who_asks_more_is_told_when_to_come_again(counted: Counted) -> None:
    ann, ben = counted.bucket("ann"), counted.bucket("ben")
    assert [await counted.refused(ann) for _ in range(5)] == [None, None, None, WAIT, WAIT]
    assert await counted.refused(ben) is None


async def test_time_brings_new_requests_and_a_full_bucket_takes_no_room(counted: Counted) -> None:
    ann = counted.bucket("ann")
    for _ in range(3):
        assert await counted.refused(ann) is None
    full_at = float(await counted.redis.get(ann.key) or 0)
    assert 2_900_000 < await counted.redis.pttl(ann.key) <= 3_000_001
    await counted.redis.set(ann.key, full_at - 1_000_000)  # as if a thousand seconds had passed
    assert [await counted.refused(ann) for _ in range(2)] == [None, WAIT]
    await counted.redis.set(ann.key, full_at - 6_000_000)
    assert [await counted.refused(ann) for _ in range(4)] == [None, None, None, WAIT]


async def test_all_gateways_count_together(counted: Counted) -> None:
    another = Limits(counted.redis, ClientAddress(0), HandClock())
    ann = counted.bucket("ann")
    for _ in range(3):
        await another.check(ann)
    assert await counted.refused(ann) == WAIT


async def test_what_one_bucket_refuses_is_taken_from_no_other(counted: Counted) -> None:
    ann, home = counted.bucket("ann"), counted.bucket("home", ONE)
    assert await counted.refused(ann, home) is None
    assert [await counted.refused(ann, home) for _ in range(5)] == ["too-many-requests 6000"] * 5
    assert [await counted.refused(ann) for _ in range(3)] == [None, None, WAIT]


async def test_the_problem_names_the_limit_that_was_reached(counted: Counted) -> None:
    both = counted.bucket("ann"), counted.bucket("home", ONE)
    await counted.limits.check(*both)
    with pytest.raises(ProblemError) as refused:
        await counted.limits.check(*both)
    assert refused.value.problem.detail == "things: expected at most one at once, got more"


# ---- without


async def test_without_valkey_a_gateway_counts_by_itself(alone: Counted) -> None:
    ann = alone.bucket("ann")
    assert [await alone.refused(ann) for _ in range(4)] == [None, None, None, WAIT]
    alone.clock.now += 1_000_000
    assert [await alone.refused(ann) for _ in range(2)] == [None, WAIT]


async def test_that_valkey_is_away_is_said_once_and_nobody_waits_for_it(
    alone: Counted, counted: Counted, caplog: pytest.LogCaptureFixture
) -> None:
    def said() -> list[str]:
        return [record.message for record in caplog.records if record.name == limits.__name__]

    with caplog.at_level(logging.INFO, "gateway.limits"):
        for number in range(50):
            await alone.refused(alone.bucket(f"{number}"))
            alone.clock.now += int(AGAIN_SECONDS * 100)
        assert said() == ["requests are counted by this gateway alone"]
        alone.limits._take = counted.limits._take
        alone.clock.now += int(AGAIN_SECONDS * 1000)
        assert await alone.refused(alone.bucket("again")) is None
        assert said()[1:] == ["requests are counted over all gateways again"]


# ---- who is counted


def asking(host: str, **headers: str) -> HTTPConnection:
    lines = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return HTTPConnection({"type": "http", "client": (host, 1), "headers": lines})


def test_this_machine_itself_is_no_address_to_count(alone: Counted) -> None:
    for host in ("127.0.0.1", "127.0.0.6", "::1", "testclient"):
        assert alone.limits.of_address(asking(host), [GUESTS]) == []
    assert alone.limits.of_address(asking("192.0.2.7"), [GUESTS]) == [Bucket(GUESTS, "192.0.2.7")]
    assert alone.limits.of_address(asking("2001:db8::7"), [GUESTS]) == [Bucket(GUESTS, "2001:db8::/64")]


def test_every_limit_has_buckets_of_its_own() -> None:
    table = [found for found in vars(limits).values() if isinstance(found, Limit)]
    assert len({limit.name for limit in table}) == len(table) >= 14


# ---- on a whole gateway


async def test_an_address_asks_for_no_more_than_it_may_and_others_go_on(gateway_url: str) -> None:
    async with httpx.AsyncClient(base_url=gateway_url, timeout=30, headers=from_somewhere()) as http:
        answers = await asyncio.gather(*(http.post("/v1/screens", json={}) for _ in range(SCREENS.burst + 30)))
        refused = [answer for answer in answers if answer.status_code != 201]
        assert len(answers) - len(refused) >= SCREENS.burst
        assert {(answer.status_code, answer.json()["code"]) for answer in refused} == {(429, "too-many-requests")}
        assert refused[0].headers["retry-after"] == "1"
        assert refused[0].json()["expected"] == SCREENS.allowed
        assert (await http.post("/v1/screens", json={}, headers=from_somewhere())).status_code == 201


async def test_one_account_is_counted_wherever_it_asks_from_and_nobody_else(gateway_url: str) -> None:
    async with httpx.AsyncClient(base_url=gateway_url, timeout=30) as http:

        async def look(account: str) -> int:
            headers = {"Authorization": f"Bearer {access_token(account)}"} | from_somewhere()
            return (await http.get("/v1/tables/tnosuch/replay", headers=headers)).status_code

        codes = await asyncio.gather(*(look("glimited") for _ in range(REQUESTS.burst + 60)))
        assert codes.count(404) >= REQUESTS.burst
        assert set(codes) == {404, 429}
        assert await look("gother") == 404


@pytest.mark.parametrize(
    ("path", "limit"),
    [
        ("/v1/reports", REPORTS_OF_ADDRESS),
        ("/v1/private-rooms", ROOMS_OF_ADDRESS),
        ("/v1/me/tokens", CHANGES_OF_ADDRESS),
    ],
)
async def test_whoever_makes_one_guest_after_the_other_keeps_no_more_than_an_address_may(
    gateway_url: str, path: str, limit: Limit
) -> None:
    """Twice as many are allowed where Valkey is too slow for a moment, and more come with every second that passes."""
    began = time.monotonic()
    answers: list[tuple[int, str]] = []
    async with httpx.AsyncClient(base_url=gateway_url, timeout=30, headers=from_somewhere()) as http:

        async def ask(number: int) -> tuple[int, str]:
            headers = {"Authorization": f"Bearer {access_token(f'{limit.name}{number}')}"}
            answer = await http.post(path, json={}, headers=headers)
            return answer.status_code, answer.json()["code"]

        while len(answers) < 2 * limit.burst + (time.monotonic() - began) * limit.per_second + 10:
            answers += await asyncio.gather(*(ask(len(answers) + number) for number in range(50)))
        assert answers.count((422, "bad-request")) >= limit.burst
        assert set(answers) == {(422, "bad-request"), (429, "too-many-requests")}


async def test_an_address_opens_no_more_sockets_at_once_than_it_may(gateway_url: str, redis_url: str) -> None:
    where = from_somewhere()
    full_again = int(time.time() * 1000) + 3_600_000
    async with Redis.from_url(redis_url) as redis:
        await redis.set(Bucket(SOCKETS, where["X-Forwarded-For"]).key, full_again, px=3_600_000)
    url = "ws" + gateway_url.removeprefix("http") + "/v1/ws"
    with pytest.raises(InvalidStatus) as refused:
        await connect(url, additional_headers=where)
    response = refused.value.response
    assert (response.status_code, json.loads(response.body or b"")["code"]) == (429, "too-many-requests")
    assert int(response.headers["retry-after"]) > 3_000
    async with connect(url, additional_headers=from_somewhere()):
        pass
