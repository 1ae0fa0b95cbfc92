"""The environment of the manifests starts each process, and the time it is given to end is enough for its ending."""

import importlib
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import get_type_hints

import certifi
import pytest
from deploy.new_secrets import account_key
from tests.deploy.rendered import ROOT, Rendered, Workload

from bus.process import Process
from capicua.server.processes import PROCESSES
from gateway.server import GOODBYE_SECONDS_MAX, REQUEST_SECONDS_MAX

SECONDS_TO_SPARE = 5
PAIR = {each["metadata"]["name"]: each["stringData"] for each in account_key()}
SECRETS = {
    "CAPICUA_SIGNING_KEY": secrets.token_hex(32),
    "CAPICUA_HOUSE_KEY": secrets.token_hex(32),
    "CAPICUA_INNER_KEY": secrets.token_hex(32),
    "CAPICUA_ACCOUNT_KEY": PAIR["account-key"]["private"],
    "CAPICUA_ACCOUNT_PUBLIC_KEY": PAIR["account-public-key"]["keys"],
    "POSTGRES_DSN": "postgresql://account:secret@postgres-rw:5432/account",
    "SMTP_URL": "smtp+starttls://somebody:secret@relay.mail:587",
    "REDIS_URL": "redis://valkey:6379",
    "KAFKA_PASSWORD": secrets.token_hex(8),
}


@asynccontextmanager
async def built(rendered: Rendered, workload: Workload) -> AsyncIterator[Process]:
    """The process as its workload's environment makes it; it is not started, so that it connects to nothing."""
    module = next(process.module for process in PROCESSES if process.name == workload.name)
    with pytest.MonkeyPatch.context() as environment:
        for name, value in rendered.environment(workload).items():
            environment.setenv(name, SECRETS[name] if value is None else value)
        environment.setenv("KAFKA_CA_FILE", certifi.where())
        environment.setenv("CAPICUA_NAMES_FILE", str(ROOT / "deploy/k8s/base/account/names.txt"))
        build = importlib.import_module(f"{module}.app").build
        process: Process = build(get_type_hints(build)["settings"]())
    yield process
    for step in process.stop:
        await step()


def seconds_before_sigterm(workload: Workload) -> int:
    hook = workload.container.get("lifecycle", {}).get("preStop", {"sleep": {"seconds": 0}})
    return int(hook["sleep"]["seconds"])


async def test_each_process_can_be_built_from_its_environment(rendered: Rendered) -> None:
    for workload in rendered.processes:
        async with built(rendered, workload) as process:
            assert process.loops, workload.name


async def test_a_pod_is_killed_only_after_all_of_its_parts_had_their_time_to_stop(rendered: Rendered) -> None:
    for workload in rendered.processes:
        async with built(rendered, workload) as process:
            longest = seconds_before_sigterm(workload) + len(process.stop) * process.stop_seconds
        assert workload.pod["terminationGracePeriodSeconds"] >= longest + SECONDS_TO_SPARE, (
            f"{workload.name}: expected more than {longest} s and {SECONDS_TO_SPARE} to spare"
        )


async def test_a_gateways_sockets_are_closed_in_waves_that_end_in_time(rendered: Rendered) -> None:
    (gateway,) = [workload for workload in rendered.processes if workload.name == "gateway"]
    waves = float(rendered.environment(gateway)["CAPICUA_LEAVE_SECONDS"] or 0)
    async with built(rendered, gateway) as process:
        assert 0 < waves + GOODBYE_SECONDS_MAX + REQUEST_SECONDS_MAX < process.stop_seconds


def test_only_who_is_reached_through_a_service_waits_before_it_stops(rendered: Rendered) -> None:
    served = {service["metadata"]["name"] for service in rendered.of("Service")}
    waiting = {workload.name for workload in rendered.processes if seconds_before_sigterm(workload) > 0}
    assert waiting == served & {workload.name for workload in rendered.processes}
