"""What stands in the lobby's topics: commands to its regions, and their events."""

from typing import Annotated

from pydantic import Field

from contracts.region import RegionCommands, RegionEvents

LobbyCommand = Annotated[RegionCommands, Field(discriminator="type")]
LobbyEvent = Annotated[RegionEvents, Field(discriminator="type")]
