"""Shows views: a whole screen on a terminal, plain lines in a pipe, JSON for programs."""

import textwrap
from collections import deque
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from capicua.server_clock import ServerClock
from capicua.terminal import view_layout
from capicua.terminal.hand import totals_lines
from capicua.terminal.narration import name, narrate
from capicua.terminal.picture import COLUMNS
from capicua.terminal.screen import NEWS_SHOWN, ends_line, screen
from capicua.view import DeadlineView, TableView

CLEAR = "\x1b[H\x1b[2J"
INDENT = 2
STATUS_AND_PROMPT = 2
SAVE, RESTORE, TO_TOP = "\x1b7", "\x1b8", "\x1b[1;1H\x1b[K"


class Display:
    """Where views go. `note` adds a line of this program's own."""

    def __init__(self, console: Console, clock: ServerClock, *, as_json: bool = False) -> None:
        self._console = console
        self._clock = clock
        self._as_json = as_json
        self._news: deque[str] = deque(maxlen=NEWS_SHOWN)
        self._view: TableView | None = None
        self.shows_page = False
        """A page covers the table until the next `redraw`."""

    @property
    def is_screen(self) -> bool:
        return self._console.is_terminal and not self._as_json

    def show(self, view: TableView, prompt: str = "") -> None:
        lines = narrate(view)
        self._news.extend(lines)
        self._view = view
        if self._as_json:
            self._console.file.write(view.model_dump_json() + "\n")
            self._console.file.flush()
        elif self.is_screen:
            self.redraw(prompt)
        else:
            for line in lines:
                self._console.print(Text(line))
            if not view.put_off:
                self._plain_turn(view)

    def redraw(self, prompt: str = "") -> None:
        if self._view is None or not self.is_screen:
            return
        self.shows_page = False
        self._console.file.write(CLEAR)
        self._console.print(Text(self._status(self._view)))
        self._console.print(screen(self._view, list(self._news), self._console.height - STATUS_AND_PROMPT))
        if prompt:
            self._console.print(Text(prompt), end="")

    def note(self, line: str) -> None:
        """A long line is wrapped; before there is a table to draw, or without a screen, it is printed at once."""
        self._news.extend(textwrap.wrap(line, COLUMNS - INDENT))
        if (self._view is None or not self.is_screen) and not self._as_json:
            self._console.print(Text(line))

    def page(self, lines: Sequence[str], prompt: str) -> None:
        """Something to read instead of the table; plain lines without a screen."""
        self.shows_page = self.is_screen
        if self.is_screen:
            self._console.file.write(f"{CLEAR}\n\n")
        for line in lines:
            self._console.print(Text(line))
        if self.is_screen:
            self._console.print(Text(f"\n{prompt}"), end="")

    def tick(self, *, connected: bool) -> None:
        """Renews the countdown in the first line, without disturbing what is being typed."""
        if self.is_screen and self._view is not None:
            lost = "" if connected else "   connection lost, coming back …"
            self._console.file.write(f"{SAVE}{TO_TOP}{self._status(self._view)}{lost}{RESTORE}")
            self._console.file.flush()

    def _status(self, view: TableView) -> str:
        if view.deadline is None:
            return ""
        left = self._seconds_left(view.deadline)
        match view.deadline.kind:
            case "start":
                return f"Waiting for everybody to sit down: starts in {left} s at the latest"
            case "pause":
                return f"Next round in {left} s, or Enter"
            case "autopilot":
                return f"The autopilot plays in {left} s"
            case "clock":
                return f"{'Your turn' if view.my_turn else 'Clocks'}:   {self._clocks(view)}"
        return f"{'Your turn' if view.my_turn else 'Turn ends'}: {left} s"

    def _seconds_left(self, deadline: DeadlineView) -> int:
        return max(0, deadline.due_at - self._clock.now_ms()) // 1000

    def _clocks(self, view: TableView) -> str:
        """Every seat's match clock; that of the seat to move is running."""
        seconds = {seat: left_ms // 1000 for seat, left_ms in enumerate(view.clocks or (), 1)}
        if view.to_move is not None and view.deadline is not None:
            seconds[view.to_move] = self._seconds_left(view.deadline)
        return "   ".join(f"{name(seat, view)} {left // 60}:{left % 60:02}" for seat, left in seconds.items())

    def _plain_turn(self, view: TableView) -> None:
        if not view.my_turn:
            return
        self._console.print(Text(f"Layout: {view_layout.text(view) or 'empty'}"))
        if view.layout:
            self._console.print(ends_line(view))
        for line in totals_lines(view):
            self._console.print(line)
        hand = "  ".join(f"{number}:{tile}" for number, tile in enumerate(view.hand or (), 1))
        self._console.print(Text(f"Your turn. Hand: {hand}"))
        self._console.print(Text(f"Playable: {' '.join(view.legal)}"))
