"""Who has a place in a region and is passed over while away: the people who wait, those at offered tables, and house
bots that stand by."""

from collections.abc import Iterator
from dataclasses import dataclass

from contracts.message import AccountId
from contracts.region import (
    BotsLent,
    BotStoodBy,
    MatchMade,
    PersonCameBack,
    PersonWentAway,
    SeatGivenUp,
    SeatTaken,
    TableOffered,
    TicketQueued,
    TicketWithdrawn,
)
from gateway.region_events import RegionEvent


@dataclass(slots=True)
class Place:
    """`bot`: a program by its own declaration. `away` as the log has it."""

    bot: bool
    away: bool = False


class Places:
    """A fold of one region's events."""

    def __init__(self) -> None:
        self._places: dict[AccountId, Place] = {}

    def take(self, event: RegionEvent) -> None:
        match event:
            case TicketQueued(account=account, bot=bot) | SeatTaken(account=account, bot=bot):
                self._places[account] = Place(bot)
            case TableOffered(host=account, bot=bot):
                self._places[account] = Place(bot)
            case BotStoodBy(account=account):
                self._places[account] = Place(bot=True)
            case TicketWithdrawn(account=account) | SeatGivenUp(account=account):
                self._places.pop(account, None)
            case MatchMade(seats=seats) | BotsLent(bots=seats):
                for seat in seats:
                    self._places.pop(seat.account, None)
            case PersonWentAway(account=account) | PersonCameBack(account=account):
                if account in self._places:
                    self._places[account].away = isinstance(event, PersonWentAway)
            case _:
                pass

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[AccountId]:
        return iter(self._places)

    def get(self, account: AccountId) -> Place | None:
        return self._places.get(account)
