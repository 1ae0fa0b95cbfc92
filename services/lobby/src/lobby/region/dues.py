"""What a region waits for, and what it does when that is due: the earliest of all is its one deadline."""

from collections.abc import Sequence
from functools import reduce
from itertools import islice

from bus.decider import Context, Deadline
from contracts.region import QueueLooked, RegionEvent, TicketWithdrawn
from lobby.region import offers_decide
from lobby.region.filling import FILL_MS, fill_or_postpone
from lobby.region.matching import matches
from lobby.region.state import Lobby, evolve
from lobby.region.windows import look_deadline

LAPSE_MS = 600_000
"""Who has been away for so long has no ticket any more, and stands by no more."""
LAPSES_MAX = 100
WIDENED_MAX = 200
"""Windows that are looked at together."""
EVENTS_MAX = 300
"""An outcome is one record: what is due beyond these has its turn at the next timeout."""


def deadline(lobby: Lobby) -> Deadline | None:
    """The earliest."""
    waits = (_fill(lobby), _widen(lobby), *_lapses(lobby), offers_decide.deadline(lobby))
    return min([each for each in waits if each is not None], key=lambda each: (each.due_at, each.ref), default=None)


def time_out(lobby: Lobby, context: Context) -> Sequence[RegionEvent]:
    """All that is due, the earliest first."""
    events: list[RegionEvent] = []
    due = deadline(lobby)
    while due is not None and len(events) < EVENTS_MAX:
        done = _act(lobby, due, context)
        events += done
        lobby = reduce(evolve, done, lobby)
        due = deadline(lobby) if done else None
        if due is not None and due.due_at + context.given_back >= context.at:
            break
    return events


def _act(lobby: Lobby, due: Deadline, context: Context) -> Sequence[RegionEvent]:
    match due.kind:
        case "fill":
            return [fill_or_postpone(lobby, next(iter(lobby.queue.fills)).pool, context)]
        case "widen":
            return _look(lobby, context)
        case "lapse":
            return _let_lapse(lobby, context)
        case "away":
            return offers_decide.give_up_seats(lobby, context)
        case kind:
            raise ValueError(f"kind: expected fill, widen, lapse or away, got {kind!r}")


def _fill(lobby: Lobby) -> Deadline | None:
    """When the next unit gets house bots, or is looked at again."""
    fill = lobby.queue.fills.first
    if fill is None:
        return None
    return Deadline("fill", f"fill-{fill.number}-{fill.due_at}", fill.due_at - FILL_MS, fill.due_at)


def _widen(lobby: Lobby) -> Deadline | None:
    first = lobby.queue.widening.first
    return None if first is None else look_deadline(first[0], lobby.queue.looked_at)


def _look(lobby: Lobby, context: Context) -> Sequence[RegionEvent]:
    """The matches of those whose windows have widened. Where more have than can be looked at together, after nobody
    has looked for long, the look is one at an earlier time, and the next one comes at once."""
    widened = list(islice(lobby.queue.widening.up_to((context.at + 1,)), WIDENED_MAX))
    at = context.at if len(widened) < WIDENED_MAX else widened[-1][0]
    looked = QueueLooked(at=at)
    news = [number for _, number in lobby.queue.widening.up_to((at + 1,))]
    return [looked, *matches(evolve(lobby, looked).queue, news, context)]


def _lapses(lobby: Lobby) -> Sequence[Deadline]:
    """When the person who has been away longest loses the ticket, and the house bot its place."""
    return [
        Deadline("lapse", f"lapse-{place}-{gone.number}", gone.since, gone.since + LAPSE_MS)
        for place, away in (("ticket", lobby.queue.away), ("bot", lobby.bots_away))
        for gone in away.longest(1)
    ]


def _let_lapse(lobby: Lobby, context: Context) -> Sequence[RegionEvent]:
    return [
        TicketWithdrawn(account=gone.account)
        for away in (lobby.queue.away, lobby.bots_away)
        for gone in away.longest(LAPSES_MAX)
        if gone.since + LAPSE_MS + context.given_back < context.at
    ]
