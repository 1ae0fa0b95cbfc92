"""The history of one run, line by line: its digest, and the text for people."""

import hashlib
import zlib

from tests.simulation.loop import SimulationLoop

from bus.header import HEADER, MalformedHeader, OutcomeHeader, unpack
from bus.records import Record


class Trace:
    """`lines` are kept only where somebody wants to read them."""

    def __init__(self, loop: SimulationLoop, *, keep: bool) -> None:
        self._loop = loop
        self._hash = hashlib.blake2b(digest_size=16)
        self.keep = keep
        self.lines: list[str] = []

    def add(self, line: str) -> None:
        line = f"{self._loop.time():.6f} {line}"
        self._hash.update(line.encode())
        if self.keep:
            self.lines.append(line)

    def record(self, record: Record) -> None:
        """One that has just been appended."""
        value = record.value or b""
        if record.topic.endswith(".snapshots"):  # their maps have no order of their own
            value = len(value).to_bytes(4, "big")
        checksum = zlib.crc32(value)
        for _, value in record.headers:
            checksum = zlib.crc32(value, checksum)
        self.add(f"{record.topic}:{record.partition}:{record.offset} {record.timestamp} {checksum:08x}")

    def explain(self, record: Record, *, valid: bool) -> None:
        """For people: what the record is that was added last. Not part of the digest."""
        if self.keep:
            self.lines[-1] += f" {'valid' if valid else ''} {_shown(record)}"

    def digest(self) -> str:
        """Of all that was added."""
        return self._hash.hexdigest()


def _shown(record: Record) -> str:
    try:
        header = unpack(record.header(HEADER))
    except MalformedHeader:
        return "malformed"
    if isinstance(header, OutcomeHeader):
        key, body = (record.key or b"").decode(errors="replace"), (record.value or b"").decode()
        return f"Outcome claim={header.claim_offset} command={header.command_offset} {key} {body[:300]}"
    return str(header)[:80]
