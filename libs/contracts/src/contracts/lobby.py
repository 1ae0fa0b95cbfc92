"""What stands in the lobby's topics: commands to its regions and private rooms, and their events."""

from typing import Annotated

from pydantic import Field

from contracts.region import RegionCommands, RegionEvents
from contracts.room import RoomCommands, RoomEvents

LobbyCommand = Annotated[RegionCommands | RoomCommands, Field(discriminator="type")]
LobbyEvent = Annotated[RegionEvents | RoomEvents, Field(discriminator="type")]
