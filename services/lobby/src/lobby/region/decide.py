"""What a region of the lobby decides: who waits, who is matched with whom, who sits where."""

from collections.abc import Sequence
from typing import assert_never

from bus.decider import Context
from contracts.envelope import TimeOut
from contracts.region import (
    AcceptBots,
    BotStoodBy,
    JoinQueue,
    LeaveQueue,
    LeaveSeat,
    LendBots,
    NoteAway,
    NoteBack,
    NoteRating,
    OfferTable,
    PersonCameBack,
    PersonWentAway,
    RegionCommand,
    RegionEvent,
    ReleaseTable,
    StandBy,
    TableReleased,
    TakeSeat,
    TicketWithdrawn,
    WidenTicket,
)
from lobby.refusals import refuse_outsider
from lobby.region import joining, lending, offers_decide
from lobby.region.busy import is_busy, refuse_busy
from lobby.region.dues import deadline, time_out
from lobby.region.filling import fill_in_vain
from lobby.region.results import Result
from lobby.region.state import Lobby, evolve

__all__ = ["deadline", "decide", "remembers"]


def decide(lobby: Lobby | None, command: RegionCommand, context: Context) -> Result:
    """What follows from `command` by `context.principal`."""
    lobby = lobby or Lobby()
    match command:
        case JoinQueue():
            return joining.join(lobby, command, context)
        case WidenTicket():
            return joining.widen(lobby, command, context)
        case AcceptBots():
            return _accept_bots(lobby, command, context)
        case StandBy():
            return _stand_by(lobby, context)
        case LeaveQueue():
            return _leave(lobby, context.principal)
        case NoteAway():
            return _note_away(lobby, context)
        case NoteBack():
            return _note_back(lobby, context)
        case NoteRating():
            return joining.note_rating(lobby, command, context)
        case OfferTable():
            return offers_decide.offer(lobby, command, context)
        case TakeSeat():
            return offers_decide.take_seat(lobby, command, context)
        case LeaveSeat():
            return offers_decide.leave_seat(lobby, command, context)
        case LendBots():
            return lending.lend(lobby, command, context)
        case ReleaseTable():
            return _release(lobby, command, context.principal)
        case TimeOut():
            return time_out(lobby, context)
        case _:
            assert_never(command)


def _accept_bots(lobby: Lobby, command: AcceptBots, context: Context) -> Result:
    if context.principal in lobby.offers.table_of:
        return offers_decide.accept_bots(lobby, command, context)
    return joining.accept_bots(lobby, command, context)


def _stand_by(lobby: Lobby, context: Context) -> Result:
    account = context.principal
    if account in lobby.standing_by:
        return []
    refused = refuse_busy(lobby, account)
    if refused is not None:
        return refused
    stood = BotStoodBy(account=account)
    return [stood, *_with_one_more_bot(evolve(lobby, stood), context)]


def _with_one_more_bot(lobby: Lobby, context: Context) -> Sequence[RegionEvent]:
    made = fill_in_vain(lobby, context)
    return [made] if made is not None else offers_decide.start_with_bots(lobby, context)


def _leave(lobby: Lobby, account: str) -> Result:
    """Whoever does not wait has left already. The rest of a group goes on waiting for somebody in this place: nobody is
    seated with fewer friends than they asked for."""
    waits = account in lobby.queue or account in lobby.standing_by
    return [TicketWithdrawn(account=account)] if waits else []


def _note_away(lobby: Lobby, context: Context) -> Result:
    """Nothing for people at running tables, and for those who are not here at all."""
    account = context.principal
    away = (lobby.queue.away, lobby.bots_away, lobby.offers.away)
    waits = account in lobby.queue or account in lobby.standing_by or account in lobby.offers.table_of
    if not waits or any(account in each for each in away):
        return []
    return [PersonWentAway(account=account, at=context.deadlines_from)]


def _note_back(lobby: Lobby, context: Context) -> Result:
    account = context.principal
    back = PersonCameBack(account=account)
    if account in lobby.queue.away:
        return [back, *joining.matches_of(evolve(lobby, back), account, context)]
    if account in lobby.bots_away:
        return [back, *_with_one_more_bot(evolve(lobby, back), context)]
    if account in lobby.offers.away:
        return [back, *offers_decide.start_after_return(evolve(lobby, back), account, context)]
    return []


def _release(lobby: Lobby, command: ReleaseTable, principal: str) -> Result:
    """A table that is not here was released before: this command comes at least once."""
    refused = refuse_outsider(principal, "releases tables")
    if refused is not None:
        return refused
    accounts = lobby.tables.get(command.table_id)
    if accounts is None:
        return []
    told = accounts if command.not_opened is not None else ()
    return [TableReleased(table_id=command.table_id, not_opened=command.not_opened, accounts=told)]


def remembers(lobby: Lobby, principal: str) -> bool:
    """Whether the answers to `principal` are still worth remembering."""
    return is_busy(lobby, principal)
