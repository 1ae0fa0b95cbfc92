"""A bot's author, from `pip install` to a finished match, with nothing but the API's pages: what is sent is their
examples with some fields changed, and all that comes back is as they say."""

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import pytest
from tests.capicua.installed import Installed

from capicua.server.stack import Stack

PROGRAM = Path(__file__).with_name("from_the_pages.py")
SECONDS_MAX = 100
Body = dict[str, Any]


async def written(installed: Installed, url: str) -> list[Body]:
    """What the author's program was told, in order; it must come to its end without a warning."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("CAPICUA", "PYTHON"))}
    process = await asyncio.create_subprocess_exec(
        *(installed.python, "-W", "error", PROGRAM, url),
        env=clean,
        cwd="/",
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(SECONDS_MAX):
            out, err = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    assert (process.returncode, err.decode()) == (0, "")
    return [json.loads(line) for line in out.decode().splitlines()]


class Pages:
    """Both documents as the gateway serves them, to judge by."""

    def __init__(self, calls: Body, messages: Body) -> None:
        self._calls = calls
        self._messages = messages

    @classmethod
    async def of(cls, url: str) -> "Pages":
        async with httpx.AsyncClient(base_url=url, timeout=10) as http:
            return cls(*[(await http.get(f"/v1/{name}.json")).json() for name in ("openapi", "asyncapi")])

    def check(self, told: Body) -> None:
        """Raises when a page says something else of it."""
        if "message" in told:
            schema = self._messages["components"]["messages"][told["message"]["type"]]["payload"]
            jsonschema.validate(told["message"], schema | {"components": self._messages["components"]})
        else:
            answer = self._calls["paths"][told["call"]]["post"]["responses"][str(told["status"])]
            schema = answer["content"]["application/json"]["schema"]
            jsonschema.validate(told["body"], schema | {"components": self._calls["components"]})


@pytest.mark.timeout(280)
async def test_who_has_read_the_pages_declares_programs_and_they_play_a_match_to_its_end(
    stack: Stack, installed: Installed
) -> None:
    told = await written(installed, stack.gateway_url)
    pages = await Pages.of(stack.gateway_url)
    for each in told:
        pages.check(each)
    programs = {each["body"]["account"] for each in told if each.get("call") == "/v1/me/programs"}
    refused = {each["message"]["code"] for each in told if each.get("message", {}).get("type") == "error"}
    assert refused <= {"too-many-requests"}  # as the pages say of programs that are fast
    ends = [
        each["message"]["view"]
        for each in told
        if each.get("message", {}).get("type") == "view" and each["message"]["view"]["status"] == "finished"
    ]
    assert len(ends) == len(programs) == 2
    assert ends[0]["result"] == ends[1]["result"] is not None
    assert {(seat["account"], seat["bot"]) for seat in ends[0]["seats"]} == {(account, True) for account in programs}
