"""What asks a broker questions, and leaves nothing open when it is interrupted."""

import asyncio
import struct

import pytest

from bus.kafka import KafkaLog

SECONDS_MAX = 10
VERSIONS = ((3, 0, 5), (18, 0, 0))
"""Metadata and ApiVersions: which versions a broker speaks of these questions."""
METADATA = 3


class SilentBroker:
    """Says which questions it understands, and answers none of them."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.left = asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                (size,) = struct.unpack(">i", await reader.readexactly(4))
                kind, _, correlation = struct.unpack(">hhi", (await reader.readexactly(size))[:8])
                if kind == METADATA:
                    self.asked.set()
                    continue
                versions = b"".join(struct.pack(">hhh", *each) for each in VERSIONS)
                answer = struct.pack(">ihi", correlation, 0, len(VERSIONS)) + versions
                writer.write(struct.pack(">i", len(answer)) + answer)
        except asyncio.IncompleteReadError:
            self.left.set()
        finally:
            writer.close()


async def test_a_question_that_is_interrupted_while_its_client_starts_leaves_no_connection() -> None:
    silent = SilentBroker()
    server = await asyncio.start_server(silent.serve, "127.0.0.1", 0)
    async with server:
        address = "{}:{}".format(*server.sockets[0].getsockname())
        asking = asyncio.create_task(KafkaLog(address, 2000).partition_count("some.events"))
        async with asyncio.timeout(SECONDS_MAX):
            await silent.asked.wait()
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking
            await silent.left.wait()
