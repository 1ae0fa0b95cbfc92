"""The public queue as plainly as it can be said: lists, and every set of people that could fill a table."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

from contracts.region import (
    RATING_FIRST,
    BotsAccepted,
    MatchMade,
    PersonCameBack,
    PersonWentAway,
    Pool,
    QueueLooked,
    RatingNoted,
    RegionEvent,
    TicketQueued,
    TicketWidened,
    TicketWithdrawn,
)


@dataclass
class Waiter:
    """One person, or a group: `people` in order of arrival, each with the number and the time of the ticket."""

    size: int
    group: str | None
    pools: list[Pool]
    people: dict[str, tuple[int, int]] = field(default_factory=dict)
    windows: dict[str, int] = field(default_factory=dict)
    wants_bots: set[str] = field(default_factory=set)

    @property
    def number(self) -> int:
        return max(number for number, _ in self.people.values())

    @property
    def queued_at(self) -> int:
        return max(self.people.values())[1]


@dataclass
class QueueModel:
    waiters: list[Waiter] = field(default_factory=list)
    away: set[str] = field(default_factory=set)
    ratings: dict[str, int] = field(default_factory=dict)
    looked_at: int = 0
    tickets: int = 0

    def take(self, event: RegionEvent) -> None:
        match event:
            case TicketQueued():
                self._queue(event)
            case TicketWidened(account=account, pool=pool):
                self.waiter(account).pools.append(pool)
            case BotsAccepted(account=account):
                self.waiter(account).wants_bots.add(account)
            case TicketWithdrawn(account=account):
                self._withdraw(account)
            case PersonWentAway(account=account):
                self.away.add(account)
            case PersonCameBack(account=account):
                self.away.remove(account)
            case RatingNoted(account=account, rating=rating):
                self.ratings[account] = rating
            case QueueLooked(at=at):
                self.looked_at = at
            case MatchMade():
                taken = {seat.account for seat in event.seats}
                self.waiters = [each for each in self.waiters if not taken & each.people.keys()]

    def _queue(self, event: TicketQueued) -> None:
        self.tickets += 1
        of_group = [each for each in self.waiters if each.group is not None and each.group == event.group]
        if not of_group:
            self.waiters.append(Waiter(event.group_size or 1, event.group, [event.pool]))
        waiter = of_group[0] if of_group else self.waiters[-1]
        waiter.people[event.account] = (self.tickets, event.queued_at)
        waiter.windows[event.account] = event.window
        if event.bots == "fill":
            waiter.wants_bots.add(event.account)

    def _withdraw(self, account: str) -> None:
        self.away.discard(account)
        for waiter in self.waiters:
            waiter.people.pop(account, None)
            waiter.windows.pop(account, None)
            waiter.wants_bots.discard(account)
        self.waiters = [each for each in self.waiters if each.people]

    # ---- what should be

    def waiter(self, account: str) -> Waiter:
        return next(each for each in self.waiters if account in each.people)

    def next_match(self) -> tuple[Pool, set[str]] | None:
        """Of all tables that could be filled with people alone, the one with the oldest."""
        oldest = min(self._tables(), key=lambda table: table[0], default=None)
        return None if oldest is None else (oldest[1], {name for each in oldest[2] for name in each.people})

    def _tables(self) -> Iterator[tuple[tuple[list[int], int], Pool, list[Waiter]]]:
        ready = [each for each in self.waiters if len(each.people) == each.size and not self.away & each.people.keys()]
        ready.sort(key=lambda each: each.number)
        for count in range(1, 5):
            for several in combinations(ready, count):
                for rank, pool in enumerate(several[0].pools):
                    fits = all(pool in each.pools for each in several) and sum(e.size for e in several) == pool.seats
                    if fits and (not pool.rated or self._near(several)):
                        yield ([each.number for each in several], rank), pool, list(several)

    def _near(self, several: tuple[Waiter, ...]) -> bool:
        return all(
            abs(self.rating(one) - self.rating(other)) <= self._reach(one, other)
            for one, other in combinations(several, 2)
        )

    def _reach(self, one: Waiter, other: Waiter) -> int:
        """Who has waited for 35 s waits for nobody's window."""
        if self.looked_at - min(one.queued_at, other.queued_at) >= 35_000:
            return 400
        return min(self.window(one), self.window(other))

    def rating(self, waiter: Waiter) -> int:
        return sum(self.ratings.get(name, RATING_FIRST) for name in waiter.people) // len(waiter.people)

    def window(self, waiter: Waiter) -> int:
        """50 more for each 5 s, at most 400."""
        steps = max(self.looked_at - waiter.queued_at, 0) // 5_000
        return min(min(waiter.windows.values()) + 50 * steps, 400)
