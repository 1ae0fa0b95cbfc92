"""What a region decides about the tables that people offer: who sits down, who is host, when one starts."""

from collections.abc import Sequence
from itertools import islice

from bus.decider import Context, Deadline
from contracts.envelope import Refusal
from contracts.ids import made_at
from contracts.region import (
    AcceptBots,
    BotsAccepted,
    LeaveSeat,
    MatchMade,
    OfferTable,
    RegionEvent,
    SeatGivenUp,
    SeatTaken,
    TableOffered,
    TakeSeat,
)
from contracts.table import Reservation
from contracts.topics import COMMANDS_KEPT_MS, DAY_MS
from lobby.refusals import refusal
from lobby.region import pools
from lobby.region.busy import refuse_busy
from lobby.region.lending import ready_bots
from lobby.region.results import Result
from lobby.region.state import Lobby, evolve
from lobby.table_ids import draw_table_id

AWAY_MS = 60_000
OFFER_MS_MAX = COMMANDS_KEPT_MS - DAY_MS
"""A table does not open under a name that is older than commands are kept."""
GIVEN_UP_MAX = 100
WANTING_MAX = 64
"""Tables that are looked at when a house bot comes; of more than these the rest wait until some have started."""


def offer(lobby: Lobby, command: OfferTable, context: Context) -> Result:
    refused = _refuse_pool(command) or refuse_busy(lobby, context.principal)
    if refused is not None:
        return refused
    offered = TableOffered(
        table_id=draw_table_id(context),
        pool=pools.with_own_times_unsaid(command.pool),
        host=context.principal,
        bot=command.bot,
        at=context.at,
    )
    return [offered]


def take_seat(lobby: Lobby, command: TakeSeat, context: Context) -> Result:
    """With the last seat the match is made, unless somebody at the table is away."""
    refused = refuse_busy(lobby, context.principal) or _refuse_table(lobby, command.table_id, context)
    if refused is not None:
        return refused
    taken = SeatTaken(table_id=command.table_id, account=context.principal, bot=command.bot)
    return _and_start(lobby, taken, command.table_id, context)


def leave_seat(lobby: Lobby, command: LeaveSeat, context: Context) -> Result:  # noqa: ARG001 - it says nothing more
    """Whoever has no seat at an offered table has left it already."""
    table_id = lobby.offers.table_of.get(context.principal)
    if table_id is None:
        return []
    given_up = SeatGivenUp(table_id=table_id, account=context.principal, reason="left")
    return _and_start(lobby, given_up, table_id, context)


def accept_bots(lobby: Lobby, command: AcceptBots, context: Context) -> Result:
    """Of somebody at an offered table."""
    account = context.principal
    table_id = lobby.offers.table_of[account]
    table = lobby.offers.tables[table_id]
    if table.host != account:
        return refusal("not-host", "only the host brings house bots to a table", "its host", f"a guest of {table.host}")
    if table.bots == command.strength:
        return []
    accepted = BotsAccepted(account=account, strength=command.strength, due_at=context.at)
    return _and_start(lobby, accepted, table_id, context)


def start_after_return(lobby: Lobby, account: str, context: Context) -> Sequence[RegionEvent]:
    """What follows when `account` is no longer away: its table may have waited for nothing else."""
    table_id = lobby.offers.table_of.get(account)
    return [] if table_id is None else _start(lobby, table_id, context)


def start_with_bots(lobby: Lobby, context: Context) -> Sequence[RegionEvent]:
    """What follows when there are more house bots: the first table that has waited for them and has enough now."""
    for _, table_id in islice(lobby.offers.wanting, WANTING_MAX):
        made = _start(lobby, table_id, context)
        if made:
            return made
    return []


def give_up_seats(lobby: Lobby, context: Context) -> Sequence[RegionEvent]:
    """At a timeout: whoever has been away for too long has no seat any more; the rest of them at the next one."""
    events: list[RegionEvent] = []
    for gone in tuple(lobby.offers.away.longest(GIVEN_UP_MAX)):
        if gone.since + AWAY_MS + context.given_back >= context.at:
            break
        table_id = lobby.offers.table_of[gone.account]
        given_up = SeatGivenUp(table_id=table_id, account=gone.account, reason="away")
        for event in _and_start(lobby, given_up, table_id, context):
            events.append(event)
            lobby = evolve(lobby, event)
    return events


def deadline(lobby: Lobby) -> Deadline | None:
    """When the person who has been away longest loses the seat."""
    for gone in lobby.offers.away.longest(1):
        return Deadline("away", f"away-seat-{gone.number}", gone.since, gone.since + AWAY_MS)
    return None


def _and_start(lobby: Lobby, event: RegionEvent, table_id: str, context: Context) -> Sequence[RegionEvent]:
    """The event, and the match where it was all that its table had waited for."""
    return [event, *_start(evolve(lobby, event), table_id, context)]


def _start(lobby: Lobby, table_id: str, context: Context) -> Sequence[MatchMade]:
    """The table's match, if everybody is here and no seat is free, or enough house bots for the free ones."""
    table = lobby.offers.tables.get(table_id)
    if table is None or not lobby.offers.all_here(table_id) or _is_too_old(table_id, context.at):
        return []
    bots = ready_bots(lobby, [table.bots] * table.free) if table.bots is not None else ()
    if len(bots) < table.free:
        return []
    people = [Reservation(account=sitter.account, bot=sitter.bot) for sitter in table.people]
    return [MatchMade(table_id=table_id, pool=table.pool, seats=(*people, *bots))]


def _is_too_old(table_id: str, at: int) -> bool:
    offered_at = made_at(table_id)
    return offered_at is not None and at - offered_at > OFFER_MS_MAX


def _refuse_pool(command: OfferTable) -> Refusal | None:
    if command.pool.rated:
        expected = "false: rated matches come from the queue"
        return refusal("bad-pool", "rated of a table that is offered", expected, "true")
    return pools.refuse(command.pool)


def _refuse_table(lobby: Lobby, table_id: str, context: Context) -> Refusal | None:
    if table_id in lobby.tables:
        return refusal("table-full", "all seats of this table are taken", "a free seat", "a match that runs")
    table = lobby.offers.tables.get(table_id)
    if table is None or _is_too_old(table_id, context.at):
        return refusal("unknown-table", "no such table is offered here", "a table with free seats", table_id)
    if table.free == 0:
        return refusal("table-full", "all seats of this table are taken", "a free seat", f"{table.pool.seats} people")
    return None
