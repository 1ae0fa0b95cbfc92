"""Servers for the tests that need real ones: one of each kind per test run, started when first asked for."""

import signal
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bus.local import Home, Server, start_kafka, start_postgres, start_valkey

SERVERS = {"kafka", "valkey", "postgres"}
FOLDERS_WITH_SERVERS = {"browser", "kafka", "stories", "rollout"}


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "servers: starts real servers or processes; left out of the fast gate")
    # A shell that starts this in the background has it ignore interrupts, and so would every process started here.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what uses a server, so that nobody has to remember it."""
    for item in items:
        folder = item.path.relative_to(Path(__file__).parent).parts[0]
        if folder in FOLDERS_WITH_SERVERS or SERVERS & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.servers)


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A local installation of the test run's own; its logs stay for whoever looks into a failure."""
    return Home(tmp_path_factory.mktemp("capicua"))


@pytest.fixture(scope="session")
async def kafka(home: Home) -> AsyncIterator[Server]:
    server = await start_kafka(home)
    yield server
    await server.stop()


@pytest.fixture(scope="session")
async def valkey(home: Home) -> AsyncIterator[Server]:
    server = await start_valkey(home)
    yield server
    await server.stop()


@pytest.fixture(scope="session")
async def postgres() -> AsyncIterator[Server]:
    # Under root it runs as nobody, to whom each run of pytest shuts pytest's own folder.
    with tempfile.TemporaryDirectory(prefix="capicua-test-", ignore_cleanup_errors=True) as folder:
        server = await start_postgres(Home(Path(folder)))
        yield server
        await server.stop()


@pytest.fixture(scope="session")
def kafka_bootstrap(kafka: Server) -> str:
    """``host:port`` of a running Kafka without topics; name yours so that tests do not meet."""
    return kafka.address


@pytest.fixture(scope="session")
def redis_url(valkey: Server) -> str:
    """``redis://…`` of a running Valkey; prefix your keys so that tests do not meet."""
    return valkey.address


@pytest.fixture(scope="session")
def postgres_dsn(postgres: Server) -> str:
    """``postgresql://…`` of a running PostgreSQL."""
    return postgres.address
