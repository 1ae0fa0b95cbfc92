"""What every process reads from its environment."""

from typing import Self

from pydantic import Field, SecretStr, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict


class ProcessSettings(BaseSettings):
    """What a process needs to be looked after, whatever it does."""

    model_config = SettingsConfigDict(env_prefix="CAPICUA_", extra="ignore", populate_by_name=True)

    health_host: str = "127.0.0.1"
    health_port: int = Field(default=0, ge=0, le=65535, description="0: a free port")
    otlp_endpoint: str | None = Field(default=None, validation_alias="OTEL_EXPORTER_OTLP_ENDPOINT")
    traces_sampled: float = Field(default=0.01, ge=0, le=1)


class BusSettings(ProcessSettings):
    """What all services on the log share; a service adds its own by subclassing. Times in ms.

    Kafka is spoken to as `kafka_username` if there is one, and over TLS if there is a `kafka_ca_file`.
    """

    kafka_bootstrap: str = Field(validation_alias="KAFKA_BOOTSTRAP")
    kafka_username: str | None = Field(default=None, validation_alias="KAFKA_USERNAME")
    kafka_password: SecretStr | None = Field(default=None, validation_alias="KAFKA_PASSWORD")
    kafka_ca_file: str | None = Field(default=None, validation_alias="KAFKA_CA_FILE")
    session_ms: int = Field(default=6000, ge=1000, description="silence after which a group gives up on a member")

    @model_validator(mode="after")
    def _name_and_password_come_together(self) -> Self:
        if (self.kafka_username is None) != (self.kafka_password is None):
            raise ValueError("expected KAFKA_USERNAME and KAFKA_PASSWORD together, got one of them")
        return self
