"""The embedded PostgreSQL: what it survives."""

import signal
from pathlib import Path

import pytest
from tests.bus.local.test_start import read_row, write_row

from bus.local import Home
from bus.local.postgres import start_embedded_postgres

pytestmark = pytest.mark.servers


async def test_half_a_data_folder_is_not_mistaken_for_a_whole_one(tmp_path: Path) -> None:
    half = tmp_path / "data" / "postgres.new"
    half.mkdir(parents=True)
    (half / "PG_VERSION").write_text("18\n")
    server = await start_embedded_postgres(Home(tmp_path))
    await server.stop()
    assert server.exit_code == 0


async def test_a_killed_server_comes_back_with_its_rows(tmp_path: Path) -> None:
    killed = await start_embedded_postgres(Home(tmp_path))
    await write_row(killed.address)
    killed.process.send_signal(signal.SIGKILL)
    await killed.process.exited()
    server = await start_embedded_postgres(Home(tmp_path))
    try:
        assert await read_row(server.address)
    finally:
        await server.stop()
