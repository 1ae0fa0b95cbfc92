"""House bots for those of the queue who have said yes to them."""

from collections.abc import Iterator

from bus.decider import Context
from contracts.region import FillPostponed, MatchMade, Pool
from contracts.table import Strength
from lobby.region.lending import ready_bots
from lobby.region.matching import match_made
from lobby.region.state import Lobby
from lobby.region.tickets import Unit

FILL_MS = 3_000


def fill(lobby: Lobby, pool: Pool, context: Context) -> MatchMade | None:
    """A match of the pool's oldest units that want house bots with those that have stood by longest, if there are
    enough of them; as strong as who has waited longest asked for."""
    units = _who_wants_bots(lobby, pool)
    if not units:
        return None
    free = pool.seats - sum(unit.size for unit in units)
    bots = ready_bots(lobby, [_strength(units[0])] * free)
    return match_made(pool, units, context, bots) if len(bots) == free else None


def fill_or_postpone(lobby: Lobby, pool: Pool, context: Context) -> MatchMade | FillPostponed:
    return fill(lobby, pool, context) or FillPostponed(pool=pool, due_at=context.deadlines_from + FILL_MS)


def fill_in_vain(lobby: Lobby, context: Context) -> MatchMade | None:
    """What follows when there are more house bots: a match in a pool whose people have waited for them in vain, the
    oldest people's first."""
    for pool in _in_vain(lobby):
        made = fill(lobby, pool, context)
        if made is not None:
            return made
    return None


def _in_vain(lobby: Lobby) -> Iterator[Pool]:
    shelves = [lobby.queue.shelves[fill.pool] for fill in lobby.queue.fills]
    in_vain = [shelf for shelf in shelves if shelf.is_in_vain]
    for shelf in sorted(in_vain, key=lambda shelf: shelf.oldest_wanting()[0]):
        yield shelf.pool


def _who_wants_bots(lobby: Lobby, pool: Pool) -> list[Unit]:
    """The oldest units that fit together."""
    shelf = lobby.queue.shelves.get(pool)
    found: list[Unit] = []
    free = pool.seats
    for number in shelf.oldest_wanting() if shelf is not None else ():
        unit = lobby.queue.units[number]
        if unit.size <= free:
            found.append(unit)
            free -= unit.size
    return found


def _strength(unit: Unit) -> Strength:
    return next(ticket.strength for ticket in unit.tickets if ticket.fill_due_at is not None)
