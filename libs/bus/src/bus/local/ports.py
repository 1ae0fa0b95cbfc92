"""Ports on 127.0.0.1."""

import os
import random
import socket
from collections.abc import Collection

import psutil

from bus.local.server import LocalError

HOST = "127.0.0.1"
# Below the ports that Linux lends to outgoing connections, so that a remembered one stays free.
CHOICE = range(20_000, 32_000)


def choose_port(variable: str, *, remembered: int | None, preferred: int | None, avoid: Collection[int]) -> int:
    """The port that the environment's ``variable`` demands, else the remembered, the preferred, or a free one.

    Raises LocalError when the demanded one is taken or is no port.
    """
    demanded = os.environ.get(variable)
    if demanded:
        return _demanded_port(variable, demanded)
    if remembered and is_free(remembered):
        return remembered
    nearby = list(range(preferred, preferred + 100)) if preferred else []
    anywhere = random.sample(CHOICE, k=1000)
    for port in nearby + anywhere:
        if port not in avoid and is_free(port):
            return port
    raise LocalError(f"No free port on {HOST}: stop something, or choose one with {variable}.")


def is_free(port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def _demanded_port(variable: str, demanded: str) -> int:
    if not demanded.isdecimal() or not 0 < int(demanded) < 65_536:
        raise LocalError(f"{variable} must be a port from 1 to 65535, got {demanded!r}.")
    port = int(demanded)
    if not is_free(port):
        raise LocalError(
            f"Port {port} ({variable}) is taken{_holder(port)}: stop that, or set {variable} to another port."
        )
    return port


def _holder(port: int) -> str:
    """Who listens there, as far as this user may know."""
    try:
        for connection in psutil.net_connections(kind="tcp"):
            if connection.laddr and connection.laddr.port == port and connection.pid:
                return f" by {psutil.Process(connection.pid).name()} (pid {connection.pid})"
    except psutil.Error:
        pass  # Not ours to see; the port's number alone must do.
    return ""
