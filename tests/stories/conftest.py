"""The whole product as its own processes, with quick house bots; and one in this process on a time of its own."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest
from tests.capicua.installed import Installed
from tests.stories.gateways import one_more_gateway
from tests.stories.passing import Time
from tests.stories.story import Story
from tests.stories.town import Town, timed_town

from bus.local import Home, start_kafka
from capicua import Client
from capicua.server.stack import Stack


@pytest.fixture(scope="package")
async def stack(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stack]:
    settings = {"CAPICUA_PACE_MS": "60", "CAPICUA_STANDING": "3", "CAPICUA_LEAVE_SECONDS": "0"}
    async with Stack(Home(tmp_path_factory.mktemp("stories")), settings=settings) as stack:
        yield stack


@pytest.fixture(scope="package")
async def second_gateway(stack: Stack) -> AsyncIterator[str]:
    """Of the same region as the stack's own."""
    async with one_more_gateway(stack, "eu") as url:
        yield url


@pytest.fixture(scope="package")
async def western_gateway(stack: Stack) -> AsyncIterator[str]:
    """Of another region."""
    async with one_more_gateway(stack, "us") as url:
        yield url


@pytest.fixture(scope="package")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """What people have who install the SDK."""
    return Installed(tmp_path_factory.mktemp("installed"))


@pytest.fixture
async def three(stack: Stack) -> AsyncIterator[list[Client]]:
    """People at the stack's own gateway."""
    async with AsyncExitStack() as clients:
        yield [await clients.enter_async_context(Client(stack.gateway_url)) for _ in range(3)]


@pytest.fixture(scope="package")
async def town(tmp_path_factory: pytest.TempPathFactory, redis_url: str) -> AsyncIterator[Town]:
    """On a broker of its own: what its records stand for, nobody else reads."""
    time = Time()
    kafka = await start_kafka(Home(tmp_path_factory.mktemp("timed")))
    try:
        async with timed_town(kafka.address, f"{redis_url.rstrip('/')}/4", time) as town:
            yield town
    finally:
        await kafka.stop()


@pytest.fixture
async def story(town: Town, request: pytest.FixtureRequest) -> AsyncIterator[Story]:
    """A table of the test's own; it is over afterwards, or it would go on in every later story's time."""
    story = Story(town, request.node.name)
    yield story
    await story.end()
