"""What each process is told, all of it by environment."""

import os
from collections.abc import Mapping

from bus.local import Home, Server
from bus.local.ports import HOST
from capicua.server.processes import HOUSE_KEY, SIGNING_KEY, Need, Process

SESSION_MS = 2000
GATEWAY = "gateway"
GATEWAY_PORT = 8080


def process_environment(process: Process, home: Home, servers: Mapping[Need, Server]) -> dict[str, str]:
    """This shell's environment with the process's settings, less the secrets and addresses that it does not need."""
    told = {*(need.value for need in Need), SIGNING_KEY, HOUSE_KEY}
    inherited = {name: value for name, value in os.environ.items() if name not in told}
    return {
        **inherited,
        **{need.value: servers[need].address for need in process.needs},
        **{key: home.key(key.lower()) for key in process.keys},
        "CAPICUA_HEALTH_HOST": HOST,
        "CAPICUA_HEALTH_PORT": str(choose_health_port(process.name, home)),
        "CAPICUA_GATEWAY_HOST": HOST,
        "CAPICUA_GATEWAY_PORT": str(home.ports()[GATEWAY]),
        "CAPICUA_GATEWAY_URL": gateway_url(home),
        "CAPICUA_SESSION_MS": str(SESSION_MS),
    }


def choose_gateway_port(home: Home) -> int:
    """8080 or the next free one; raises LocalError when CAPICUA_GATEWAY_PORT is taken."""
    return home.port(GATEWAY, variable="CAPICUA_GATEWAY_PORT", preferred=GATEWAY_PORT)


def gateway_url(home: Home) -> str:
    """Of the gateway that was started last."""
    return f"http://{HOST}:{home.ports()[GATEWAY]}"


def choose_health_port(name: str, home: Home) -> int:
    return home.port(f"{name}-health", variable=f"CAPICUA_{name.upper().replace('-', '_')}_HEALTH_PORT")


def health_port(name: str, home: Home) -> int | None:
    """The port chosen last for a process's ``/ready``, if there was one."""
    return home.ports().get(f"{name}-health")
