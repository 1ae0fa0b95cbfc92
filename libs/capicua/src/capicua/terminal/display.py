"""Shows views: a whole screen on a terminal, plain lines in a pipe, JSON for programs."""

import textwrap
from collections import deque
from collections.abc import Sequence

from rich.console import Console, Group
from rich.text import Text

from capicua.countdown import Countdown
from capicua.server_clock import ServerClock
from capicua.terminal import view_layout
from capicua.terminal.hand import totals_lines
from capicua.terminal.narration import narrate, narrate_put_off
from capicua.terminal.page import CLEAR, RESTORE, SAVE, TO_TOP, Page
from capicua.terminal.picture import COLUMNS
from capicua.terminal.screen import NEWS_SHOWN, ends_line, screen
from capicua.terminal.status import PLAYED_FOR, hurries, seconds_text, status, unchanged_ms
from capicua.terminal.words import heard_words
from capicua.view import TableView
from contracts.message import Message
from contracts.room_api import Talk

BELL = "\a"
INDENT = 2
STATUS_AND_PROMPT = 2
TICK_SECONDS_MIN = 0.05
SILENCE_TOLD_MS = 3_000
SILENT = "The time is up, and the service is silent …"


class Display:
    """Where views go. `note` adds a line of this program's own."""

    def __init__(self, console: Console, clock: ServerClock, *, as_json: bool = False) -> None:
        self._console = console
        self._countdown = Countdown(clock)
        self.as_json = as_json
        self._news: deque[str] = deque(maxlen=NEWS_SHOWN)
        self._view: TableView | None = None
        self._ticked = Text()
        self._warned_turn = 0
        self._told_turn: tuple[object, ...] = ()
        self._was_late = False
        self.shows_page = False
        """A page covers the table until the next `redraw`."""

    @property
    def is_screen(self) -> bool:
        return self._console.is_terminal and not self._console.is_dumb_terminal and not self.as_json

    def show(self, view: TableView, prompt: str = "") -> None:
        lines = [*narrate(view), *narrate_put_off(self._countdown.follow(view), view)]
        self._news.extend(lines)
        self._view = view
        self._note_lateness(view)
        if self.as_json:
            self._print_json(view)
        elif self.is_screen:
            self.redraw(prompt)
        else:
            for line in lines:
                self._console.print(Text(line))
            self._plain_turn(view)
            self._plain_pause(view)
        self._warn()

    def redraw(self, prompt: str = "") -> None:
        if self._view is None or not self.is_screen:
            return
        self.shows_page = False
        self._ticked = self._status()
        self._console.file.write(CLEAR)
        self._console.print(self._ticked)
        self._console.print(Group(*self.standing(self._console.height - STATUS_AND_PROMPT)))
        if prompt:
            self._console.print(Text(prompt), end="")

    def end_line(self) -> None:
        """What is printed next begins below the prompt."""
        if self.is_screen and self._view is not None:
            self._console.print()

    def standing(self, lines: int) -> list[Text]:
        """The table with its latest news, in that many lines; none before there is one."""
        return [] if self._view is None else screen(self._view, list(self._news), lines)

    def note(self, line: str) -> None:
        """A long line is wrapped; before there is a table to draw, or without a screen, it is printed at once."""
        self._news.extend(textwrap.wrap(line, COLUMNS - INDENT))
        if (self._view is None or not self.is_screen) and not self.as_json:
            self._console.print(Text(line))

    def hear(self, talk: Talk) -> None:
        """What somebody has said."""
        if self.as_json:
            self._print_json(talk)
        else:
            self.note(heard_words(talk))

    def page(self) -> Page:
        """For what is shown while there is no table."""
        return Page(self._console, as_json=self.as_json)

    def cover(self, lines: Sequence[str], prompt: str) -> None:
        """Something to read instead of the table; plain lines without a screen."""
        self.shows_page = self.is_screen
        if self.is_screen:
            self._console.file.write(f"{CLEAR}\n\n")
            self._ticked = Text()
        for line in lines:
            self._console.print(Text(line))
        if self.is_screen:
            self._console.print(Text(f"\n{prompt}"), end="")

    def tick(self, trouble: str = "") -> float:
        """Renews the countdown in the first line, without disturbing what is being typed, and warns when it is nearly
        over. `trouble` is said there too. Returns after how many seconds to do so again."""
        line = self._status()
        if trouble:
            line.append(f"   {trouble}" if line else trouble, "")
        if self.is_screen and self._view is not None and line != self._ticked:
            self._ticked = line
            self._console.file.write(f"{SAVE}{TO_TOP}")
            self._console.print(line, end="", no_wrap=True, overflow="crop")
            self._console.file.write(RESTORE)
            self._console.file.flush()
        self._warn()
        left = self._countdown.left_ms
        if self._view is None or left is None:
            return 1.0
        return max(TICK_SECONDS_MIN, unchanged_ms(self._view, left) / 1000)

    def _status(self) -> Text:
        left = self._countdown.left_ms
        if self._view is None or left is None:
            return Text()
        if self._countdown.overdue_ms >= SILENCE_TOLD_MS:
            return Text(SILENT)
        line = status(self._view, left)
        return line.append(f"   {PLAYED_FOR}", "") if self._was_late and self._view.my_turn else line

    def _note_lateness(self, view: TableView) -> None:
        """Whether the own last turn timed out: others' plays soon push the sentence about it off the screen."""
        own = {event["type"] for event in view.events if view.you is not None and event.get("seat") == view.you}
        if own & {"turn-timed-out", "tile-played", "passed"}:
            self._was_late = "turn-timed-out" in own

    def _warn(self) -> None:
        """Once in a turn of one's own: a bell on a terminal, else a line."""
        view, left = self._view, self._countdown.left_ms
        if view is None or left is None or not hurries(view, left) or self._warned_turn == view.turn:
            return
        self._warned_turn = view.turn
        if self.is_screen:
            self._console.file.write(BELL)
            self._console.file.flush()
        elif not self.as_json:
            self._console.print(Text(f"Hurry: {seconds_text(left)} left"))

    def _print_json(self, message: Message) -> None:
        self._console.file.write(message.model_dump_json() + "\n")
        self._console.file.flush()

    def _plain_turn(self, view: TableView) -> None:
        """Told again when it asks for something else, as after a draw; not for what has nothing to do with it."""
        turn = (view.turn, view.legal, view.hand)
        if not view.my_turn or turn == self._told_turn:
            return
        self._told_turn = turn
        self._console.print(Text(f"Layout: {view_layout.text(view) or 'empty'}"))
        if view.layout:
            self._console.print(ends_line(view))
        for line in totals_lines(view):
            self._console.print(line)
        hand = "  ".join(f"{number}:{tile}" for number, tile in enumerate(view.hand or (), 1))
        self._console.print(Text(f"Your turn. Hand: {hand}"))
        self._console.print(Text(f"Playable: {' '.join(view.legal)}"))

    def _plain_pause(self, view: TableView) -> None:
        if any(event.get("type") == "pause-started" for event in view.events):
            self._console.print(self._status())
