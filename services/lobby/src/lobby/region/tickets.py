"""Tickets of the queue, and who of their people is seated as one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from contracts.region import RATING_FIRST, Pool, TicketQueued
from contracts.table import Strength


@dataclass(frozen=True, slots=True)
class Ticket:
    """`number` counts the region's tickets; `fill_due_at` (log ms) is None for a ticket that wants no house bots."""

    number: int
    account: str
    bot: bool
    strength: Strength
    queued_at: int
    window: int
    fill_due_at: int | None

    @classmethod
    def of(cls, event: TicketQueued, number: int) -> Ticket:
        return cls(number, event.account, event.bot, event.strength, event.queued_at, event.window, event.fill_due_at)


@dataclass(frozen=True, slots=True)
class Unit:
    """Who is seated at one table or not at all: one person, or a group of `size` people in order of arrival.

    It has the number and the age of the last to arrive, the narrowest window and the mean rating of its tickets; its
    wish for house bots is any member's, from when the last of these wishes falls due. `pools` are the one that it
    joined and those that it was widened to.
    """

    number: int
    tickets: tuple[Ticket, ...]
    pools: tuple[Pool, ...]
    size: int
    group: str | None
    rating: int
    window: int
    fill_due_at: int | None
    away: int = 0
    """How many of its people have no connection."""

    @property
    def queued_at(self) -> int:
        return self.tickets[-1].queued_at

    @property
    def is_ready(self) -> bool:
        """Whole, and everybody is here."""
        return self.away == 0 and len(self.tickets) == self.size

    @property
    def fill_pool(self) -> Pool | None:
        """Where house bots may sit down with it: none where all of its pools are rated."""
        return next((pool for pool in self.pools if not pool.rated), None)


def unit_of(
    tickets: tuple[Ticket, ...],
    pools: tuple[Pool, ...],
    size: int,
    group: str | None,
    ratings: Mapping[str, int],
    away: int,
) -> Unit:
    """The unit of these tickets, at least one; people of whom no rating is known have `RATING_FIRST`."""
    known = [ratings.get(ticket.account) for ticket in tickets]
    rating = sum([RATING_FIRST if each is None else each for each in known]) // len(tickets)
    dues = [ticket.fill_due_at for ticket in tickets if ticket.fill_due_at is not None]
    window = min([ticket.window for ticket in tickets])
    return Unit(tickets[-1].number, tickets, pools, size, group, rating, window, max(dues, default=None), away)
