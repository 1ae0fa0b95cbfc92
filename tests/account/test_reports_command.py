"""`capicua admin reports`, against a running account service."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.account.service import Service
from tests.keys import INNER_KEY
from typer.testing import CliRunner

from capicua.server.admin import admin


@dataclass(frozen=True)
class Done:
    status: int
    out: str
    err: str


@pytest.fixture
def told(service: Service, tmp_path: Path) -> dict[str, str | None]:
    url = str(service.http.base_url).removesuffix("/inner/v1/")
    named = {"CAPICUA_ACCOUNT_URL": url, "CAPICUA_INNER_KEY": INNER_KEY, "CAPICUA_HOME": str(tmp_path)}
    return {**named, "COLUMNS": "80"}


async def reports(told: Mapping[str, str | None], *arguments: str) -> Done:
    done = await asyncio.to_thread(CliRunner().invoke, admin, ["reports", *arguments], env=told)
    return Done(done.exit_code, done.stdout, done.stderr)


async def reported(service: Service, text: str) -> str:
    guest = await service.guest()
    body = {"id": "1", "place": "table", "text": text, "table_id": "t1", "version": 7}
    answer = await service.http.post(f"/accounts/{guest.account}/reports", json=body)
    name: str = answer.json()["report"]
    return name


async def test_a_report_goes_its_way_from_a_terminal(service: Service, told: dict[str, str | None]) -> None:
    name = await reported(service, "Mine looks\nlike \x1b[31mthis.")
    listed = await reports(told, "list")
    assert (listed.status, name in listed.out) == (0, True)
    assert "table, t1, version 7" in listed.out
    assert "  > like ?[31mthis." in listed.out
    taken = await reports(told, "take", name, "--as", "ann", "--json")
    assert (json.loads(taken.out)["state"], json.loads(taken.out)["taken_by"]) == ("taken", "ann")
    late = await reports(told, "take", name, "--as", "ben")
    assert (late.status, late.out) == (1, "")
    assert late.err.startswith("Not done, report-moved: ")
    assert "taken by ann" in late.err
    assert (await reports(told, "answer", name, "It is mended.", "--as", "ann")).status == 0
    assert (await reports(told, "close", name, "--as", "ben")).status == 0
    assert name not in (await reports(told, "list")).out
    (line,) = [
        json.loads(line) for line in (await reports(told, "list", "--state", "closed", "--json")).out.splitlines()
    ]
    assert (line["report"], line["answer"]) == (name, "It is mended.")


async def test_more_reports_than_a_page_are_all_listed(service: Service, told: dict[str, str | None]) -> None:
    await service.rows("DELETE FROM reports RETURNING report")
    assert (await reports(told, "list")).out == "No reports are open.\n"
    name = await reported(service, "first")
    copies = (
        "INSERT INTO reports (report, place, text, made_at) SELECT report || n, place, text, made_at + n FROM reports"
    )
    await service.rows(f"{copies}, generate_series(1, 130) AS n RETURNING report")
    names = [json.loads(line)["report"] for line in (await reports(told, "list", "--json")).out.splitlines()]
    assert (len(names), len(set(names)), names[0]) == (131, 131, name)
    assert "from a deleted account" in (await reports(told, "list")).out


async def test_what_is_not_possible_is_said_in_a_sentence(service: Service, told: dict[str, str | None]) -> None:
    unknown = await reports(told, "take", "../sessions/renew")
    assert (unknown.status, "Not done, " in unknown.err) == (1, True)
    empty = await reports(told, "answer", "x", "")
    assert (empty.status, "1 to 2000 characters" in empty.err) == (2, True)
    nobody = await reports(told | {"CAPICUA_ACCOUNT_URL": "http://127.0.0.1:1"}, "list")
    assert (nobody.status, nobody.out) == (2, "")
    assert "'capicua status' tells" in nobody.err
    stranger = await reports(told | {"CAPICUA_INNER_KEY": "x" * 32}, "list")
    assert (stranger.status, "wrong-inner-key" in stranger.err, "x" * 32 in stranger.err) == (1, True, False)


async def test_the_local_key_goes_to_the_local_service_alone(service: Service, told: dict[str, str | None]) -> None:
    done = await reports(told | {"CAPICUA_INNER_KEY": None}, "list")
    assert (done.status, done.err) == (
        2, "Expected CAPICUA_ACCOUNT_URL and CAPICUA_INNER_KEY together, got one of them.\n",
    )  # fmt: skip
