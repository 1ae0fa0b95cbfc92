"""What the house bots read from their environment."""

from pydantic import Field, SecretStr

from bus.settings import ProcessSettings


class BotsSettings(ProcessSettings):
    """`standing`: how many bots stand by at any moment. `seed`: repeats their pauses for thought, for tests."""

    gateway_url: str
    house_key: SecretStr
    standing: int = Field(default=4, ge=1, le=100)
    seed: int | None = None
