"""A whole process of ours: what it says when its environment is wrong, and how it ends."""

import json
import os
import signal
import subprocess
import sys

PROGRAM = """
import asyncio, sys
from bus.process import Process, main
from bus.settings import BusSettings

async def loop():
    print("running", flush=True)
    await asyncio.Event().wait()

async def fails():
    raise RuntimeError("hand 6-6 5-5")

async def cancelled():
    asyncio.current_task().cancel()
    await asyncio.sleep(0)

async def waits():
    print("starting", flush=True)
    await asyncio.Event().wait()

async def stop():
    print("stopped", flush=True)

async def stops_cancelled():
    raise asyncio.CancelledError

chosen = {"fail": fails, "cancel": cancelled}.get("".join(sys.argv[1:]), loop)
start = (waits,) if "wait" in sys.argv else ()
stops = (stops_cancelled, stop) if "fail-to-stop" in sys.argv else (stop,)
main("sample", BusSettings, lambda settings: Process("sample", loops=(chosen,), start=start, stop=stops))
"""


def start(*arguments: str, **environment: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *arguments],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_missing_setting_is_one_line_that_names_it() -> None:
    process = start()
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 1
    assert errors == "sample: the environment is not complete: KAFKA_BOOTSTRAP: Field required\n"


def test_sigterm_stops_the_parts_and_exits_0() -> None:
    process = start(KAFKA_BOOTSTRAP="127.0.0.1:1")
    assert process.stdout is not None
    assert process.stdout.readline() == "running\n"
    process.send_signal(signal.SIGTERM)
    output, errors = process.communicate(timeout=30)
    assert (process.returncode, output, errors) == (0, "stopped\n", "")


def test_sigterm_is_heard_while_a_part_is_still_coming_up() -> None:
    process = start("wait", KAFKA_BOOTSTRAP="127.0.0.1:1")
    assert process.stdout is not None
    assert process.stdout.readline() == "starting\n"
    process.send_signal(signal.SIGTERM)
    output, errors = process.communicate(timeout=30)
    assert (process.returncode, output, errors) == (0, "stopped\n", "")


def test_a_loop_that_fails_ends_the_process_and_its_log_has_the_place_but_not_the_words() -> None:
    process = start("fail", KAFKA_BOOTSTRAP="127.0.0.1:1")
    output, errors = process.communicate(timeout=30)
    assert process.returncode == 1
    assert output == "stopped\n"
    line = json.loads(errors.splitlines()[0])
    assert (line["service"], line["error"]) == ("sample", "RuntimeError")
    assert any("fails" in place for place in line["where"])
    assert "6-6" not in errors


def test_a_loop_that_is_cancelled_by_nobody_ends_the_process_in_order() -> None:
    process = start("cancel", KAFKA_BOOTSTRAP="127.0.0.1:1")
    output, errors = process.communicate(timeout=30)
    assert (process.returncode, output) == (1, "stopped\n")
    (line,) = [json.loads(line) for line in errors.splitlines()]
    assert line["message"] == "sample: a loop was cancelled, and by nobody here"


def test_a_part_that_ends_as_if_it_had_been_cancelled_keeps_no_other_from_being_stopped() -> None:
    process = start("fail-to-stop", KAFKA_BOOTSTRAP="127.0.0.1:1")
    assert process.stdout is not None
    assert process.stdout.readline() == "running\n"
    process.send_signal(signal.SIGTERM)
    output, errors = process.communicate(timeout=30)
    assert (process.returncode, output) == (0, "stopped\n")
    assert json.loads(errors)["error"] == "CancelledError"
