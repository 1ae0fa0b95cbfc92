"""Tables that people offer, as their tests speak of them."""

from typing import Literal

from tests.given import Given
from tests.lobby.lobbies import NOON

from contracts.region import PersonWentAway, Pool, RegionCommand, RegionEvent, SeatGivenUp, SeatTaken, TableOffered
from lobby.region.state import Lobby

FOUR = Pool(preset="party", seats=4, target=150)
Region = Given[Lobby, RegionCommand, RegionEvent]


def offered(pool: Pool, *people: str, table: str = "t1") -> list[RegionEvent]:
    """A table with the first of `people` as its host."""
    first = TableOffered(table_id=table, pool=pool, host=people[0], bot=False, at=NOON)
    return [first, *(SeatTaken(table_id=table, account=account, bot=False) for account in people[1:])]


def gone(account: str, at: int = NOON) -> PersonWentAway:
    return PersonWentAway(account=account, at=at)


def given_up(account: str, reason: Literal["left", "away"] = "left", table: str = "t1") -> SeatGivenUp:
    return SeatGivenUp(table_id=table, account=account, reason=reason)


def people(region: Region, table: str = "t1") -> list[str]:
    assert region.state is not None
    return [sitter.account for sitter in region.state.offers.people(table)]
