"""The public queue of one region as its events tell it: who waits for what, and how long people have waited lately."""

from collections import OrderedDict, deque
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from statistics import median

from contracts.region import (
    BotsAccepted,
    BotsLent,
    BotStoodBy,
    MatchMade,
    PersonCameBack,
    PersonWentAway,
    Pool,
    RatingNoted,
    TicketQueued,
    TicketWidened,
    TicketWithdrawn,
)
from gateway.region_events import RegionEvent

WAITS_KEPT = 20
WAITS_MIN = 3
"""Fewer recent matches say nothing of the next one."""
POOLS_REMEMBERED_MAX = 1_000
RATINGS_KEPT_MAX = 100_000


@dataclass(slots=True)
class Waiting:
    """Somebody's ticket: `pools` are its own one and those that it was widened to, `queued_at` is in ms of the log."""

    account: str
    pools: list[Pool]
    queued_at: int
    wants_bots: bool
    group: str | None = None
    group_size: int = 1
    away: bool = False


@dataclass(slots=True)
class _Line:
    """Who waits in a pool; how many of them are `here`, could be given a seat now, and are that within a group."""

    accounts: dict[str, None] = field(default_factory=dict)
    here: int = 0
    ready: int = 0
    grouped: int = 0


class QueueView:
    """A fold of one region's events; what it knows of people who are gone is bounded."""

    def __init__(self) -> None:
        self._tickets: dict[str, Waiting] = {}
        self._lines: dict[Pool, _Line] = {}
        self._groups: dict[str, dict[str, None]] = {}
        self._standing_by: set[str] = set()
        self._bots_away: set[str] = set()
        self._waits: OrderedDict[Pool, deque[int]] = OrderedDict()
        self._ratings: OrderedDict[str, int] = OrderedDict()

    # ---- the fold

    def take(self, event: RegionEvent) -> None:
        match event:
            case TicketQueued():
                self._queue(event)
            case TicketWidened(account=account, pool=pool):
                self._widen(account, pool)
            case BotsAccepted(account=account):
                if account in self._tickets:
                    self._tickets[account].wants_bots = True
            case TicketWithdrawn(account=account):
                self._leave(account)
            case PersonWentAway(account=account):
                self._note_away(account, away=True)
            case PersonCameBack(account=account):
                self._note_away(account, away=False)
            case BotStoodBy(account=account):
                self._standing_by.add(account)
            case BotsLent(bots=bots):
                for bot in bots:
                    self._leave(bot.account)
            case RatingNoted(account=account, rating=rating):
                self._note_rating(account, rating)
            case MatchMade():
                self._match(event)
            case _:
                pass

    def _queue(self, event: TicketQueued) -> None:
        """Who joins a group waits in the pools to which it has been widened, too."""
        self._leave(event.account)
        ticket = Waiting(event.account, [event.pool], event.queued_at, event.bots == "fill", event.group)
        if event.group is not None:
            ticket.group_size = event.group_size or 1
        before = self._members(event.group)
        if before:
            ticket.pools = list(before[0].pools)
        self._count(before, -1)
        self._tickets[event.account] = ticket
        if event.group is not None:
            self._groups.setdefault(event.group, {})[event.account] = None
        for pool in ticket.pools:
            self._line(pool).accounts[event.account] = None
        self._count([*before, ticket], 1)

    def _widen(self, account: str, pool: Pool) -> None:
        unit = self.unit(account)
        self._count(unit, -1)
        for member in unit:
            if pool not in member.pools:
                member.pools.append(pool)
                self._line(pool).accounts[member.account] = None
        self._count(unit, 1)

    def _leave(self, account: str) -> None:
        self._standing_by.discard(account)
        self._bots_away.discard(account)
        ticket = self._tickets.get(account)
        if ticket is None:
            return
        unit = self.unit(account)
        self._count(unit, -1)
        del self._tickets[account]
        if ticket.group is not None:
            self._groups[ticket.group].pop(account, None)
            if not self._groups[ticket.group]:
                del self._groups[ticket.group]
        self._count([member for member in unit if member is not ticket], 1)
        for pool in ticket.pools:
            line = self._lines[pool]
            line.accounts.pop(account, None)
            if not line.accounts:
                del self._lines[pool]

    def _note_away(self, account: str, *, away: bool) -> None:
        if account in self._standing_by:
            (self._bots_away.add if away else self._bots_away.discard)(account)
        ticket = self._tickets.get(account)
        if ticket is None:
            return
        unit = self.unit(account)
        self._count(unit, -1)
        ticket.away = away
        self._count(unit, 1)

    def _note_rating(self, account: str, rating: int) -> None:
        self._ratings[account] = rating
        self._ratings.move_to_end(account)
        if len(self._ratings) > RATINGS_KEPT_MAX:
            self._ratings.popitem(last=False)

    def _match(self, event: MatchMade) -> None:
        if any(seat.account in self._tickets for seat in event.seats):
            waits = self._waits.setdefault(event.pool, deque(maxlen=WAITS_KEPT))
            waits.append(event.waited_ms)
            self._waits.move_to_end(event.pool)
            if len(self._waits) > POOLS_REMEMBERED_MAX:
                self._waits.popitem(last=False)
        for seat in event.seats:
            self._leave(seat.account)

    def _line(self, pool: Pool) -> _Line:
        return self._lines.setdefault(pool, _Line())

    def _count(self, unit: Collection[Waiting], sign: int) -> None:
        """Adds one ticket, or one group's tickets, to the numbers of its lines, or takes them away."""
        ready = bool(unit) and is_ready(unit)
        for ticket in unit:
            for pool in ticket.pools:
                line = self._line(pool)
                line.here += sign * (not ticket.away)
                line.ready += sign * ready
                line.grouped += sign * (ready and ticket.group is not None)

    def _members(self, group: str | None) -> list[Waiting]:
        return [self._tickets[account] for account in self._groups.get(group, ())] if group is not None else []

    # ---- what can be asked

    def __contains__(self, account: str) -> bool:
        return account in self._tickets

    def ticket(self, account: str) -> Waiting | None:
        return self._tickets.get(account)

    def unit(self, account: str) -> list[Waiting]:
        """The tickets that get seats together with that of `account`, its own included; none if it has none."""
        ticket = self._tickets.get(account)
        if ticket is None:
            return []
        return self._members(ticket.group) or [ticket]

    def wants_bots(self, account: str) -> bool:
        """Whether somebody of those who get seats together has said yes to house bots: the wish of one is all of
        theirs, for as long as that one waits."""
        return any(member.wants_bots for member in self.unit(account))

    def here(self, pools: Iterable[Pool]) -> int:
        """How many people wait in any of these pools and have a connection."""
        lines = [line for pool in pools if (line := self._lines.get(pool)) is not None]
        if len(lines) == 1:
            return lines[0].here
        together = dict.fromkeys(account for line in lines for account in line.accounts)
        return sum(not self._tickets[account].away for account in together)

    def ready(self, pool: Pool) -> int:
        """How many in this pool could be given a seat now."""
        line = self._lines.get(pool)
        return line.ready if line is not None else 0

    def grouped(self, pool: Pool) -> int:
        """How many of those who are ready sit together with others or not at all."""
        line = self._lines.get(pool)
        return line.grouped if line is not None else 0

    def pools(self) -> Iterable[Pool]:
        """The pools in which somebody waits."""
        return self._lines.keys()

    def expected_ms(self, pool: Pool) -> int | None:
        """The median wait of the pool's recent matches."""
        waits = self._waits.get(pool, ())
        return int(median(waits)) if len(waits) >= WAITS_MIN else None

    @property
    def standing_by(self) -> int:
        """How many house bots could sit down now."""
        return len(self._standing_by) - len(self._bots_away)

    def rating(self, account: str) -> int | None:
        return self._ratings.get(account)


def is_ready(unit: Collection[Waiting]) -> bool:
    """Whether these tickets, of one group or a single one, could be given seats: all are here."""
    return all(len(unit) >= ticket.group_size and not ticket.away for ticket in unit)
