"""The public queue of a region, as a fold of its events: who waits, with whom, and where."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeAlias

from rpds import HashTrieMap

from contracts.region import BotsAccepted, Pool, TicketQueued
from lobby.region import pools
from lobby.region.away import Away
from lobby.region.ordered import Ordered
from lobby.region.shelf import Fill, Shelf
from lobby.region.tickets import Ticket, Unit, unit_of
from lobby.region.windows import widens_at

Shelves: TypeAlias = "HashTrieMap[Pool, Shelf]"


@dataclass(frozen=True, slots=True)
class Queue:
    """`units` lie under their numbers, `unit_numbers` are those of accounts, `groups` those of groups by name. Only
    units that are ready lie on `shelves`, with the `fills` that these wait for and, where a window still widens, in
    `widening` as (when, number).

    `away` are the people of the queue without a connection. All of it lies in persistent structures: no change costs
    more where more people wait.
    """

    unit_numbers: HashTrieMap[str, int] = field(default_factory=HashTrieMap)
    units: HashTrieMap[int, Unit] = field(default_factory=HashTrieMap)
    groups: HashTrieMap[str, int] = field(default_factory=HashTrieMap)
    shelves: HashTrieMap[Pool, Shelf] = field(default_factory=HashTrieMap)
    fills: Ordered[Fill] = field(default_factory=Ordered)
    widening: Ordered[tuple[int, int]] = field(default_factory=Ordered)
    away: Away = field(default_factory=Away)
    ratings: HashTrieMap[str, int] = field(default_factory=HashTrieMap)
    tickets: int = 0
    looked_at: int = 0

    def __contains__(self, account: str) -> bool:
        return account in self.unit_numbers

    # ---- what has happened

    def queued(self, event: TicketQueued) -> Queue:
        """A member of a group that waits already joins it."""
        return self._changed(self.group(event.group), self.unit_with(event), tickets=self.tickets + 1)

    def without(self, account: str) -> Queue:
        """Without the ticket of `account`; the rest of its group waits for somebody in this place. The same queue if
        there is no such ticket."""
        before = self.unit(account)
        if before is None:
            return self
        queue = replace(self, away=self.away.without(account)) if before.away else self
        left = tuple([ticket for ticket in before.tickets if ticket.account != account])
        return queue._changed(before, queue._unit(left, before.pools, before.size, before.group) if left else None)

    def without_unit(self, unit: Unit) -> Queue:
        """Without one that has been seated, with all its people here."""
        return self._changed(unit, None)

    def widened(self, account: str, pool: Pool) -> Queue:
        before = self._unit_with(account)
        waits_in = (*before.pools, pools.canonical(pool))
        return self._changed(before, self._unit(self._postponed(before), waits_in, before.size, before.group))

    def accepted(self, event: BotsAccepted) -> Queue:
        """The wish of one member is its group's. What happens to people without a ticket changes nothing."""
        before = self.unit(event.account)
        if before is None:
            return self
        tickets = tuple(
            [
                replace(ticket, strength=event.strength, fill_due_at=event.due_at)
                if ticket.account == event.account
                else ticket
                for ticket in before.tickets
            ]
        )
        return self._changed(before, self._unit(tickets, before.pools, before.size, before.group))

    def postponed(self, pool: Pool, due_at: int) -> Queue:
        shelf = self.shelves.get(pool)
        if shelf is None:
            return self
        shelves, fills = self._put(self.shelves, self.fills, shelf, replace(shelf, postponed_to=due_at), pool)
        return replace(self, shelves=shelves, fills=fills)

    def looked(self, at: int) -> Queue:
        """Windows are now as wide as at `at`; a look that is older than the last changes nothing."""
        at = max(at, self.looked_at)
        widening = self.widening
        for entry in list(widening.up_to((at + 1,))):
            widening = widening.without(entry)
            next_at = widens_at(self.units[entry[1]], at)
            if next_at is not None:
                widening = widening.with_key((next_at, entry[1]))
        return replace(self, widening=widening, looked_at=at)

    def rated(self, account: str, rating: int) -> Queue:
        queue = replace(self, ratings=self.ratings.insert(account, rating))
        return queue._made_anew(account)

    def gone_away(self, account: str, at: int) -> Queue:
        """People without a ticket are not in the queue, so that nothing changes."""
        if account not in self.unit_numbers:
            return self
        return replace(self, away=self.away.with_person(account, at))._made_anew(account)

    def come_back(self, account: str) -> Queue:
        return replace(self, away=self.away.without(account))._made_anew(account)

    # ---- queries

    def unit_with(self, event: TicketQueued) -> Unit:
        """The unit that the ticket makes, or its group with it."""
        ticket = Ticket.of(event, self.tickets + 1)
        before = self.group(event.group)
        tickets = (ticket,) if before is None else (*before.tickets, ticket)
        waits_in = (pools.canonical(event.pool),) if before is None else before.pools
        return self._unit(tickets, waits_in, event.group_size or 1, event.group)

    def unit(self, account: str) -> Unit | None:
        number = self.unit_numbers.get(account)
        return None if number is None else self.units[number]

    def group(self, name: str | None) -> Unit | None:
        number = None if name is None else self.groups.get(name)
        return None if number is None else self.units[number]

    # ---- how a unit is put in its places

    def _unit(self, tickets: tuple[Ticket, ...], waits_in: tuple[Pool, ...], size: int, group: str | None) -> Unit:
        away = sum([ticket.account in self.away for ticket in tickets]) if len(self.away) else 0
        return unit_of(tickets, waits_in, size, group, self.ratings, away)

    def _unit_with(self, account: str) -> Unit:
        return self.units[self.unit_numbers[account]]

    def _made_anew(self, account: str) -> Queue:
        """After something that its unit says of itself has changed."""
        before = self.unit(account)
        if before is None:
            return self
        return self._changed(before, self._unit(self._postponed(before), before.pools, before.size, before.group))

    def _postponed(self, unit: Unit) -> tuple[Ticket, ...]:
        """Its tickets. Those that have wanted house bots in vain want them when these are looked for again, even if the
        shelf is gone by then: what was due once is never due again under the same name."""
        shelf = self.shelves.get(unit.fill_pool) if unit.is_ready and unit.fill_pool is not None else None
        if shelf is None or unit.fill_due_at is None:
            return unit.tickets
        return tuple(
            [
                ticket
                if ticket.fill_due_at is None
                else replace(ticket, fill_due_at=max(ticket.fill_due_at, shelf.postponed_to))
                for ticket in unit.tickets
            ]
        )

    def _changed(self, before: Unit | None, after: Unit | None, tickets: int | None = None) -> Queue:
        unit_numbers, units, groups = self.unit_numbers, self.units, self.groups
        shelves, fills, widening = self.shelves, self.fills, self.widening
        if before is not None:
            units = units.remove(before.number)
            for ticket in before.tickets:
                unit_numbers = unit_numbers.remove(ticket.account)
            groups = groups if before.group is None else groups.remove(before.group)
            if before.is_ready:
                shelves, fills = self._taken_off(shelves, fills, before)
                widening = self._with_widening(widening, before, on=False)
        if after is not None:
            units = units.insert(after.number, after)
            for ticket in after.tickets:
                unit_numbers = unit_numbers.insert(ticket.account, after.number)
            groups = groups if after.group is None else groups.insert(after.group, after.number)
            if after.is_ready:
                shelves, fills = self._laid(shelves, fills, after)
                widening = self._with_widening(widening, after, on=True)
        return Queue(
            unit_numbers,
            units,
            groups,
            shelves,
            fills,
            widening,
            self.away,
            self.ratings,
            self.tickets if tickets is None else tickets,
            self.looked_at,
        )

    def _laid(self, shelves: Shelves, fills: Ordered[Fill], unit: Unit) -> tuple[Shelves, Ordered[Fill]]:
        for pool in unit.pools:
            shelf = shelves.get(pool)
            with_it = (shelf or Shelf(pool)).with_unit(unit)
            shelves, fills = self._put(shelves, fills, shelf, with_it, pool)
        return shelves, fills

    def _taken_off(self, shelves: Shelves, fills: Ordered[Fill], unit: Unit) -> tuple[Shelves, Ordered[Fill]]:
        for pool in unit.pools:
            shelf = shelves[pool]
            shelves, fills = self._put(shelves, fills, shelf, shelf.without(unit), pool)
        return shelves, fills

    def _with_widening(self, widening: Ordered[tuple[int, int]], unit: Unit, *, on: bool) -> Ordered[tuple[int, int]]:
        at = widens_at(unit, self.looked_at)
        if at is None:
            return widening
        return widening.with_key((at, unit.number)) if on else widening.without((at, unit.number))

    @staticmethod
    def _put(
        shelves: Shelves, fills: Ordered[Fill], before: Shelf | None, after: Shelf | None, pool: Pool
    ) -> tuple[Shelves, Ordered[Fill]]:
        """A pool has one fill at most: that of its earliest unit."""
        shelves = shelves.insert(pool, after) if after is not None else shelves.remove(pool)
        old, new = before.fill() if before is not None else None, after.fill() if after is not None else None
        if old != new:
            fills = fills if old is None else fills.without(old)
            fills = fills if new is None else fills.with_key(new)
        return shelves, fills
