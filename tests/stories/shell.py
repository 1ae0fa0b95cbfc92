"""The `capicua` command, as somebody types it whose input is a pipe."""

import asyncio
import os
import sys
from pathlib import Path

CAPICUA = str(Path(sys.executable).with_name("capicua"))
WAIT_SECONDS = 150


async def capicua(arguments: str, typed: str = "") -> tuple[int, str, str]:
    """Exit status, standard output and standard error of a command whose input is a pipe."""
    process = await asyncio.create_subprocess_exec(
        CAPICUA,
        *arguments.split(),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=dict(os.environ),
    )
    async with asyncio.timeout(WAIT_SECONDS):
        out, err = await process.communicate(typed.encode())
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()
