"""`capicua admin audit` on what the product really wrote."""

import asyncio
import json
import os
import secrets
import sys
from functools import partial
from pathlib import Path

from tests.kafka.product import Product, product
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


async def play_two_matches(town: Product) -> set[str]:
    tables = set()
    for _ in range(2):
        table_id, accounts = await seat_two(town, f"eu-{secrets.token_hex(4)}")
        await town.watch.until(partial(town.watch.events, table_id, "table-opened"))
        await play_out(town, table_id, accounts)
        tables.add(table_id)
    return tables


async def test_the_log_of_whole_matches_is_clean(kafka_bootstrap: str, redis_url: str) -> None:
    async with product(kafka_bootstrap, f"{redis_url.rstrip('/')}/4") as town:
        tables = await play_two_matches(town)
    status, lines = await run(kafka_bootstrap, "--json", "--hashes")
    *hashes, report = [json.loads(line) for line in lines]
    assert report["violations"] == []
    assert status == 0
    assert report["hashes_checked"] >= 2
    assert report["valid"] + report["waiting"] >= report["commands"] > 0
    assert tables <= {one["table_id"] for one in hashes if one["status"] == "finished"}
