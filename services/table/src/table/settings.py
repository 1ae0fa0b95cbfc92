"""What the table's projector reads from its environment."""

from pydantic import Field

from bus.settings import BusSettings


class ProjectorSettings(BusSettings):
    """`redis_url`: where the live cache is."""

    redis_url: str = Field(validation_alias="REDIS_URL")
