"""What a region's events ask of tables, and what the life of tables asks of the lobby. Mapping only."""

from contracts.lifecycle import LifecycleMessage, TableWasExpired, TableWasFinished, TableWasOpened
from contracts.region import MatchMade, ReleaseTable
from contracts.table import OpenTable
from lobby.region.pools import options


def on_match_made(event: MatchMade, region: str) -> OpenTable:
    return OpenTable(ruleset=options(event.pool), seats=event.seats, region=region)


def on_lifecycle(message: LifecycleMessage) -> ReleaseTable | None:
    """An ended table frees its people."""
    match message:
        case TableWasFinished() | TableWasExpired():
            return ReleaseTable(table_id=message.table_id)
        case TableWasOpened():
            return None
