"""What a region decides about tickets: who waits for what, with whom, and for how long."""

from collections.abc import Sequence

from bus.decider import Context
from contracts.envelope import Refusal
from contracts.region import (
    AcceptBots,
    BotsAccepted,
    FillPostponed,
    JoinQueue,
    NoteRating,
    Pool,
    RatingNoted,
    RegionEvent,
    TicketQueued,
    TicketWidened,
    WidenTicket,
)
from lobby.refusals import refusal, refuse_outsider
from lobby.region import pools
from lobby.region.busy import refuse_busy
from lobby.region.filling import FILL_MS, fill_or_postpone
from lobby.region.matching import match_of, matches
from lobby.region.results import Result
from lobby.region.state import Lobby, evolve
from lobby.region.tickets import Unit

POOLS_MAX = 8
"""In how many a ticket may wait."""


def join(lobby: Lobby, command: JoinQueue, context: Context) -> Result:
    """A ticket. Members of a group wait until all are here; who comes later in the place of one who has left makes
    the group as young as that ticket."""
    pool, account = command.pool, context.principal
    refused = (
        pools.refuse(pool)
        or _refuse_bots(pool, wanted=command.bots == "fill", declared=command.bot)
        or refuse_busy(lobby, account)
    )
    if refused is not None:
        return refused
    pool = pools.with_own_times_unsaid(pool)
    refused = _refuse_group(lobby, command, pool)
    if refused is not None:
        return refused
    queued = TicketQueued(
        account=account,
        pool=pool,
        bots=command.bots,
        bot=command.bot,
        queued_at=context.at,
        fill_due_at=context.deadlines_from + FILL_MS if command.bots == "fill" else None,
        strength=command.strength,
        group=command.group,
        group_size=command.group_size,
        window=command.window,
    )
    made = match_of(lobby.queue, lobby.queue.unit_with(queued), context)
    return [queued] if made is None else [queued, made]


def widen(lobby: Lobby, command: WidenTicket, context: Context) -> Result:
    """Yes to another pool, for the ticket's whole group."""
    account, unit = context.principal, lobby.queue.unit(context.principal)
    if unit is None:
        return _not_queued(lobby, account)
    refused = pools.refuse(command.pool) or _refuse_bots(
        command.pool, wanted=False, declared=any(ticket.bot for ticket in unit.tickets)
    )
    if refused is not None:
        return refused
    pool = pools.with_own_times_unsaid(command.pool)
    if pool in unit.pools:
        return []
    if len(unit.pools) == POOLS_MAX:
        expected, got = f"at most {POOLS_MAX} pools", "one more"
        return refusal("too-many-pools", "a ticket waits in so many pools", expected, got)
    if unit.size > pool.seats:
        return _group_too_large(unit.size, pool)
    widened = TicketWidened(account=account, pool=pool)
    return [widened, *matches_of(evolve(lobby, widened), account, context)]


def accept_bots(lobby: Lobby, command: AcceptBots, context: Context) -> Result:
    """Yes to house bots, for the ticket's whole group: at once if enough stand by, else as soon as they do."""
    account, unit = context.principal, lobby.queue.unit(context.principal)
    if unit is None:
        return _not_queued(lobby, account)
    pool = unit.fill_pool
    if pool is None:
        return _no_bots(unit.pools[0], "your yes to some")
    if _waits_in_vain(lobby, pool, unit, command):
        return []
    accepted = BotsAccepted(account=account, strength=command.strength, due_at=context.at)
    events: list[RegionEvent] = [accepted]
    lobby = evolve(lobby, accepted)
    while unit.is_ready and account in lobby.queue and not isinstance(events[-1], FillPostponed):
        events.append(fill_or_postpone(lobby, pool, context))
        lobby = evolve(lobby, events[-1])
    return events


def note_rating(lobby: Lobby, command: NoteRating, context: Context) -> Result:
    refused = refuse_outsider(context.principal, "notes ratings")
    if refused is not None:
        return refused
    if lobby.queue.ratings.get(command.account) == command.rating:
        return []
    noted = RatingNoted(account=command.account, rating=command.rating)
    return [noted, *matches_of(evolve(lobby, noted), command.account, context)]


def matches_of(lobby: Lobby, account: str, context: Context) -> Sequence[RegionEvent]:
    """What follows when the ticket of `account`, if there is one, fits more people than before."""
    unit = lobby.queue.unit(account)
    return [] if unit is None else matches(lobby.queue, [unit.number], context)


def _waits_in_vain(lobby: Lobby, pool: Pool, unit: Unit, command: AcceptBots) -> bool:
    """Whether the same yes was said before, and what could be done about it has been."""
    shelf = lobby.queue.shelves.get(pool)
    strengths = [ticket.strength for ticket in unit.tickets if ticket.fill_due_at is not None]
    return shelf is not None and shelf.is_in_vain and command.strength in strengths


# ---- refusals


def _not_queued(lobby: Lobby, account: str) -> Refusal:
    got = "standing by" if account in lobby.standing_by else "no ticket"
    return refusal("not-queued", "you have no ticket in this region", "somebody with a ticket", got)


def _refuse_bots(pool: Pool, *, wanted: bool, declared: bool) -> Refusal | None:
    if pool.rated and (wanted or declared):
        return _no_bots(pool, "house bots" if wanted else "a declared bot")
    return None


def _no_bots(pool: Pool, got: str) -> Refusal:
    return refusal("rated-pool", f"{pools.name(pool)} is rated", "people alone", got)


def _refuse_group(lobby: Lobby, command: JoinQueue, pool: Pool) -> Refusal | None:
    """`group-mismatch`, `group-too-large`, `group-seated`, `group-full`, or `rated-pool` for a declared bot whose group
    has been widened to one."""
    name, size = command.group, command.group_size
    if name is None and size is None:
        return None
    if name is None or size is None:
        return refusal("group-mismatch", "a group has a name and a size", "both", "one of them")
    if size > pool.seats:
        return _group_too_large(size, pool)
    if name in lobby.group_tables:
        return refusal("group-seated", "this group has been seated", "another name", "its own")
    waiting = lobby.queue.group(name)
    if waiting is None:
        return None
    if waiting.pools[0] != pool or waiting.size != size:
        expected = f"{waiting.size} people for {pools.name(waiting.pools[0])}"
        got = f"{size} people for {pools.name(pool)}"
        return refusal("group-mismatch", "your group waits for something else", expected, got)
    if len(waiting.tickets) == size:
        return refusal("group-full", "everybody of this group is here", f"{size} people", f"{size + 1}")
    refusals = (_refuse_bots(each, wanted=False, declared=command.bot) for each in waiting.pools)
    return next((refused for refused in refusals if refused is not None), None)


def _group_too_large(size: int, pool: Pool) -> Refusal:
    return refusal("group-too-large", "a group sits at one table", f"at most {pool.seats} people", str(size))
