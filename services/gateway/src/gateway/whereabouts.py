"""At which tables everyone has a seat now, folded from the lobbies' logs."""

from collections.abc import Iterable
from typing import NamedTuple

from contracts.api import SeatedAt
from contracts.region import MatchMade, TableReleased
from contracts.room import MatchStarted, RoomReleased


class Running(NamedTuple):
    """A table where people have seats, and since when: ms of the log."""

    seated: SeatedAt
    match: MatchMade | MatchStarted
    since: int

    @property
    def accounts(self) -> tuple[str, ...]:
        return tuple(seat.account for seat in self.match.seats)


class Whereabouts:
    """`match-made` gives seats, `table-released` ends them; in a private room `match-started` and `room-released` do. A
    table is told of only once it is open: before that nobody could watch it or sit down."""

    def __init__(self) -> None:
        self._tables: dict[str, Running] = {}
        self._by_account: dict[str, dict[str, SeatedAt]] = {}
        self._open: set[str] = set()

    def match_made(self, region: str, match: MatchMade | MatchStarted, at: int, *, is_open: bool) -> tuple[str, ...]:
        """Takes note of a match, made at the log time `at` (ms); the accounts to tell of it now, none while its table
        is not open."""
        seated = SeatedAt(table_id=match.table_id, region=region)
        self._tables[match.table_id] = Running(seated, match, at)
        for account in self._tables[match.table_id].accounts:
            self._by_account.setdefault(account, {})[match.table_id] = seated
        return self.opened(match.table_id) if is_open else ()

    def opened(self, table_id: str) -> tuple[str, ...]:
        """The table is open: the accounts to tell of it, in seat order."""
        if table_id not in self._tables:
            return ()
        self._open.add(table_id)
        return self._tables[table_id].accounts

    def released(self, event: TableReleased | RoomReleased) -> Running | None:
        """The table is over, or was never open; what was known of it."""
        running = self._tables.pop(event.table_id, None)
        self._open.discard(event.table_id)
        for account in running.accounts if running is not None else ():
            tables = self._by_account.get(account, {})
            tables.pop(event.table_id, None)
            if not tables:
                self._by_account.pop(account, None)
        return running

    def is_stranger(self, account: str, table_id: str) -> bool:
        """Whether the table is known to be one of others; False also when nothing is known of it, or no longer."""
        return table_id in self._tables and account not in self._tables[table_id].accounts

    def has_seat(self, account: str) -> bool:
        """Whether the account has a seat anywhere."""
        return account in self._by_account

    def sits(self, account: str, table_id: str) -> bool:
        """Whether the account has a seat at the running table."""
        return table_id in self._by_account.get(account, {})

    def region_of(self, table_id: str) -> str | None:
        """The region, or the private room, of a running table."""
        running = self._tables.get(table_id)
        return running.seated.region if running is not None else None

    def seat_at(self, table_id: str) -> SeatedAt:
        return self._tables[table_id].seated

    def player_at(self, table_id: str, accounts: Iterable[str]) -> str | None:
        """The first of these that has a seat at the running table."""
        return next((account for account in accounts if self.sits(account, table_id)), None)

    def tables_of(self, *accounts: str) -> tuple[SeatedAt, ...]:
        """The open tables at which one of these, who are one person, has a seat, oldest first."""
        return tuple(running.seated for running in self.running_of(*accounts))

    def running_of(self, *accounts: str) -> tuple[Running, ...]:
        """The same tables, with what is known of them."""
        seated = dict.fromkeys(table for account in accounts for table in self._by_account.get(account, {}))
        found = [self._tables[table_id] for table_id in seated if table_id in self._open]
        return tuple(found if len(accounts) == 1 else sorted(found, key=lambda running: running.since))
