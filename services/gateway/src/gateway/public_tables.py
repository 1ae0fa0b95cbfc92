"""The tables of one region's public rooms as its events tell them: open ones with free seats, and running ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal

from contracts.message import AccountId, TableId
from contracts.queue_api import Person, TableEntry
from contracts.region import MatchMade, Pool, Preset, SeatGivenUp, SeatTaken, TableOffered, TableReleased
from contracts.table import Reservation
from gateway.region_events import RegionEvent

State = Literal["open", "running"]


@dataclass(frozen=True, slots=True)
class PublicTable:
    """`seats` are taken ones, in seat order; `since` is in ms of the log."""

    table_id: TableId
    state: State
    pool: Pool
    seats: tuple[Reservation, ...]
    since: int

    @property
    def place(self) -> tuple[bool, int, TableId]:
        """Where it stands in a list: open ones first, then the newest."""
        return self.state != "open", -self.since, self.table_id


class PublicTables:
    """A fold of one region's events. `person` says how a seat is shown."""

    def __init__(self, region: str, person: Callable[[Reservation], Person]) -> None:
        self.region = region
        self._person = person
        self._tables: dict[Preset, dict[TableId, PublicTable]] = {}
        self._preset_of: dict[TableId, Preset] = {}
        self._table_of: dict[AccountId, TableId] = {}
        self._numbers: Counter[tuple[Preset, State]] = Counter()
        self._changed: dict[Preset, dict[TableId, None]] = {}
        self._sorted: dict[Preset, list[PublicTable]] = {}

    # ---- the fold

    def take(self, event: RegionEvent, at: int) -> None:
        """`at` is the log time of the event, in ms."""
        match event:
            case TableOffered(table_id=table_id, pool=pool, host=host, bot=bot):
                self._put(PublicTable(table_id, "open", pool, (Reservation(account=host, bot=bot),), event.at))
            case SeatTaken(table_id=table_id, account=account, bot=bot):
                table = self.table(table_id)
                if table is not None:
                    seats = (*table.seats, Reservation(account=account, bot=bot))
                    self._put(replace(table, seats=seats))
            case SeatGivenUp(table_id=table_id, account=account):
                self._give_up(table_id, account)
            case MatchMade():
                self._match(event, at)
            case TableReleased(table_id=table_id):
                self._remove(table_id)
            case _:
                pass

    def _match(self, event: MatchMade, at: int) -> None:
        for seat in event.seats:
            elsewhere = self.open_seat(seat.account)
            if elsewhere is not None and elsewhere != event.table_id:
                self._give_up(elsewhere, seat.account)
        self._put(PublicTable(event.table_id, "running", event.pool, event.seats, at))

    def _give_up(self, table_id: TableId, account: AccountId) -> None:
        table = self.table(table_id)
        if table is None or table.state != "open":
            return
        seats = tuple(seat for seat in table.seats if seat.account != account)
        if seats:
            self._put(replace(table, seats=seats))
        else:
            self._remove(table_id)

    def _put(self, table: PublicTable) -> None:
        self._remove(table.table_id)
        preset = table.pool.preset
        self._tables.setdefault(preset, {})[table.table_id] = table
        self._preset_of[table.table_id] = preset
        self._numbers[preset, table.state] += 1
        self._table_of |= {seat.account: table.table_id for seat in table.seats}
        self._touch(preset, table.table_id)

    def _remove(self, table_id: TableId) -> None:
        preset = self._preset_of.pop(table_id, None)
        if preset is None:
            return
        table = self._tables[preset].pop(table_id)
        self._numbers[preset, table.state] -= 1
        for seat in table.seats:
            if self._table_of.get(seat.account) == table_id:
                del self._table_of[seat.account]
        self._touch(preset, table_id)

    def _touch(self, preset: Preset, table_id: TableId) -> None:
        self._changed.setdefault(preset, {})[table_id] = None
        self._sorted.pop(preset, None)

    def renamed(self, account: AccountId) -> None:
        """Somebody goes by another name: the table with this person is to be shown anew."""
        table = self.table_of(account)
        if table is not None:
            self._touch(table.pool.preset, table.table_id)

    # ---- what can be asked

    def table(self, table_id: TableId) -> PublicTable | None:
        preset = self._preset_of.get(table_id)
        return self._tables[preset][table_id] if preset is not None else None

    def open_seat(self, account: AccountId) -> TableId | None:
        """The offered table at which `account` has a seat."""
        table = self.table_of(account)
        return table.table_id if table is not None and table.state == "open" else None

    def table_of(self, account: AccountId) -> PublicTable | None:
        """The table at which `account` has a seat, running or offered."""
        table_id = self._table_of.get(account)
        return self.table(table_id) if table_id is not None else None

    def number(self, preset: Preset, state: State) -> int:
        return self._numbers[preset, state]

    def in_order(self, preset: Preset) -> Iterable[PublicTable]:
        """The room's tables as a list has them."""
        if preset not in self._sorted:
            self._sorted[preset] = sorted(self._tables.get(preset, {}).values(), key=lambda table: table.place)
        return self._sorted[preset]

    def take_changes(self) -> dict[Preset, dict[TableId, None]]:
        """What has changed since this was called before, gone tables included."""
        changed, self._changed = self._changed, {}
        return changed

    def entry(self, table: PublicTable) -> TableEntry:
        return TableEntry(
            table_id=table.table_id,
            region=self.region,
            state=table.state,
            pool=table.pool,
            people=tuple(self._person(seat) for seat in table.seats),
            since=table.since,
        )
