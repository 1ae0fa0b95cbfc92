"""What must hold of a region and of private rooms after every outcome, by a plainer reading of their events: where
everybody is, who is at which table, and that nobody waits who could be seated."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any

from tests.simulation.told import Told, broken

from contracts.ids import made_at
from contracts.room import code_of
from lobby.region.offers_decide import OFFER_MS_MAX
from lobby.room.state import Closed

if TYPE_CHECKING:
    from tests.simulation.truth import Truth

WINDOW_MS, WINDOW_STEP, WINDOW_MAX, PATIENT_MS = 5000, 50, 400, 35_000
ONE_PLACE, SEATS, IN_VAIN, HOST = "one place", "seats are kept", "nobody waits in vain", "a room has a host"
Pool = dict[str, Any]


@dataclass(slots=True)
class Ticket:
    account: str
    pools: list[Pool]
    group: str | None
    size: int


@dataclass(slots=True)
class Offered:
    pool: Pool
    people: list[str]
    bots: bool = False


@dataclass(slots=True)
class Region:
    """Everybody's place: `seated` are those of matches and of lent bots, by table."""

    tickets: dict[str, Ticket] = field(default_factory=dict)
    offered: dict[str, Offered] = field(default_factory=dict)
    standing_by: dict[str, None] = field(default_factory=dict)
    seated: dict[str, list[str]] = field(default_factory=dict)
    away: set[str] = field(default_factory=set)

    def places(self) -> list[str]:
        """Of everybody, each place once."""
        at_tables = chain.from_iterable([*(table.people for table in self.offered.values()), *self.seated.values()])
        return [*self.tickets, *self.standing_by, *at_tables]

    def table_of(self, host: str) -> Offered | None:
        return next((table for table in self.offered.values() if table.people[0] == host), None)


class Lobbies:
    def __init__(self, truth: "Truth") -> None:
        self._truth = truth
        self._regions: dict[str, Region] = {}
        self._lent: dict[str, list[str]] = {}
        self._matches: dict[str, tuple[str, list[dict[str, Any]]]] = {}
        """By table: the region or the room, and the seats, of the one match."""

    def check(self, told: Told) -> None:
        """The next valid outcome of whichever log."""
        events, key = told.body.get("events", ()), told.body["aggregate"]
        if told.partition.topic == "table.events":
            for event in events:
                if event["type"] == "table-opened":
                    self._opened(told, event)
        elif told.partition.topic == "lobby.events" and events:
            if code_of(key) is not None:
                self._of_room(told, key, events)
            else:
                self._of_region(told, self._regions.setdefault(key, Region()), events)

    def _opened(self, told: Told, event: dict[str, Any]) -> None:
        """A table opens for one match, with its seats and no others."""
        match = self._matches.pop(event["table_id"], None)
        got = event["region"], [_seat(seat) for seat in event["seats"]]
        if match is None or got != (match[0], [_seat(seat) for seat in match[1]]):
            broken(SEATS, told, f"opens a table for {got}, expected {match}")

    def _matched(self, told: Told, event: dict[str, Any]) -> None:
        table_id, key = event["table_id"], told.body["aggregate"]
        if table_id in self._matches or self._truth.of("table", table_id).known(table_id).states:
            broken(SEATS, told, f"makes a second match of {table_id}")
        self._matches[table_id] = key, event["seats"]

    # ---- regions

    def _of_region(self, told: Told, region: Region, events: Iterable[dict[str, Any]]) -> None:
        for event in events:
            self._place(told, region, event)
            self._must_be_in_one_place(told, region)
        state = self._truth.of("lobby", told.body["aggregate"]).known(told.body["aggregate"]).state
        held = [*state.queue.unit_numbers, *state.standing_by.place_of, *state.offers.table_of, *state.seated]
        if sorted(held) != sorted(region.places()):
            broken(ONE_PLACE, told, f"leaves {sorted(held)}, expected {sorted(region.places())}")
        self._nobody_waits_in_vain(told, region)

    def _must_be_in_one_place(self, told: Told, region: Region) -> None:
        places = region.places()
        if len(set(places)) != len(places):
            twice = sorted({account for account in places if places.count(account) > 1})
            broken(ONE_PLACE, told, f"gives {twice} a second place")

    def _place(self, told: Told, region: Region, event: dict[str, Any]) -> None:
        account, table_id = event.get("account", ""), event.get("table_id", "")
        match event["type"]:
            case "ticket-queued":
                self._queue(region, event)
            case "ticket-widened":
                own = region.tickets[account]
                for ticket in region.tickets.values():
                    if ticket is own or (own.group is not None and ticket.group == own.group):
                        ticket.pools.append(event["pool"])
            case "ticket-withdrawn":
                region.tickets.pop(account, None)
                region.standing_by.pop(account, None)
                region.away.discard(account)
            case "bots-accepted":
                table = region.table_of(account)
                if table is not None:
                    table.bots = True
            case "person-went-away":
                region.away.add(account)
            case "person-came-back":
                region.away.discard(account)
            case "bot-stood-by":
                region.standing_by[account] = None
            case "table-offered":
                region.offered[table_id] = Offered(event["pool"], [event["host"]])
            case "seat-taken":
                self._take_seat(told, region, event)
            case "seat-given-up":
                self._give_up(told, region, event)
            case "match-made" | "bots-lent":
                self._seat(told, region, event)
            case "table-released":
                region.seated.pop(table_id, None)

    def _queue(self, region: Region, event: dict[str, Any]) -> None:
        """Whoever comes to a group waits where the group does."""
        friends = [ticket for ticket in region.tickets.values() if event["group"] and ticket.group == event["group"]]
        pools = list(friends[0].pools) if friends else [event["pool"]]
        region.tickets[event["account"]] = Ticket(
            event["account"],
            pools,
            event["group"],
            event["group_size"] or 1,
        )

    def _take_seat(self, told: Told, region: Region, event: dict[str, Any]) -> None:
        table = region.offered.get(event["table_id"])
        if table is None or len(table.people) >= table.pool["seats"]:
            broken(SEATS, told, f"gives {event['account']} a seat that is not free, at {table}")
        table.people.append(event["account"])

    def _give_up(self, told: Told, region: Region, event: dict[str, Any]) -> None:
        table = region.offered[event["table_id"]]
        if event["account"] not in table.people:
            broken(SEATS, told, f"takes a seat from {event['account']}, who has none at {table}")
        if event["reason"] == "away" and event["account"] not in region.away:
            broken(SEATS, told, f"takes the seat of {event['account']}, who is here")
        table.bots = table.bots and table.people[0] != event["account"]
        table.people.remove(event["account"])
        region.away.discard(event["account"])
        if not table.people:
            del region.offered[event["table_id"]]

    def _seat(self, told: Told, region: Region, event: dict[str, Any]) -> None:
        """Everybody comes from where they waited; of a table that was offered, all come."""
        seats = event["seats"] if event["type"] == "match-made" else event["bots"]
        accounts = [seat["account"] for seat in seats]
        offered = region.offered.pop(event["table_id"], None)
        if offered is not None and not set(offered.people) <= set(accounts):
            broken(SEATS, told, f"seats {accounts} at a table where {offered.people} have seats")
        waiting = {*region.tickets, *region.standing_by, *(offered.people if offered is not None else ())}
        if strangers := [account for account in accounts if account not in waiting or account in region.away]:
            broken(SEATS, told, f"seats {strangers}, who did not wait here")
        for account in accounts:
            region.tickets.pop(account, None)
            region.standing_by.pop(account, None)
        region.seated[event["table_id"]] = accounts
        if event["type"] == "bots-lent":
            self._lent[event["table_id"]] = accounts
        else:
            if len(accounts) != event["pool"]["seats"]:
                broken(SEATS, told, f"starts a match of {len(accounts)}, expected {event['pool']['seats']}")
            self._matched(told, event)

    # ---- private rooms

    def _of_room(self, told: Told, key: str, events: Iterable[dict[str, Any]]) -> None:
        """A room has one host, who is in it, as is everybody who sits; its matches are of those who sit."""
        for event in events:
            if event["type"] == "match-started":
                self._started(told, event)
        state = self._truth.of("lobby", key).known(key).state
        if state is None or isinstance(state, Closed):
            return
        people = [person.account for person in state.room.people]
        sitting = [seat.account for seat in state.room.seats if seat.account is not None]
        if state.room.host not in people or state.room.owner not in people:
            broken(HOST, told, f"leaves {state.room.host} host, for {state.room.owner}, of {people}")
        if len(set(people)) != len(people) or len(set(sitting)) != len(sitting) or not set(sitting) <= set(people):
            broken(ONE_PLACE, told, f"leaves {sitting} on seats, and {people} in the room")

    def _started(self, told: Told, event: dict[str, Any]) -> None:
        self._matched(told, event)
        bots = [seat["account"] for seat in event["seats"] if seat.get("strength")]
        if bots != self._lent.get(event["table_id"], []):
            broken(SEATS, told, f"plays with {bots}, lent were {self._lent.get(event['table_id'])}")

    # ---- nobody waits who could be seated

    def _nobody_waits_in_vain(self, told: Told, region: Region) -> None:
        """By every set of people there is. Nobody here has been rated, so that no window parts them."""
        units = _units(region)
        pools = [pool for unit in units for pool in unit[0].pools]
        for number, pool in enumerate(pools):
            if pool in pools[:number]:
                continue
            here = [unit for unit in units if pool in unit[0].pools]
            for count in range(1, pool["seats"] + 1):
                for some in combinations(here, count):
                    if sum(map(len, some)) == pool["seats"]:
                        who = [ticket.account for unit in some for ticket in unit]
                        broken(IN_VAIN, told, f"leaves {who} waiting for {pool}")
        bots = [account for account in region.standing_by if account not in region.away]
        for table_id, table in region.offered.items():
            free = table.pool["seats"] - len(table.people)
            old = told.body["at"] - (made_at(table_id) or 0) > OFFER_MS_MAX
            present = not region.away & set(table.people)
            if present and not old and (free == 0 or (table.bots and free <= len(bots))):
                broken(IN_VAIN, told, f"leaves {table_id} offered: {table}, with {bots} standing by")


def _units(region: Region) -> list[list[Ticket]]:
    """Those who are seated as one, where all of them are here."""
    found: dict[str, list[Ticket]] = {}
    for ticket in region.tickets.values():
        found.setdefault(ticket.group or f"alone {ticket.account}", []).append(ticket)
    return [
        unit
        for unit in found.values()
        if len(unit) == unit[0].size and not any(ticket.account in region.away for ticket in unit)
    ]


def _seat(seat: dict[str, Any]) -> tuple[str, bool, str | None]:
    return seat["account"], bool(seat.get("bot")), seat.get("strength")
