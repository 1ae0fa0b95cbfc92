"""What the events of regions and private rooms ask of tables and of each other, and what the life of tables asks of the
lobby. Mapping only."""

from typing import assert_never

from contracts.lifecycle import (
    LifecycleMessage,
    TableWasExpired,
    TableWasFinished,
    TableWasNotOpened,
    TableWasOpened,
)
from contracts.region import BotsLent, LendBots, MatchMade, ReleaseTable
from contracts.room import (
    BotsMissing,
    BotsWanted,
    BringBots,
    MatchStarted,
    PauseEnded,
    RoomReleased,
    RoomTableEnded,
    code_of,
)
from contracts.table import EndTablePause, OpenTable
from lobby.region.pools import options

# ---- of a region


def on_match_made(event: MatchMade, region: str) -> OpenTable:
    return OpenTable(ruleset=options(event.pool), seats=event.seats, region=region)


def on_bots_lent(event: BotsLent) -> BringBots:
    return BringBots(table_id=event.table_id, bots=event.bots)


# ---- of a private room


def on_bots_wanted(event: BotsWanted, room: str) -> LendBots:
    return LendBots(room=room, table_id=event.table_id, strengths=event.strengths)


def on_bots_missing(event: BotsMissing) -> ReleaseTable:
    """Bots that are lent all the same are on their way to a match that will not be."""
    return ReleaseTable(table_id=event.table_id, not_opened="bots-missing")


def on_match_started(event: MatchStarted, room: str) -> OpenTable:
    """The room's host is the table's, wherever the host sits."""
    return OpenTable(ruleset=event.ruleset, seats=event.seats, region=room, hosted=True)


def on_pause_ended(event: PauseEnded) -> EndTablePause:
    return EndTablePause(round=event.round)


def on_room_released(event: RoomReleased) -> ReleaseTable:
    return ReleaseTable(table_id=event.table_id, not_opened=event.not_opened)


# ---- of tables


def on_lifecycle(message: LifecycleMessage) -> ReleaseTable | RoomTableEnded | None:
    """A table that is over, or that was never opened, frees the people of its region, or its private room for the next
    match."""
    match message:
        case TableWasOpened():
            return None
        case TableWasFinished() | TableWasExpired():
            not_opened = None
        case TableWasNotOpened():
            not_opened = message.reason
        case _:
            assert_never(message)
    command = ReleaseTable if code_of(message.region) is None else RoomTableEnded
    return command(table_id=message.table_id, not_opened=not_opened)
