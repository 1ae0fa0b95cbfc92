"""What a region of the lobby decides: who waits, who is matched with whom, who sits where."""

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import assert_never

from bus.decider import Context, Deadline
from contracts.envelope import Refusal, TimeOut
from contracts.region import (
    AcceptBots,
    BotStoodBy,
    FillPostponed,
    JoinQueue,
    LeaveQueue,
    LeaveSeat,
    LendBots,
    MatchMade,
    NoteAway,
    NoteBack,
    OfferTable,
    PersonCameBack,
    PersonWentAway,
    Pool,
    RegionCommand,
    RegionEvent,
    ReleaseTable,
    StandBy,
    TableReleased,
    TakeSeat,
    TicketQueued,
    TicketWithdrawn,
)
from contracts.table import Reservation
from lobby.region import lending, offers_decide, pools
from lobby.region.busy import refuse_busy, refuse_seated
from lobby.region.pools import refusal
from lobby.region.state import Lobby, Ticket, evolve
from lobby.table_ids import draw_table_id

FILL_MS = 3000

Result = Sequence[RegionEvent] | Refusal


def decide(lobby: Lobby | None, command: RegionCommand, context: Context) -> Result:
    """What follows from `command` by `context.principal`."""
    lobby = lobby or Lobby()
    match command:
        case JoinQueue():
            return _join(lobby, command, context)
        case StandBy():
            return _stand_by(lobby, context)
        case LeaveQueue():
            return _leave(lobby, context.principal)
        case ReleaseTable(table_id=table_id):
            return _release(lobby, table_id, context.principal)
        case OfferTable():
            return offers_decide.offer(lobby, command, context)
        case TakeSeat():
            return offers_decide.take_seat(lobby, command, context)
        case LeaveSeat():
            return offers_decide.leave_seat(lobby, command, context)
        case AcceptBots():
            return _accept_bots(lobby, command, context)
        case NoteAway():
            return _note_away(lobby, context)
        case NoteBack():
            return _note_back(lobby, context.principal)
        case LendBots():
            return lending.lend(lobby, command, context)
        case TimeOut():
            return _time_out(lobby, context)
        case _:
            assert_never(command)


def _join(lobby: Lobby, command: JoinQueue, context: Context) -> Result:
    pool, account = command.pool, context.principal
    refused = pools.refuse(pool) or refuse_busy(lobby, account)
    if refused is not None:
        return refused
    pool = pools.with_own_times_unsaid(pool)
    fill_due_at = context.deadlines_from + FILL_MS if command.bots == "fill" else None
    queued = TicketQueued(
        account=account,
        pool=pool,
        bots=command.bots,
        bot=command.bot,
        queued_at=context.at,
        fill_due_at=fill_due_at,
        strength=command.strength,
    )
    waiting = evolve(lobby, queued).waiting(pool)
    if len(waiting) < pool.seats:
        return [queued]
    return [queued, _match(pool, waiting, (), context)]


def _stand_by(lobby: Lobby, context: Context) -> Result:
    account = context.principal
    if account in lobby.standing_by:
        return []
    refused = refuse_busy(lobby, account)
    if refused is not None:
        return refused
    stood = BotStoodBy(account=account)
    lobby = evolve(lobby, stood)
    for pool in _overdue(lobby):
        made = _fill(lobby, pool, context)
        if made is not None:
            return [stood, made]
    return [stood, *offers_decide.start_with_bots(lobby)]


def _leave(lobby: Lobby, account: str) -> Result:
    if account not in lobby.queued and account not in lobby.standing_by:
        got = "seated at a table" if refuse_seated(lobby, account) else "not in the queue"
        return refusal("not-queued", "you do not wait in this region", "somebody who waits", got)
    return [TicketWithdrawn(account=account)]


def _release(lobby: Lobby, table_id: str, principal: str) -> Result:
    """A table that is not here was released before: this command comes at least once."""
    if principal != "lobby":
        return refusal("not-allowed", "only the lobby releases tables", "lobby", principal)
    return [TableReleased(table_id=table_id)] if table_id in lobby.tables else []


def _accept_bots(lobby: Lobby, command: AcceptBots, context: Context) -> Result:
    if context.principal in lobby.offers.table_of:
        return offers_decide.accept_bots(lobby, command, context)
    return refusal("not-queued", "you wait for nobody in this region", "somebody who waits", "not in the queue")


def _note_away(lobby: Lobby, context: Context) -> Result:
    account = context.principal
    if account not in lobby.offers.table_of or account in lobby.offers.away:
        return []
    return [PersonWentAway(account=account, at=context.deadlines_from)]


def _note_back(lobby: Lobby, account: str) -> Result:
    if account not in lobby.offers.away:
        return []
    back = PersonCameBack(account=account)
    return [back, *offers_decide.start_after_return(evolve(lobby, back), account)]


def _time_out(lobby: Lobby, context: Context) -> Sequence[RegionEvent]:
    """All that is due, of whatever kind."""
    given_up = offers_decide.give_up_seats(lobby, context)
    return [*given_up, *_look_again(reduce(evolve, given_up, lobby), context)]


def _look_again(lobby: Lobby, context: Context) -> Sequence[RegionEvent]:
    """When the oldest wait for bots is over, its pool's tickets that want bots get them, or wait once more."""
    earliest = min(lobby.fills(), default=None)
    if earliest is None or earliest.due_at + context.given_back >= context.at:
        return []
    pool = earliest.pool
    made = _fill(lobby, pool, context)
    return [made or FillPostponed(pool=pool, due_at=context.deadlines_from + FILL_MS)]


def _overdue(lobby: Lobby) -> Iterator[Pool]:
    """The pools whose tickets have waited for bots in vain, the oldest ticket's first."""
    for fill in sorted(lobby.fills(), key=lambda fill: fill.number):
        if fill.looks > 0:
            yield fill.pool


def _fill(lobby: Lobby, pool: Pool, context: Context) -> MatchMade | None:
    """A match of the pool's tickets that want bots with those that stand by, if there are enough of them."""
    tickets = tuple(ticket for ticket in lobby.waiting(pool) if ticket.fill_due_at is not None)
    bots = lobby.standing_by.first(pool.seats - len(tickets))
    if len(tickets) + len(bots) < pool.seats:
        return None
    return _match(pool, tickets, bots, context)


def _match(pool: Pool, tickets: Sequence[Ticket], bots: Sequence[str], context: Context) -> MatchMade:
    """Seats in order of arrival, then the house's bots, as strong as who has waited longest asked for."""
    people = [Reservation(account=ticket.account, bot=ticket.bot) for ticket in tickets]
    house = [Reservation(account=account, bot=True, strength=tickets[0].strength) for account in bots]
    return MatchMade(table_id=draw_table_id(context), pool=pool, seats=(*people, *house))


def deadline(lobby: Lobby) -> Deadline | None:
    """The earliest of all: the next look for house bots, the end of the next seat whose person is away."""
    deadlines = [each for each in (_fill_deadline(lobby), offers_decide.deadline(lobby)) if each is not None]
    return min(deadlines, key=lambda each: (each.due_at, each.ref), default=None)


def _fill_deadline(lobby: Lobby) -> Deadline | None:
    earliest = min(lobby.fills(), default=None)
    if earliest is None:
        return None
    ref = f"fill-{earliest.number}-{earliest.looks}"
    return Deadline("fill", ref, earliest.due_at - FILL_MS, earliest.due_at)


def remembers(lobby: Lobby, principal: str) -> bool:
    """Whether the answers to `principal` are still worth remembering."""
    seated = principal in lobby.seated or principal in lobby.offers.table_of
    return seated or principal in lobby.queued or principal in lobby.standing_by
