"""Stories are played a few at a time, since most of each is waiting: for bots, for a broken connection."""

from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from subprocess import CompletedProcess
from typing import TypeAlias

from web.node import WEB, run

FOLDER = WEB / "browser/stories"
STORIES = tuple(sorted(path.stem for path in FOLDER.glob("*.ts")))
LONGEST = ("accessible", "cut")
"""They begin first, so that nothing is waited for at the end."""
AT_ONCE = 3
SECONDS_MAX = 140
Told: TypeAlias = CompletedProcess[str]


class Playing:
    """These stories at the product with this address; what is to be looked at after a failure lies in `kept`."""

    def __init__(self, names: list[str], url: str, kept: Path) -> None:
        self.kept = kept
        self._threads = ThreadPoolExecutor(AT_ONCE)
        ordered = sorted(names, key=lambda name: name not in LONGEST)
        self._told = {name: self._threads.submit(self._play, name, url) for name in ordered}

    def told(self, name: str) -> Future[Told]:
        return self._told[name]

    def close(self) -> None:
        self._threads.shutdown(cancel_futures=True)

    def _play(self, name: str, url: str) -> Told:
        return run("browser/run.ts", name, url, self.kept / name, seconds=SECONDS_MAX)
