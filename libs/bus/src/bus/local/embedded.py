"""A server that runs as a process of this machine."""

import signal
from dataclasses import dataclass

from bus.local.process import OwnedProcess


@dataclass(frozen=True)
class EmbeddedServer:
    """``bus.local.server.Server`` around a process; ``stop_signal`` is what its program ends in order at."""

    address: str
    process: OwnedProcess
    stop_signal: signal.Signals = signal.SIGTERM

    @property
    def name(self) -> str:
        return self.process.name

    @property
    def pid(self) -> int | None:
        return self.process.pid

    @property
    def exit_code(self) -> int | None:
        return self.process.exit_code

    async def stop(self) -> None:
        await self.process.stop(first=self.stop_signal)
