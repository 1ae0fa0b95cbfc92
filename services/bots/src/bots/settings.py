"""What the house bots read from their environment."""

from pydantic import Field, SecretStr

from bus.settings import ProcessSettings


class BotsSettings(ProcessSettings):
    """`standing`: how many bots stand by at any moment. `pace_ms`: how long they pause before an action, 0.6 to 1.4
    times of it. `budget_ms`: how long an expert thinks; all experts of a process think one after the other. `seed`
    repeats their pauses and choices."""

    gateway_url: str
    house_key: SecretStr
    standing: int = Field(default=4, ge=1, le=100)
    pace_ms: int = Field(default=1000, ge=0, le=10_000)
    budget_ms: int = Field(default=15, ge=1, le=1_000)
    seed: int | None = None
