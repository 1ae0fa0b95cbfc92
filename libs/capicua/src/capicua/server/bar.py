"""How far the reading of a log has come, on the terminal, beside what is printed."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

STEPS = 100
"""Drawing costs more than judging: the bar moves so often in all."""


class ReadingBar:
    """Empty until `start` says how much there is to read."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task = progress.add_task("reading", total=None)
        self._waiting, self._step, self._left = 0, 1, 0

    def start(self, total: int) -> None:
        self._step, self._left = max(1, total // STEPS), total
        self._progress.update(self._task, total=total)

    def advance(self, count: int) -> None:
        """So many offsets more have been read."""
        self._waiting += count
        self._left -= count
        if self._waiting >= self._step or self._left <= 0:
            self._progress.advance(self._task, self._waiting)
            self._waiting = 0


@contextmanager
def reading_bar(console: Console) -> Iterator[ReadingBar]:
    """Nothing is drawn where `console` is no terminal; what was drawn is gone in the end."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield ReadingBar(progress)
