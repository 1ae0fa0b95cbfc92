"""How somebody's ticket stands: why there is no match yet and what would help, in words. Pure."""

from collections.abc import Iterator

from contracts.queue_api import Offer, QueueStatus, Why
from contracts.region import Pool
from domino_rules.public_play import wish_in_words
from gateway.queue_view import QueueView, Waiting, is_ready

BOTS_OFFERED_AFTER_MS = 20_000
POOLS_OFFERED_MAX = 3
_NUMBERS = ("none", "one", "two", "three", "four")


class Statuses:
    """How tickets of one region stand at one moment, `now` in ms of the log. Alike tickets stand alike: what has been
    found for one is kept for the others, so ask anew for another moment."""

    def __init__(self, view: QueueView, now: int) -> None:
        self._view = view
        self._now = now
        self._found: dict[tuple[object, ...], QueueStatus] = {}

    def of(self, account: str) -> QueueStatus | None:
        """None for somebody who does not wait."""
        ticket = self._view.ticket(account)
        if ticket is None:
            return None
        bots = self._view.wants_bots(account), self._now - ticket.queued_at >= BOTS_OFFERED_AFTER_MS
        alike = ticket.group or ticket.away, *bots, *ticket.pools
        found = self._found.get(alike)
        if found is None:
            found = self._found[alike] = _status(self._view, ticket, self._now)
        return found.model_copy(update={"queued_at": ticket.queued_at})


def _status(view: QueueView, ticket: Waiting, now: int) -> QueueStatus:
    own, *also = ticket.pools
    return QueueStatus(
        pool=own,
        also=tuple(also),
        queued_at=ticket.queued_at,
        waiting=view.here(ticket.pools),
        expected_ms=view.expected_ms(own),
        why=_why(view, ticket),
        offers=tuple(_offers(view, ticket, now)),
    )


def _why(view: QueueView, ticket: Waiting) -> Why:
    unit = view.unit(ticket.account)
    if len(unit) < ticket.group_size:
        message = f"Your group of {ticket.group_size} is not whole: {_NUMBERS[len(unit)]} of you so far."
        return Why(code="group-not-whole", message=message)
    if len(unit) > 1 and not is_ready(unit):
        return Why(code="group-not-whole", message="Somebody of your group has no connection just now.")
    if all(_others(view, ticket, pool) == 0 for pool in ticket.pools):
        who = "Nobody but your group" if len(unit) > 1 else "Nobody else"
        return Why(code="nobody-else", message=f"{who} waits for this yet.")
    missing = min(_missing(view, ticket, pool) for pool in ticket.pools)
    if missing > 0:
        return Why(code="too-few", message=f"{_more(missing)} {'is' if missing == 1 else 'are'} needed.")
    enough = [pool for pool in ticket.pools if _missing(view, ticket, pool) <= 0]
    if all(pool.rated for pool in enough):
        message = "Enough people wait, with ratings too far from each other: the longer you wait, the more fit."
        return Why(code="ratings-apart", message=message)
    if any(view.grouped(pool) for pool in enough):
        return Why(code="sizes-do-not-fit", message="Enough people wait, in groups that do not fill one table.")
    return Why(code="too-few", message="Enough people are here: your table is being made.")


def _offers(view: QueueView, ticket: Waiting, now: int) -> Iterator[Offer]:
    own = max(1, min(_missing(view, ticket, pool) for pool in ticket.pools))
    better = [(missing, pool) for pool in _kindred(view, ticket) if (missing := _missing(view, ticket, pool)) < own]
    better.sort(key=lambda offer: (offer[0], _distance(ticket.pools[0], offer[1])))
    for missing, pool in better[:POOLS_OFFERED_MAX]:
        who = _more(missing) if missing > 0 else "You"
        message = f"{who} would start {wish_in_words(pool.model_dump())}."
        yield Offer(pool=pool, missing=max(0, missing), message=message)
    if (
        not view.wants_bots(ticket.account)
        and not ticket.pools[0].rated
        and now - ticket.queued_at >= BOTS_OFFERED_AFTER_MS
    ):
        lacking = max(0, _missing(view, ticket, ticket.pools[0]) - view.standing_by)
        message = "House bots can take the free seats" + (" as soon as enough stand by." if lacking else ".")
        yield Offer(missing=lacking, message=message)


def _kindred(view: QueueView, ticket: Waiting) -> Iterator[Pool]:
    """Pools in which others wait, and which differ from the ticket's own one in target or seats alone."""
    own = ticket.pools[0]
    for pool in view.pools():
        alike = _rules(pool) == _rules(own) and (pool.seats != own.seats or pool.pairs == own.pairs)
        if alike and pool not in ticket.pools and ticket.group_size <= pool.seats and view.ready(pool) > 0:
            yield pool


def _rules(pool: Pool) -> tuple[object, ...]:
    return pool.preset, pool.rated, pool.spinner, pool.drawing, pool.turn_seconds, pool.clock_minutes


def _distance(own: Pool, other: Pool) -> tuple[int, int, str]:
    return abs(own.seats - other.seats), abs(own.target - other.target), str(other.target)


def _others(view: QueueView, ticket: Waiting, pool: Pool) -> int:
    """How many others in the pool could be given a seat now."""
    unit = view.unit(ticket.account)
    own = len(unit) if pool in ticket.pools and is_ready(unit) else 0
    return view.ready(pool) - own


def _missing(view: QueueView, ticket: Waiting, pool: Pool) -> int:
    return pool.seats - ticket.group_size - _others(view, ticket, pool)


def _more(number: int) -> str:
    return f"{_NUMBERS[number].capitalize()} more {'person' if number == 1 else 'people'}"
