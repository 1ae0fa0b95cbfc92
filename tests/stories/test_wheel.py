"""Somebody installs the wheel, reads its page, and plays: on the whole product, with nothing of this checkout."""

import asyncio
import json
import os
import re
from pathlib import Path

import pytest
from tests.capicua.installed import ROOT, Installed

from capicua import Client
from capicua.player import play_match
from capicua.server.stack import Stack

WAIT_SECONDS = 120
PROGRAMS = re.findall(r"```python\n(import asyncio\n.*?)```", (ROOT / "libs/capicua/README.md").read_text(), re.DOTALL)
LINES_MAX = 10


async def run(*arguments: str | Path, **environment: str) -> tuple[int, str, str]:
    """Exit status, standard output and standard error."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("CAPICUA", "PYTHON"))}
    process = await asyncio.create_subprocess_exec(
        *arguments,
        env={**clean, **environment},
        cwd="/",
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(WAIT_SECONDS):
            out, err = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()


def test_the_first_bot_of_the_page_has_ten_lines() -> None:
    assert len(PROGRAMS) == 2
    assert len([line for line in PROGRAMS[0].splitlines() if line]) <= LINES_MAX


@pytest.mark.parametrize("program", PROGRAMS, ids=["ten lines", "its own loop"])
async def test_a_bot_of_the_page_plays_a_match(
    stack: Stack, installed: Installed, program: str, tmp_path: Path
) -> None:
    script = tmp_path / "bot.py"
    script.write_text(program.replace("http://127.0.0.1:8080", stack.gateway_url))
    status, out, err = await run(installed.python, "-W", "error", script)
    assert (status, err) == (0, "")
    assert re.search(r"^seat \d: .*scores=\(\d+, \d+, \d+\)", out), out


async def test_a_declared_program_plays_by_its_token_alone(stack: Stack, installed: Installed, tmp_path: Path) -> None:
    async with Client(stack.gateway_url) as owner:
        program = await owner.make_program("of a story")
        secret = program.token.secret
        assert secret is not None
        own = {"CAPICUA_URL": stack.gateway_url, "CAPICUA_TOKEN": secret, "XDG_CONFIG_HOME": str(tmp_path)}
        playing = asyncio.create_task(run(installed.command, "bot", "--target", "50", "--pace", "0", "--json", **own))
        await owner.queue("draw", 2, 50)
        last = await play_match(await owner.next_table())
        status, out, err = await playing
    assert status == 0, err
    assert json.loads(out)["table_id"] == last.table_id
    assert secret not in out + err
    assert [(seat.account, seat.bot) for seat in last.seats if seat.bot] == [(program.account, True)]
    assert os.listdir(tmp_path) == []  # it is kept nowhere
