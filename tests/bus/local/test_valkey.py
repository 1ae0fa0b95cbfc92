"""The embedded Valkey: what it survives."""

import signal
from pathlib import Path

import pytest
from tests.bus.local.test_start import read_key, write_key

from bus.local import Home, LocalError
from bus.local.valkey import start_embedded_valkey

pytestmark = pytest.mark.servers


async def test_a_killed_server_comes_back_with_its_keys(tmp_path: Path) -> None:
    killed = await start_embedded_valkey(Home(tmp_path))
    await write_key(killed.address)
    killed.process.send_signal(signal.SIGKILL)
    await killed.process.exited()
    server = await start_embedded_valkey(Home(tmp_path))
    try:
        assert await read_key(server.address)
        assert server.address == killed.address
    finally:
        await server.stop()


async def test_a_taken_port_that_the_environment_demands_is_said_and_its_holder_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await start_embedded_valkey(Home(tmp_path / "one"))
    try:
        monkeypatch.setenv("CAPICUA_VALKEY_PORT", str(Home(tmp_path / "one").ports()["valkey"]))
        with pytest.raises(LocalError, match=r"\(CAPICUA_VALKEY_PORT\) is taken by valkey-server"):
            await start_embedded_valkey(Home(tmp_path / "two"))
        assert first.exit_code is None
    finally:
        await first.stop()
