"""The same servers as containers, for whoever has a Docker engine and says CAPICUA_DOCKER=1.

Images come from CAPICUA_KAFKA_IMAGE, CAPICUA_POSTGRES_IMAGE and CAPICUA_VALKEY_IMAGE, so locally made ones do.
A named volume per home keeps the data between runs.
"""

import asyncio
import hashlib
import os
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bus.local.health import kafka_answers, postgres_answers, valkey_answers
from bus.local.home import Home
from bus.local.ports import HOST
from bus.local.server import LocalError

START_SECONDS_MAX = 120.0
POLL_SECONDS = 0.1


@dataclass(frozen=True)
class Image:
    """How to run one server's image: where it listens, where its data lies, its settings by environment."""

    name: str
    reference: str
    port: int
    data: str
    environment: Mapping[str, str]
    command: str | None = None


@dataclass(frozen=True)
class ContainerServer:
    name: str
    address: str
    container: Any
    pid: int | None = None
    exit_code: int | None = None

    async def stop(self) -> None:
        # testcontainers removes volumes with the container; only unnamed ones, so the data stays.
        await asyncio.to_thread(self.container.stop)


def docker_wanted() -> bool:
    return os.environ.get("CAPICUA_DOCKER") == "1"


async def kafka_container(home: Home) -> ContainerServer:
    port = home.port("kafka", variable="CAPICUA_KAFKA_PORT")
    environment = {
        "KAFKA_NODE_ID": "1",
        "KAFKA_PROCESS_ROLES": "broker,controller",
        "KAFKA_LISTENERS": "PLAINTEXT://:9092,CONTROLLER://:9093",
        "KAFKA_ADVERTISED_LISTENERS": f"PLAINTEXT://{HOST}:{port}",
        "KAFKA_CONTROLLER_LISTENER_NAMES": "CONTROLLER",
        "KAFKA_LISTENER_SECURITY_PROTOCOL_MAP": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
        "KAFKA_CONTROLLER_QUORUM_VOTERS": "1@localhost:9093",
        "KAFKA_LOG_DIRS": "/var/lib/kafka/data",
        "KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR": "1",
        "KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR": "1",
        "KAFKA_TRANSACTION_STATE_LOG_MIN_ISR": "1",
        "KAFKA_AUTO_CREATE_TOPICS_ENABLE": "false",
        "KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS": "0",
        "KAFKA_GROUP_MIN_SESSION_TIMEOUT_MS": "1000",
        "KAFKA_HEAP_OPTS": "-Xmx256m",
    }
    reference = os.environ.get("CAPICUA_KAFKA_IMAGE") or "apache/kafka:4.3.1"
    image = Image("kafka", reference, 9092, "/var/lib/kafka/data", environment)
    return await _start(image, home, port, f"{HOST}:{port}", kafka_answers)


async def postgres_container(home: Home) -> ContainerServer:
    port = home.port("postgres", variable="CAPICUA_POSTGRES_PORT")
    environment = {"POSTGRES_USER": "capicua", "POSTGRES_DB": "postgres", "POSTGRES_HOST_AUTH_METHOD": "trust"}
    reference = os.environ.get("CAPICUA_POSTGRES_IMAGE") or "postgres:18"
    image = Image("postgres", reference, 5432, "/var/lib/postgresql", environment)
    return await _start(image, home, port, f"postgresql://capicua@{HOST}:{port}/postgres", postgres_answers)


async def valkey_container(home: Home) -> ContainerServer:
    port = home.port("valkey", variable="CAPICUA_VALKEY_PORT")
    reference = os.environ.get("CAPICUA_VALKEY_IMAGE") or "valkey/valkey:9"
    image = Image("valkey", reference, 6379, "/data", {}, "valkey-server --appendonly yes")
    return await _start(image, home, port, f"redis://{HOST}:{port}/0", valkey_answers)


async def _start(
    image: Image, home: Home, port: int, address: str, answers: Callable[[str], Awaitable[bool]]
) -> ContainerServer:
    container = await asyncio.to_thread(_run, image, home, port)
    server = ContainerServer(image.name, address, container)
    try:
        async with asyncio.timeout(START_SECONDS_MAX):
            while not await answers(address):
                if await asyncio.to_thread(_ended, container):
                    raise TimeoutError
                await asyncio.sleep(POLL_SECONDS)
    except BaseException as error:
        said = await asyncio.to_thread(_last_words, container)
        await server.stop()
        if isinstance(error, TimeoutError):
            raise LocalError(f"The container of {image.reference} does not answer: {said}") from error
        raise
    return server


def _run(image: Image, home: Home, port: int) -> Any:
    try:
        from docker.errors import DockerException  # type: ignore[import-untyped]
        from testcontainers.core.config import testcontainers_config
        from testcontainers.core.container import DockerContainer
    except ImportError as error:
        raise LocalError(
            "CAPICUA_DOCKER=1 needs the package testcontainers: install capicua-bus[containers], or unset it."
        ) from error
    testcontainers_config.ryuk_disabled = True  # Its reaper is one more image to have, and stop() is enough.
    try:
        container = DockerContainer(image.reference, command=image.command, env=dict(image.environment))
        ports: dict[str, Any] = container.ports
        ports[f"{image.port}/tcp"] = (HOST, port)  # with_bind_ports would let the whole network in
        container.with_volume_mapping(volume(home, image.name), image.data, "rw")
        container.start()
    except DockerException as error:
        raise LocalError(
            f"Docker could not run {image.reference} ({str(error).splitlines()[0][:160]}): start its engine and "
            f"have that image, name another with CAPICUA_{image.name.upper()}_IMAGE, or unset CAPICUA_DOCKER."
        ) from error
    return container


def volume(home: Home, name: str) -> str:
    return f"capicua-{hashlib.sha256(str(home.root).encode()).hexdigest()[:12]}-{name}"


def _ended(container: Any) -> bool:
    running = container.get_wrapped_container()
    running.reload()
    return bool(running.status == "exited")


def _last_words(container: Any) -> str:
    output, errors = container.get_logs()
    lines = (output + errors).decode(errors="replace").splitlines()
    return f"it said last '{lines[-1][:200]}'" if lines else "it said nothing"
