"""Where people sit: in order of arrival, and partners across from each other."""

from __future__ import annotations

from collections.abc import Sequence

from contracts.region import Pool
from contracts.table import Reservation
from lobby.region.tickets import Unit

Reserved = tuple[Reservation, ...]


def seats_of(pool: Pool, units: Sequence[Unit], house: Sequence[Reservation] = ()) -> Reserved:
    """The seats of `units`, by age, and after them the house's bots; at a table in pairs members of a group are
    partners, two by two, and so are those who are left over."""
    people = [_seats(unit) for unit in units]
    everybody = (*(seat for seats in people for seat in seats), *house)
    if not pool.pairs or all(len(seats) == 1 for seats in people):
        return everybody
    pairs = [(seats[at], seats[at + 1]) for seats in people for at in range(0, len(seats) - 1, 2)]
    alone = [seat for seat in everybody if not any(seat in pair for pair in pairs)]
    if alone:
        pairs.append((alone[0], alone[1]))
    one, other = sorted(pairs, key=lambda pair: everybody.index(pair[0]))
    return one[0], other[0], one[1], other[1]


def _seats(unit: Unit) -> Reserved:
    return tuple([Reservation(account=ticket.account, bot=ticket.bot) for ticket in unit.tickets])
