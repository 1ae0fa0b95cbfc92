"""The tables of public rooms as text: one's own first, then those with free seats, then those that run."""

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.text import Text

from capicua.terminal.names import shortened
from contracts.queue_api import Person, RoomList, TableEntry
from contracts.region import Pool
from domino_rules.public_play import wish_in_words

COLUMNS = 80
NO_BREAK = "\u00a0"
ID_CELLS = 26
INDENT = " " * (ID_CELLS + 4)


@dataclass(frozen=True, slots=True)
class Listing:
    """What is listed for `account` at `now_ms` of the log: its own tables, and those of `rooms`.

    `is_narrowed`: not all of them were asked for; `shows_free`: those with free seats were.
    """

    account: str | None
    now_ms: int
    mine: tuple[TableEntry, ...]
    rooms: tuple[RoomList, ...]
    is_narrowed: bool = False
    shows_free: bool = True


def pool_words(pool: Pool) -> str:
    """`party with 4 seats to 100, pairs, 30 s a turn, rated`."""
    return wish_in_words(pool.model_dump()) + (", rated" if pool.rated else "")


def listing_lines(listing: Listing, program: str) -> list[Text]:
    """Rooms in which nobody has a table come last. `program` is how this one is started."""
    lines: list[Text] = []
    if listing.mine:
        lines += [Text("Yours", "bold"), *_my_rows(listing), _hint(f"{program} play")]
    for room in sorted(listing.rooms, key=lambda room: not _others(room, listing)):
        lines += [*([Text()] if lines else []), *_room_lines(room, listing, program)]
    return lines


def ago(ms: int) -> str:
    """`42 s`, `5 min` or `3 h`."""
    seconds = max(0, ms) // 1000
    if seconds < 120:
        return f"{seconds} s"
    return f"{seconds // 60} min" if seconds < 7200 else f"{seconds // 3600} h"


def people_words(people: Iterable[Person], account: str | None, space: str = " ") -> str:
    """`you, Ada (1620), Hal (bot)`; `space` stands within what is said of one person."""
    return ", ".join(_person(person, account).replace(" ", space) for person in people)


def people_count(count: int) -> str:
    return "1 person" if count == 1 else f"{count} people"


def _room_lines(room: RoomList, listing: Listing, program: str) -> list[Text]:
    others = _others(room, listing)
    here = f" · {people_count(room.people) if room.people else 'nobody'} here"
    title = Text.assemble((f"Room {room.preset}", "bold"), here if room.people or not others else "")
    offer = f"{program} play --preset {room.preset} --new-table"
    if not others:
        return [
            title,
            Text(f"  {_nobody(room, listing)}. Make one, at which others can sit down:", "dim"),
            _hint(offer),
        ]
    lines = [title]
    open_ones = [entry for entry in others if entry.state == "open"]
    running = [entry for entry in others if entry.state == "running"]
    if open_ones:
        lines += [Text("  Free seats", "dim"), *_rows(open_ones, listing), _hint(f"{program} play --table ID")]
    elif listing.shows_free:
        where = "at such a table" if listing.is_narrowed else "anywhere"
        lines += [Text(f"  No free seat {where}; a table of your own:", "dim"), _hint(offer)]
    if running:
        lines += [Text("  Running", "dim"), *_rows(running, listing), _hint(f"{program} watch ID")]
    return lines


def _others(room: RoomList, listing: Listing) -> list[TableEntry]:
    mine = {entry.table_id for entry in listing.mine}
    return [entry for entry in room.tables if entry.table_id not in mine]


def _nobody(room: RoomList, listing: Listing) -> str:
    if listing.is_narrowed:
        return "There is no such table" if listing.shows_free else "No such table runs"
    is_mine = any(entry.pool.preset == room.preset for entry in listing.mine)
    return "There is no other table" if is_mine else "Nobody has a table here"


def _my_rows(listing: Listing) -> list[Text]:
    rows = []
    for entry in listing.mine:
        rows += [_first_row(entry, entry.pool.preset), Text(f"{INDENT}{_pool(entry)}"), *_about(entry, listing)]
    return rows


def _rows(entries: Sequence[TableEntry], listing: Listing) -> list[Text]:
    rows = []
    for entry in entries:
        rows += [_first_row(entry, _pool(entry)), *_about(entry, listing)]
    return rows


def _first_row(entry: TableEntry, words: str) -> Text:
    return Text.assemble("  ", (f"{entry.table_id:<{ID_CELLS}}", "cyan"), f"  {words}")


def _about(entry: TableEntry, listing: Listing) -> list[Text]:
    """In as many lines as its people need, none of whose names is torn apart."""
    people = people_words(entry.people, listing.account, space=NO_BREAK)
    about = " · ".join([_state(entry), ago(listing.now_ms - entry.since), people])
    lines = textwrap.wrap(about, COLUMNS, initial_indent=INDENT, subsequent_indent=INDENT, break_long_words=False)
    return [Text(line.replace(NO_BREAK, " ")) for line in lines]


def _pool(entry: TableEntry) -> str:
    """Without the preset."""
    return pool_words(entry.pool).partition(" with ")[2]


def _state(entry: TableEntry) -> str:
    free = entry.pool.seats - len(entry.people)
    if entry.state == "running":
        return "running"
    return f"{free} of {entry.pool.seats} seats free"


def _person(person: Person, account: str | None) -> str:
    if person.account == account:
        return "you"
    known = [*(["bot"] if person.bot else []), *([str(person.rating)] if person.rating is not None else [])]
    return shortened(person.name) + (f" ({', '.join(known)})" if known else "")


def _hint(command: str) -> Text:
    return Text.assemble(("    → ", "dim"), (command, "green"))
