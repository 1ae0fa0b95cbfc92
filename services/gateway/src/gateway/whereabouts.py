"""At which tables everyone has a seat now, folded from the lobbies' logs."""

from contracts.api import SeatedAt
from contracts.region import MatchMade, TableReleased


class Whereabouts:
    """`match-made` gives seats, `table-released` ends them. A table is told of only once it is open: before that nobody
    could watch it or sit down."""

    def __init__(self) -> None:
        self._tables: dict[str, tuple[SeatedAt, tuple[str, ...]]] = {}
        self._by_account: dict[str, dict[str, SeatedAt]] = {}
        self._open: set[str] = set()

    def match_made(self, region: str, match: MatchMade, *, is_open: bool) -> tuple[str, ...]:
        """Takes note of a match; the accounts to tell of it now, none while its table is not open."""
        seated = SeatedAt(table_id=match.table_id, region=region)
        accounts = tuple(seat.account for seat in match.seats)
        self._tables[match.table_id] = (seated, accounts)
        for account in accounts:
            self._by_account.setdefault(account, {})[match.table_id] = seated
        return self.opened(match.table_id) if is_open else ()

    def opened(self, table_id: str) -> tuple[str, ...]:
        """The table is open: the accounts to tell of it, in seat order."""
        if table_id not in self._tables:
            return ()
        self._open.add(table_id)
        return self._tables[table_id][1]

    def released(self, event: TableReleased) -> None:
        _, accounts = self._tables.pop(event.table_id, (None, ()))
        self._open.discard(event.table_id)
        for account in accounts:
            tables = self._by_account.get(account, {})
            tables.pop(event.table_id, None)
            if not tables:
                self._by_account.pop(account, None)

    def is_stranger(self, account: str, table_id: str) -> bool:
        """Whether the table is known to be one of others; False also when nothing is known of it, or no longer."""
        return table_id in self._tables and account not in self._tables[table_id][1]

    def seat_at(self, table_id: str) -> SeatedAt:
        return self._tables[table_id][0]

    def tables_of(self, account: str) -> tuple[SeatedAt, ...]:
        """The open tables at which `account` has a seat, oldest first."""
        seated = self._by_account.get(account, {}).values()
        return tuple(place for place in seated if place.table_id in self._open)
