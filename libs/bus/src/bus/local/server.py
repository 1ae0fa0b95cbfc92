"""What every provided server looks like, wherever it came from."""

from dataclasses import dataclass
from typing import Protocol


class LocalError(Exception):
    """Something on this machine is in the way. The message is one line that says what to do about it."""


class Server(Protocol):
    """A server that answers at ``address``; ``pid`` is None unless it is a process started here."""

    @property
    def name(self) -> str: ...

    @property
    def address(self) -> str: ...

    @property
    def pid(self) -> int | None: ...

    @property
    def exit_code(self) -> int | None:
        """None while it runs, or when that is not ours to know."""

    async def stop(self) -> None:
        """Stop it if it was started here, keeping its data; somebody else's server is left alone."""


@dataclass(frozen=True)
class ExternalServer:
    """A server that somebody else runs, known by its address alone."""

    name: str
    address: str
    pid: int | None = None
    exit_code: int | None = None

    async def stop(self) -> None:
        return None
