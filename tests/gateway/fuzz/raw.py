"""Bytes to the gateway and bytes from it, with no library between that would tidy them up."""

import asyncio
import base64
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

SECONDS_MAX = 30.0


@dataclass(frozen=True, slots=True)
class Answer:
    """`status` 0: the connection was closed without a word."""

    status: int
    head: str
    body: str

    @property
    def code(self) -> str | None:
        """Of a problem document."""
        return json.loads(self.body)["code"] if "application/problem+json" in self.head else None


@asynccontextmanager
async def connection(url: str) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    where = urlsplit(url)
    reader, writer = await asyncio.open_connection(where.hostname, where.port)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


async def send(url: str, data: bytes) -> Answer:
    """The first answer; an end of our side is not said, so that nothing but the data decides."""
    async with connection(url) as (reader, writer), asyncio.timeout(SECONDS_MAX):
        writer.write(data)
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode(errors="replace")
        except (asyncio.IncompleteReadError, ConnectionError):
            return Answer(0, "", "")
        sizes = [line for line in head.lower().split("\r\n") if line.startswith("content-length:")]
        body = b""
        if sizes and not data.startswith(b"HEAD "):
            body = await reader.readexactly(int(sizes[0].split(":")[1]))
        return Answer(int(head.split(" ", 2)[1]), head, body.decode(errors="replace"))


async def everything(url: str, data: bytes) -> bytes:
    """All that is said until the other side ends the connection."""
    async with connection(url) as (reader, writer), asyncio.timeout(SECONDS_MAX):
        writer.write(data)
        return await reader.read()


def request(method: str, path: str, *headers: str, body: bytes = b"", host: str = "capicua.test") -> bytes:
    """Exactly these headers after the host, and no other."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", *headers]
    return "\r\n".join(lines).encode("utf-8", "surrogateescape") + b"\r\n\r\n" + body


def post(path: str, body: bytes, *headers: str, host: str = "capicua.test") -> bytes:
    kind = "Content-Type: application/json"
    return request("POST", path, kind, f"Content-Length: {len(body)}", *headers, body=body, host=host)


def upgrade() -> bytes:
    key = base64.b64encode(os.urandom(16)).decode()
    return request(
        "GET",
        "/v1/ws",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Key: {key}",
        "Sec-WebSocket-Version: 13",
    )


def frame(message: Any) -> bytes:
    """A text frame of a client, with a mask of zeros."""
    text = json.dumps(message).encode()
    size = bytes([0x80 | len(text)]) if len(text) < 126 else bytes([0x80 | 126]) + len(text).to_bytes(2, "big")
    return b"\x81" + size + bytes(4) + text
