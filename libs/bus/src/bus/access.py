"""How a client of Kafka proves who it is, and how it knows that it speaks to the right brokers."""

import ssl
from dataclasses import dataclass
from typing import Any

from bus.settings import BusSettings


@dataclass(frozen=True, slots=True, repr=False)
class KafkaAccess:
    """A name with a password (SCRAM-SHA-512), or nobody in particular; over TLS where there is a `ca_file`."""

    username: str | None = None
    password: str | None = None
    ca_file: str | None = None

    @classmethod
    def of(cls, settings: BusSettings) -> "KafkaAccess":
        password = settings.kafka_password.get_secret_value() if settings.kafka_password else None
        return cls(settings.kafka_username, password, settings.kafka_ca_file)

    def client_settings(self) -> dict[str, Any]:
        """What aiokafka's clients are given. Raises OSError or `ssl.SSLError` when the `ca_file` cannot be used."""
        protocol = ("SASL_" if self.username else "") + ("SSL" if self.ca_file else "PLAINTEXT")
        found: dict[str, Any] = {"security_protocol": protocol}
        if self.username:
            found["sasl_mechanism"] = "SCRAM-SHA-512"
            found["sasl_plain_username"] = self.username
            found["sasl_plain_password"] = self.password
        if self.ca_file:
            found["ssl_context"] = ssl.create_default_context(cafile=self.ca_file)
        return found
