"""Processes that are started, watched and ended."""

import json
import os
import signal
import sys
from pathlib import Path

import psutil
import pytest

from bus.local import Home, LocalError
from bus.local.process import OwnedProcess, recorded_pid, resident_bytes, stop_left_over

pytestmark = pytest.mark.servers

SLEEPER = [sys.executable, "-c", "import time; time.sleep(600)"]
STUBBORN = [
    sys.executable,
    "-c",
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); time.sleep(600)",
]


async def never() -> bool:
    return False


async def said(process: OwnedProcess, words: str) -> None:
    log_file = process.home.log_file(process.name)

    async def has_said() -> bool:
        return words in log_file.read_text()

    await process.wait_healthy(has_said)


async def test_a_process_ends_when_asked_and_leaves_no_pid_file(tmp_path: Path) -> None:
    home = Home(tmp_path)
    process = OwnedProcess.spawn("sleeper", SLEEPER, home)
    assert recorded_pid("sleeper", home) == process.pid
    assert resident_bytes(process.pid) > 0
    await process.stop()
    assert process.exit_code == -signal.SIGTERM
    assert home.recorded() == []
    assert resident_bytes(process.pid) == 0


async def test_a_process_that_does_not_listen_is_made_to_end(tmp_path: Path) -> None:
    process = OwnedProcess.spawn("stubborn", STUBBORN, Home(tmp_path))
    await said(process, "deaf")
    await process.stop(seconds_max=0.2)
    assert process.exit_code == -signal.SIGKILL


async def test_a_held_process_can_be_stopped_too(tmp_path: Path) -> None:
    process = OwnedProcess.spawn("sleeper", SLEEPER, Home(tmp_path))
    process.send_signal(signal.SIGSTOP)
    await process.stop()
    assert process.exit_code == -signal.SIGTERM


async def test_a_process_that_dies_while_starting_is_quoted(tmp_path: Path) -> None:
    process = OwnedProcess.spawn("dying", [sys.executable, "-c", "raise SystemExit('no way')"], Home(tmp_path))
    with pytest.raises(LocalError, match=r"dying ended while starting: it said last 'no way', see .*dying.log"):
        await process.wait_healthy(never)


async def test_what_an_earlier_process_of_that_name_said_is_not_quoted(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.log_file("mute").write_text("said long ago\n")
    process = OwnedProcess.spawn("mute", [sys.executable, "-c", "raise SystemExit(1)"], home)
    with pytest.raises(LocalError, match=r"mute ended while starting: it said nothing, see .*mute.log"):
        await process.wait_healthy(never)


async def test_a_process_that_never_answers_is_stopped(tmp_path: Path) -> None:
    process = OwnedProcess.spawn("silent", SLEEPER, Home(tmp_path))
    with pytest.raises(LocalError, match="silent gave no answer"):
        await process.wait_healthy(never, seconds_max=0.05)
    assert process.exit_code is not None


async def test_a_full_disk_is_told_from_other_ends(tmp_path: Path) -> None:
    words = "raise SystemExit('java.io.IOException: No space left on device')"
    process = OwnedProcess.spawn("full", [sys.executable, "-c", words], Home(tmp_path))
    with pytest.raises(LocalError, match=r"no space is left on the disk of .*: free some"):
        await process.wait_healthy(never)


async def test_what_an_earlier_run_left_is_ended_by_pid_and_start_time(tmp_path: Path) -> None:
    home = Home(tmp_path)
    left = OwnedProcess.spawn("sleeper", SLEEPER, home)
    assert await stop_left_over("sleeper", home)
    await left.exited()
    assert not psutil.pid_exists(left.pid)
    assert home.recorded() == []


async def test_a_stranger_who_got_the_pid_of_a_dead_process_is_left_alone(tmp_path: Path) -> None:
    home = Home(tmp_path)
    stranger = OwnedProcess.spawn("stranger", SLEEPER, home)
    started = psutil.Process(stranger.pid).create_time() - 60
    home.pid_file("server").write_text(json.dumps({"pid": stranger.pid, "started": started}))
    assert recorded_pid("server", home) is None
    assert not await stop_left_over("server", home)
    assert stranger.exit_code is None
    assert home.recorded() == ["stranger"]
    await stranger.stop()


@pytest.mark.parametrize("text", ["", "{", "17", "[]", '{"pid": -3, "started": 0}', '{"pid": "x", "started": 1}'])
async def test_a_broken_pid_file_names_nobody(text: str, tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.pid_file("server").write_text(text)
    assert recorded_pid("server", home) is None
    assert not await stop_left_over("server", home)


async def test_a_process_of_ours_that_ended_is_nobody_even_before_it_is_reaped(tmp_path: Path) -> None:
    home = Home(tmp_path)
    process = OwnedProcess.spawn("brief", [sys.executable, "-c", ""], home)
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # noqa: ASYNC222 - it ends at once
    assert recorded_pid("brief", home) is None
    await process.stop()


async def test_a_long_log_is_set_aside_at_the_next_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bus.local.process.LOG_BYTES_MAX", 10)
    home = Home(tmp_path)
    home.log_file("chatty").write_text("much said before")
    process = OwnedProcess.spawn("chatty", [sys.executable, "-c", "print('new')"], home)
    await process.exited()
    await process.stop()
    assert home.log_file("chatty").read_text() == "new\n"
    assert (tmp_path / "logs" / "chatty.log.1").read_text() == "much said before"
