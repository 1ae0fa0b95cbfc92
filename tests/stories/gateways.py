"""Gateways beside the one that a stack begins with."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from bus.local.process import OwnedProcess
from capicua.server.environment import process_environment
from capicua.server.stack import Stack


@asynccontextmanager
async def one_more_gateway(stack: Stack, region: str) -> AsyncIterator[str]:
    """``http://…`` of a process of its own. It believes the one proxy before it, so that people can come to it from
    different addresses."""
    name = f"gateway-{region}-{len(stack.running)}"
    process = replace(stack.processes["gateway"], name=name)
    port = stack.home.port(name, variable="CAPICUA_SECOND_GATEWAY_PORT")
    environment = process_environment(process, stack.home, stack.servers) | {
        "CAPICUA_GATEWAY_PORT": str(port),
        "CAPICUA_LEAVE_SECONDS": "0",
        "CAPICUA_PROXIES": "1",
        "CAPICUA_REGION": region,
    }
    argv = [sys.executable, "-m", process.module]
    stack.running[name] = OwnedProcess.spawn(name, argv, stack.home, environment=environment)
    try:
        await stack.wait_ready(name)
        yield f"http://127.0.0.1:{port}"
    finally:
        await stack.running.pop(name).stop()
