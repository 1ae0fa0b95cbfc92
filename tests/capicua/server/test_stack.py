"""The stack with stand-ins for the product's processes, on a real Valkey."""

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

import httpx
import psutil
import pytest

from bus.local import Home, LocalError
from capicua.server.environment import health_port
from capicua.server.keeper import keep_running
from capicua.server.processes import HOUSE_KEY, SIGNING_KEY, Need, Process
from capicua.server.stack import Stack

pytestmark = pytest.mark.servers

MODULE = "tests.capicua.server.stand_in"
STAND_INS = (
    Process("first", MODULE, needs=(Need.VALKEY,)),
    Process("second", MODULE, needs=(), keys=(HOUSE_KEY,)),
)


@pytest.fixture
async def stack(tmp_path: Path) -> AsyncIterator[Stack]:
    async with Stack(Home(tmp_path), processes=STAND_INS) as running:
        yield running


async def told(stack: Stack, name: str) -> dict[str, str]:
    async with httpx.AsyncClient(trust_env=False) as client:
        answer = await client.get(f"http://127.0.0.1:{health_port(name, stack.home)}/environment")
    environment: dict[str, str] = answer.json()
    return environment


async def test_only_the_servers_that_are_needed_start(stack: Stack) -> None:
    assert set(stack.servers) == {Need.VALKEY}


async def test_each_process_is_told_what_it_needs_and_no_more(stack: Stack) -> None:
    first, second = await told(stack, "first"), await told(stack, "second")
    assert first["REDIS_URL"] == stack.servers[Need.VALKEY].address
    assert not {HOUSE_KEY, SIGNING_KEY, "KAFKA_BOOTSTRAP"} & set(first)
    assert len(bytes.fromhex(second[HOUSE_KEY])) == 32
    assert not {SIGNING_KEY, "REDIS_URL"} & set(second)


async def test_keys_are_for_their_owner_alone_and_stay(stack: Stack, tmp_path: Path) -> None:
    (key_file,) = (tmp_path / "keys").iterdir()
    assert key_file.stat().st_mode & 0o777 == 0o600
    before = await told(stack, "second")
    await stack.restart("second")
    assert (await told(stack, "second"))[HOUSE_KEY] == before[HOUSE_KEY]


async def test_a_killed_process_stays_down_until_it_is_started_again(stack: Stack) -> None:
    killed = stack.running["first"]
    stack.kill("first")
    assert await killed.exited() == -signal.SIGKILL
    assert stack.resident_bytes("first") == 0
    await stack.start_process("first")
    assert stack.running["first"].pid != killed.pid
    assert stack.resident_bytes("first") > 0


async def test_a_held_process_goes_on_where_it_was(stack: Stack) -> None:
    pid = stack.running["first"].pid
    stack.kill("first", signal.SIGSTOP)
    await asyncio.to_thread(os.waitid, os.P_PID, pid, os.WSTOPPED | os.WNOWAIT)
    stack.kill("first", signal.SIGCONT)
    await stack.wait_ready("first")
    assert stack.running["first"].pid == pid


async def test_a_second_stack_in_the_same_home_is_refused(stack: Stack, tmp_path: Path) -> None:
    with pytest.raises(LocalError, match="already running"):
        await Stack(Home(tmp_path), processes=STAND_INS).start()
    await stack.wait_ready("first")


async def test_what_a_killed_supervisor_left_is_stopped_by_the_next(tmp_path: Path) -> None:
    lost = Stack(Home(tmp_path), processes=STAND_INS)
    await lost.start()
    left = [process.child for process in lost.running.values()]
    assert lost._lock is not None
    lost._lock.close()  # As the system does when a process dies.
    said: list[str] = []
    async with Stack(Home(tmp_path), processes=STAND_INS, report=said.append):
        assert all(child.poll() is not None for child in left)
    assert sum("left over" in line for line in said) == 3
    await lost.stop()


async def test_a_gateway_port_that_is_taken_is_told_before_any_server_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        monkeypatch.setenv("CAPICUA_GATEWAY_PORT", str(taken.getsockname()[1]))
        with pytest.raises(LocalError, match="CAPICUA_GATEWAY_PORT"):
            await Stack(Home(tmp_path), processes=STAND_INS, report=said.append).start()
    assert said == []


async def test_a_process_that_never_gets_ready_stops_the_rest_and_says_why(tmp_path: Path) -> None:
    stack = Stack(Home(tmp_path), processes=STAND_INS, settings={"STAND_IN_FAILS": "1"})
    with pytest.raises(LocalError, match="told to fail"):
        await stack.start()
    assert not stack.running
    assert not stack.servers
    assert Home(tmp_path).recorded() == []


async def test_the_keeper_starts_a_crashed_process_and_a_crashed_server_again(stack: Stack) -> None:
    valkey = stack.servers[Need.VALKEY]
    assert valkey.pid
    reports = Reports(stack)
    keeping = asyncio.ensure_future(keep_running(stack))
    stack.kill("second")
    psutil.Process(valkey.pid).kill()
    crashed = stack.running["second"]
    await reports.until(lambda said: {"second", "valkey"} <= {line.split()[0] for line in said if " ready in " in line})
    assert stack.running["second"] is not crashed
    assert stack.servers[Need.VALKEY] is not valkey
    assert stack.servers[Need.VALKEY].address == valkey.address
    keeping.cancel()


async def test_the_keeper_gives_up_on_what_crashes_again_and_again(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("capicua.server.keeper.FIRST_PAUSE_SECONDS", 0.01)
    reports = Reports(stack)
    stack._settings["STAND_IN_FAILS"] = "1"
    keeping = asyncio.ensure_future(keep_running(stack))
    stack.kill("second")
    await reports.until(lambda said: any("left down" in line for line in said))
    keeping.cancel()


class Reports:
    """What the stack reports from now on."""

    def __init__(self, stack: Stack) -> None:
        self._said: list[str] = []
        self._came = asyncio.Event()
        stack.report = self._take

    async def until(self, true: Callable[[Sequence[str]], bool]) -> None:
        """Looks after each report; the test's own time-out is the limit."""
        while not true(self._said):
            self._came.clear()
            await self._came.wait()

    def _take(self, line: str) -> None:
        self._said.append(line)
        self._came.set()
