"""The events of a region that the gateway looks at."""

from typing import Annotated

from pydantic import Field, TypeAdapter

from contracts.message import tags
from contracts.region import (
    BotsAccepted,
    BotsLent,
    BotStoodBy,
    MatchMade,
    PersonCameBack,
    PersonWentAway,
    RatingNoted,
    SeatGivenUp,
    SeatTaken,
    TableOffered,
    TableReleased,
    TicketQueued,
    TicketWidened,
    TicketWithdrawn,
)

RegionEvent = (
    TicketQueued
    | TicketWidened
    | TicketWithdrawn
    | BotsAccepted
    | PersonWentAway
    | PersonCameBack
    | RatingNoted
    | TableOffered
    | SeatTaken
    | SeatGivenUp
    | BotStoodBy
    | BotsLent
    | MatchMade
    | TableReleased
)
_Tagged = Annotated[RegionEvent, Field(discriminator="type")]
_events: TypeAdapter[RegionEvent] = TypeAdapter(_Tagged)
_TAGS = frozenset(tags(_Tagged))


def region_event(payload: dict[str, object]) -> RegionEvent | None:
    """The event of a payload, None for one that nobody here needs. Raises `ValidationError` for a malformed one."""
    return _events.validate_python(payload) if payload.get("type") in _TAGS else None
