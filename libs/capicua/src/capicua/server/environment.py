"""What each process is told, all of it by environment."""

import os
from collections.abc import Mapping

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from bus.local import Home, Server
from bus.local.ports import HOST
from capicua.server.processes import (
    ACCOUNT_KEY,
    ACCOUNT_PUBLIC_KEY,
    HOUSE_KEY,
    INNER_KEY,
    SIGNING_KEY,
    Need,
    Process,
)

SESSION_MS = 2000
GATEWAY = "gateway"
GATEWAY_PORT = 8080
ACCOUNT = "account"
KEYS = (SIGNING_KEY, HOUSE_KEY, INNER_KEY, ACCOUNT_KEY, ACCOUNT_PUBLIC_KEY)


def process_environment(process: Process, home: Home, servers: Mapping[Need, Server]) -> dict[str, str]:
    """This shell's environment with the process's settings, less the secrets and addresses that it does not need."""
    told = {*(need.value for need in Need), *KEYS}
    account_port = home.ports()[ACCOUNT]
    inherited = {name: value for name, value in os.environ.items() if name not in told}
    return {
        **inherited,
        **{need.value: servers[need].address for need in process.needs},
        **{key: _key(key, home) for key in process.keys},
        "CAPICUA_HEALTH_HOST": HOST,
        "CAPICUA_HEALTH_PORT": str(choose_health_port(process.name, home)),
        "CAPICUA_ACCOUNT_HOST": HOST,
        "CAPICUA_ACCOUNT_PORT": str(account_port),
        "CAPICUA_ACCOUNT_URL": f"http://{HOST}:{account_port}",
        "CAPICUA_GATEWAY_HOST": HOST,
        "CAPICUA_GATEWAY_PORT": str(home.ports()[GATEWAY]),
        "CAPICUA_GATEWAY_URL": gateway_url(home),
        "CAPICUA_SESSION_MS": str(SESSION_MS),
    }


def _key(name: str, home: Home) -> str:
    """In hexadecimal digits."""
    if name != ACCOUNT_PUBLIC_KEY:
        return home.key(name.lower())
    private = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(home.key(ACCOUNT_KEY.lower())))
    return private.public_key().public_bytes_raw().hex()


def choose_account_port(home: Home) -> int:
    """Any free one; raises LocalError when CAPICUA_ACCOUNT_PORT is taken."""
    return home.port(ACCOUNT, variable="CAPICUA_ACCOUNT_PORT")


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
