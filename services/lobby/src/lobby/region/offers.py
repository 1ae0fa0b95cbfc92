"""The tables that people of a region offer: who sits at which, and who of them is away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Self, assert_never

from rpds import HashTrieMap

from contracts.region import (
    BotsAccepted,
    PersonCameBack,
    PersonWentAway,
    Pool,
    SeatGivenUp,
    SeatTaken,
    TableOffered,
)
from contracts.table import Strength
from lobby.region.away import Away
from lobby.region.ordered import Ordered

OfferEvent = TableOffered | SeatTaken | SeatGivenUp | BotsAccepted | PersonWentAway | PersonCameBack


@dataclass(frozen=True, slots=True)
class Sitter:
    account: str
    bot: bool = False


@dataclass(frozen=True, slots=True)
class OfferedTable:
    """`people` in order of arrival: the first is the host. `bots` is how strong the house bots shall be to which the
    host has said yes, None before; `yes_number` counts these in the region."""

    pool: Pool
    people: tuple[Sitter, ...]
    bots: Strength | None = None
    yes_number: int = 0

    @property
    def host(self) -> str:
        return self.people[0].account

    @property
    def free(self) -> int:
        return self.pool.seats - len(self.people)


@dataclass(frozen=True, slots=True)
class Offers:
    """`wanting` are the tables that wait for house bots, in the order of their hosts' yeses: (number, table id); `away`
    are people at offered tables. Every change costs the same however many tables there are."""

    tables: HashTrieMap[str, OfferedTable] = field(default_factory=HashTrieMap)
    table_of: HashTrieMap[str, str] = field(default_factory=HashTrieMap)
    wanting: Ordered[tuple[int, str]] = field(default_factory=Ordered)
    away: Away = field(default_factory=Away)
    yeses: int = 0

    # ---- what has happened

    def after(self, event: OfferEvent) -> Offers:
        """The offers after `event`; what happens to people without a seat here changes nothing."""
        match event:
            case TableOffered():
                return self._with(
                    event.table_id, OfferedTable(event.pool, (Sitter(event.host, event.bot),)), event.host
                )
            case SeatTaken(table_id=table_id, account=account):
                table = self.tables[table_id]
                people = (*table.people, Sitter(account, event.bot))
                return self._with(table_id, replace(table, people=people), account)
            case SeatGivenUp(account=account):
                return self._without_person(account)
            case BotsAccepted(account=account):
                return self._with_bots(account, event.strength)
            case PersonWentAway(account=account) if account in self.table_of:
                return replace(self, away=self.away.with_person(account, event.at))
            case PersonCameBack(account=account):
                return replace(self, away=self.away.without(account))
            case PersonWentAway():
                return self
            case _:
                assert_never(event)

    def started(self, table_id: str) -> Offers:
        """Without this table, if it was offered here."""
        offers = self
        for sitter in self.people(table_id):
            offers = offers._without_person(sitter.account)
        return offers

    def _with(self, table_id: str, table: OfferedTable, account: str) -> Offers:
        tables = self.tables.insert(table_id, table)
        return replace(self, tables=tables, table_of=self.table_of.insert(account, table_id))

    def _without_person(self, account: str) -> Offers:
        """The host's yes to bots goes with the host, the table with its last person."""
        table_id = self.table_of[account]
        table = self.tables[table_id]
        rest = tuple(sitter for sitter in table.people if sitter.account != account)
        offers = replace(self, table_of=self.table_of.remove(account), away=self.away.without(account))
        if table.host == account:
            offers = replace(offers, wanting=offers.wanting.without((table.yes_number, table_id)))
            table = replace(table, bots=None, yes_number=0)
        if not rest:
            return replace(offers, tables=offers.tables.remove(table_id))
        return replace(offers, tables=offers.tables.insert(table_id, replace(table, people=rest)))

    def _with_bots(self, host: str, strength: Strength) -> Offers:
        table_id = self.table_of.get(host)
        if table_id is None:
            return self
        table = replace(self.tables[table_id], bots=strength)
        if table.yes_number:
            return replace(self, tables=self.tables.insert(table_id, table))
        number = self.yeses + 1
        tables = self.tables.insert(table_id, replace(table, yes_number=number))
        return replace(self, tables=tables, wanting=self.wanting.with_key((number, table_id)), yeses=number)

    # ---- queries

    def people(self, table_id: str) -> tuple[Sitter, ...]:
        table = self.tables.get(table_id)
        return table.people if table is not None else ()

    def all_here(self, table_id: str) -> bool:
        return not any(sitter.account in self.away for sitter in self.people(table_id))

    # ---- snapshots

    def to_json(self) -> dict[str, Any]:
        """The same for equal offers; `from_json` gives equal ones back."""
        return {
            "tables": {table_id: _table_to_json(table) for table_id, table in sorted(self.tables.items())},
            "away": self.away.to_json(),
            "yeses": self.yeses,
        }

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        tables = {table_id: _table_from_json(table) for table_id, table in body["tables"].items()}
        table_of = {sitter.account: table_id for table_id, table in tables.items() for sitter in table.people}
        return cls(
            HashTrieMap(tables),
            HashTrieMap(table_of),
            Ordered.of((table.yes_number, table_id) for table_id, table in tables.items() if table.yes_number),
            Away.from_json(body["away"]),
            body["yeses"],
        )


def _table_to_json(table: OfferedTable) -> dict[str, Any]:
    people = [asdict(sitter) for sitter in table.people]
    return {"pool": table.pool.model_dump(), "people": people, "bots": table.bots, "yes_number": table.yes_number}


def _table_from_json(body: Mapping[str, Any]) -> OfferedTable:
    people = tuple([Sitter(**sitter) for sitter in body["people"]])
    return OfferedTable(Pool.model_validate(body["pool"]), people, body["bots"], body["yes_number"])
