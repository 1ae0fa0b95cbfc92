"""A broker of one's own, whose topics the previous release has made, and that release's files."""

import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from tests.rollout.releases import checked_out, previous_revision, python_path

from bus.local import Home
from bus.local.kafka import start_embedded_kafka

MAKE_TOPICS = "import asyncio, sys; from bus.topics import ensure_topics; asyncio.run(ensure_topics(sys.argv[1], 6))"


@pytest.fixture(scope="module")
def previous(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The previous release's files."""
    revision = previous_revision()
    if revision is None:
        pytest.skip("git knows of no previous release here: there is but one commit")
    with checked_out(revision, tmp_path_factory.mktemp("previous") / "release") as root:
        yield root


@pytest.fixture
async def own_home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


@pytest.fixture
async def broker(own_home: Home) -> AsyncIterator[str]:
    """A running Kafka that no other test has seen; it has no topics."""
    server = await start_embedded_kafka(own_home)
    yield server.address
    await server.stop()


def make_topics(root: Path, bootstrap: str) -> None:
    """As the release in `root` does it."""
    environment = {"PYTHONPATH": python_path(root)}
    subprocess.run([sys.executable, "-c", MAKE_TOPICS, bootstrap], env=environment, check=True)
